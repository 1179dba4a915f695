// What an embedded Podberth and the page around it say to each other: plain objects with `podberth: 1`. Fields may be
// added; their meaning never changes under the same number.

import { EDITORS, type Texts } from '../scenario/types';
import { splitDocuments } from '../scenario/split';

export const MESSAGE_VERSION = 1;
const MAX_TEXT = 4_000_000;

export type Outgoing =
  | { type: 'ready'; release: string }
  | { type: 'height'; height: number }
  | { type: 'step'; step: number; steps: number; done: boolean; t: number; sentence: string }
  | { type: 'error'; message: string };

export type Incoming =
  | { type: 'set'; texts?: Texts; title?: string; example?: string; step?: number; theme?: 'light' | 'dark' | 'system' }
  | { type: 'step' | 'back' | 'play' | 'pause' | 'toEnd' | 'toStart' };

const COMMANDS = ['step', 'back', 'play', 'pause', 'toEnd', 'toStart'];

// Reads a message from outside; null if it is none of ours or not well formed.
export function readMessage(data: unknown): Incoming | null {
  if (typeof data !== 'object' || data === null) return null;
  const message = data as Record<string, unknown>;
  if (message.podberth !== MESSAGE_VERSION || typeof message.type !== 'string') return null;
  if (COMMANDS.includes(message.type)) return { type: message.type as 'step' };
  if (message.type !== 'set') return null;
  const out: Incoming & { type: 'set' } = { type: 'set' };
  const { scenario, title, example, step, theme } = message;
  if (typeof scenario === 'string' && scenario.length <= MAX_TEXT) out.texts = splitDocuments(scenario);
  else if (typeof scenario === 'object' && scenario !== null) {
    const texts = scenario as Record<string, unknown>;
    const part = (name: string) => (typeof texts[name] === 'string' && texts[name].length <= MAX_TEXT ? texts[name] : '');
    out.texts = Object.fromEntries(EDITORS.map((name) => [name, part(name)])) as Texts;
  }
  if (typeof title === 'string') out.title = title.slice(0, 200);
  if (typeof example === 'string') out.example = example.slice(0, 200);
  if (typeof step === 'number' && Number.isFinite(step)) out.step = Math.max(0, Math.trunc(step));
  if (theme === 'light' || theme === 'dark' || theme === 'system') out.theme = theme;
  return out;
}

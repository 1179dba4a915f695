// The state of the page in the fragment of its address, which no server ever sees:
//   #s=1k.<base64url>&step=7
// "1" is the version of what is packed, "k" the codec: raw DEFLATE with the frozen dictionary "k" ("d": without). A step at
// the end keeps the link from ending in a character that chat programs cut off.

import { deflateSync, inflateSync, strFromU8, strToU8 } from 'fflate';
import type { JsonObject, Texts } from '../scenario/types';
import type { Fork } from '../state/fork';
import { DICTIONARY_K } from './dictionary';

export interface Shared {
  title: string;
  texts: Texts;
  later: JsonObject[]; // steps that the user let happen after those of the scenario
  release?: string; // of kube-scheduler; the newest if absent
  compare?: { scheduler: string; release: string }; // the other run, if two are compared
  forks?: Fork[]; // where the run leaves the scenario, in the order in which that was done
}

export type ReadLink =
  | { kind: 'none' }
  | { kind: 'state'; state: Shared; step: number }
  | { kind: 'example'; name: string; step: number }
  | { kind: 'broken'; message: string };

export const LINK_LIMITS = { link: 1_000_000, text: 4_000_000 };
export const LINK_VERSION = 1;

const dictionary = strToU8(DICTIONARY_K);

export function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function fromBase64Url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (c) => c.charCodeAt(0));
  } catch {
    return null;
  }
}

// null if the state is too large for a link.
export function encodeState(state: Shared): string | null {
  const packed: Record<string, unknown> = { t: state.title, c: state.texts.cluster, p: state.texts.pods, s: state.texts.scheduler };
  if (state.later.length > 0) packed.l = state.later;
  if (state.forks?.length) packed.f = state.forks;
  if (state.release) packed.r = state.release;
  if (state.compare) packed.b = { s: state.compare.scheduler, r: state.compare.release };
  const bytes = strToU8(JSON.stringify(packed));
  if (bytes.length > LINK_LIMITS.text) return null;
  const code = `${LINK_VERSION}k.${toBase64Url(deflateSync(bytes, { level: 9, mem: 8, dictionary }))}`;
  return code.length > LINK_LIMITS.link ? null : code;
}

export function makeFragment(state: Shared, step: number): string | null {
  const code = encodeState(state);
  return code === null ? null : `#s=${code}&step=${step}`;
}

export function decodeState(code: string): { state: Shared } | { message: string } {
  const match = /^(\d+)([a-z])\.(.*)$/s.exec(code);
  if (!match) return { message: 'This link is damaged: it does not say which format it has.' };
  const [, version, codec, payload] = match;
  if (Number(version) > LINK_VERSION) {
    return { message: `This link was made by a newer Podberth (format ${version}; this page reads up to ${LINK_VERSION}).` };
  }
  if (codec !== 'k' && codec !== 'd') return { message: `This link is packed in a way that this page does not know (“${codec}”).` };
  if (code.length > LINK_LIMITS.link) return { message: 'This link is too long to be read.' };
  const damaged = { message: 'This link is damaged: a part of it is missing or was changed on its way.' };
  const bytes = fromBase64Url(payload ?? '');
  if (!bytes || bytes.length === 0) return damaged;
  let text: string;
  try {
    // A fixed output buffer: what would grow beyond it is refused while it unpacks.
    const out = new Uint8Array(Math.min(LINK_LIMITS.text + 1, bytes.length * 1100 + 1024));
    const unpacked = inflateSync(bytes, codec === 'k' ? { dictionary, out } : { out });
    if (unpacked.length > LINK_LIMITS.text) return { message: 'What this link holds is too large.' };
    text = strFromU8(unpacked);
  } catch {
    return damaged;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return damaged;
  }
  if (typeof value !== 'object' || value === null) return damaged;
  const { t, c, p, s, l, f, r, b } = value as Record<string, unknown>;
  if (typeof t !== 'string' || typeof c !== 'string' || typeof p !== 'string' || typeof s !== 'string') return damaged;
  const state: Shared = { title: t.slice(0, 200), texts: { cluster: c, pods: p, scheduler: s }, later: operations(l) };
  const forks = readForks(f);
  if (forks.length > 0) state.forks = forks;
  if (typeof r === 'string' && r) state.release = r.slice(0, 40);
  if (typeof b === 'object' && b !== null) {
    const other = b as Record<string, unknown>;
    state.compare = { scheduler: typeof other.s === 'string' ? other.s : '', release: typeof other.r === 'string' ? other.r.slice(0, 40) : '' };
  }
  return { state };
}

function operations(value: unknown): JsonObject[] {
  return (Array.isArray(value) ? value : []).filter((x): x is JsonObject => typeof x === 'object' && x !== null && !Array.isArray(x)).slice(0, 1000);
}

export function readForks(value: unknown): Fork[] {
  return operations(value)
    .map(({ at, ops }) => ({ at: Number(at), ops: operations(ops).filter(({ op }) => typeof op === 'string') as unknown as Fork['ops'] }))
    .filter(({ at, ops }) => Number.isSafeInteger(at) && at >= 0 && ops.length > 0)
    .slice(0, 100);
}

export function readFragment(fragment: string): ReadLink {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  const step = Math.max(0, Math.min(1e9, Math.trunc(Number(parameters.get('step') ?? 0)) || 0));
  const code = parameters.get('s');
  const example = parameters.get('example');
  if (code !== null) {
    const read = decodeState(code);
    return 'state' in read ? { kind: 'state', state: read.state, step } : { kind: 'broken', message: read.message };
  }
  if (example !== null) return { kind: 'example', name: example, step };
  return { kind: 'none' };
}

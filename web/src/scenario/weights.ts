// The weight sliders and the scheduler's YAML say the same thing: weights are read from the text, and moving a slider
// changes as little of the text as possible.

import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';

export interface Weight {
  weight: number; // 0: the plugin does not score
  explicit: boolean; // written in the text
}

const SKELETON = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
`;

// Only the first profile has sliders; others are edited as text.
const PLUGINS = ['profiles', 0, 'plugins'] as const;

// This is read on every key press, beside everything that moves: a text that no configuration is as long as is left alone.
const LONGEST = 200_000;

function open(text: string): Document | null {
  if (text.length > LONGEST) return null;
  try {
    const document = parseDocument(text, { version: '1.1', prettyErrors: false, logLevel: 'silent', uniqueKeys: false });
    return document.errors.length === 0 && isMap(document.contents) ? document : null;
  } catch {
    return null;
  }
}

function entry(document: Document, point: string, list: string, plugin: string): { map: YAMLMap; index: number } | null {
  const items = document.getIn([...PLUGINS, point, list]);
  if (!isSeq(items)) return null;
  const index = items.items.findIndex((item) => isMap(item) && item.get('name') === plugin);
  return index < 0 ? null : { map: items.items[index] as YAMLMap, index };
}

export function readWeights(text: string, defaults: ReadonlyMap<string, number>): Map<string, Weight> | null {
  const out = new Map<string, Weight>();
  for (const [plugin, weight] of defaults) out.set(plugin, { weight, explicit: false });
  if (!text.trim()) return out;
  const document = open(text);
  if (!document) return null;
  const off = (point: string, plugin: string) => entry(document, point, 'disabled', plugin) ?? entry(document, point, 'disabled', '*');
  for (const [plugin, fallback] of defaults) {
    const found = entry(document, 'score', 'enabled', plugin) ?? entry(document, 'multiPoint', 'enabled', plugin);
    const value = found?.map.get('weight');
    if (found) out.set(plugin, { weight: typeof value === 'number' && value !== 0 ? value : fallback || 1, explicit: typeof value === 'number' });
    const silent = entry(document, 'score', 'enabled', plugin) ? null : off('score', plugin);
    if (silent || (!found && off('multiPoint', plugin))) out.set(plugin, { weight: 0, explicit: true });
  }
  return out;
}

// The text with another weight, or null if it cannot be edited because it is not valid YAML.
export function writeWeight(text: string, plugin: string, weight: number): string | null {
  const base = text.trim() ? text : SKELETON;
  const document = open(base);
  if (!document) return null;
  const found = entry(document, 'score', 'enabled', plugin) ?? entry(document, 'multiPoint', 'enabled', plugin);
  const disabled = entry(document, 'score', 'disabled', plugin);
  const current = found?.map.get('weight', true);
  if (weight > 0 && !disabled && isScalar(current) && current.range) {
    const [from, to] = current.range;
    return base.slice(0, from) + String(weight) + base.slice(to);
  }
  ensureProfile(document);
  if (weight === 0) {
    if (entry(document, 'score', 'enabled', plugin)) {
      const hit = entry(document, 'score', 'enabled', plugin);
      document.deleteIn([...PLUGINS, 'score', 'enabled', hit?.index ?? 0]);
    }
    if (!disabled) append(document, 'score', 'disabled', { name: plugin });
  } else {
    if (disabled) {
      document.deleteIn([...PLUGINS, 'score', 'disabled', disabled.index]);
      prune(document, 'score', 'disabled');
    }
    if (found) found.map.set('weight', weight);
    else append(document, 'multiPoint', 'enabled', { name: plugin, weight });
  }
  return document.toString({ lineWidth: 0, indentSeq: false });
}

function ensureProfile(document: Document): void {
  if (!isSeq(document.get('profiles'))) document.set('profiles', document.createNode([{ schedulerName: 'default-scheduler' }]));
  if (!isMap(document.getIn(['profiles', 0]))) document.setIn(['profiles', 0], document.createNode({ schedulerName: 'default-scheduler' }));
  if (!isMap(document.getIn([...PLUGINS]))) document.setIn([...PLUGINS], document.createNode({}));
}

function append(document: Document, point: string, list: string, value: Record<string, unknown>): void {
  if (!isMap(document.getIn([...PLUGINS, point]))) document.setIn([...PLUGINS, point], document.createNode({}));
  if (!isSeq(document.getIn([...PLUGINS, point, list]))) document.setIn([...PLUGINS, point, list], document.createNode([]));
  document.addIn([...PLUGINS, point, list], document.createNode(value));
}

function prune(document: Document, point: string, list: string): void {
  const items = document.getIn([...PLUGINS, point, list]);
  if (isSeq(items) && items.items.length === 0) document.deleteIn([...PLUGINS, point, list]);
  const map = document.getIn([...PLUGINS, point]);
  if (isMap(map) && map.items.length === 0) document.deleteIn([...PLUGINS, point]);
}

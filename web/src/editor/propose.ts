// What can be written at the cursor: from the types, and from what is in the draft already.

import type { PluginInfo } from '../engine/door';
import type { EditorName, Texts } from '../scenario/types';
import type { Cursor } from './cursor';
import { type FieldType, POINTS, type Schema } from './schema';
import { docOf, LABELS, RESOURCES, SKELETONS, VALUES } from './words';

export interface Around {
  editor: EditorName;
  texts: Texts;
  plugins: PluginInfo[];
}

export interface Proposal {
  label: string;
  apply: string; // what is written
  kind: 'property' | 'enum' | 'class' | 'variable';
  detail?: string;
  info?: string;
}

const OF_THE_SCHEDULER = ['KubeSchedulerConfiguration', 'Extender', 'SamplePlugins'];
const SKELETONS_IN: Record<EditorName, string[]> = { cluster: ['Node', 'NodePool', 'Pod', 'PriorityClass'], pods: ['Pod', 'Timeline'], scheduler: ['KubeSchedulerConfiguration'] };
const KINDS_IN: Record<EditorName, (kind: string) => boolean> = {
  cluster: (kind) => !OF_THE_SCHEDULER.includes(kind),
  pods: (kind) => !OF_THE_SCHEDULER.includes(kind),
  scheduler: (kind) => OF_THE_SCHEDULER.includes(kind),
};

// Keys of labels that somebody has written; with `all`, those in selectors too.
export function labelKeys(texts: Texts, kind?: 'Node' | 'Pod'): string[] {
  const out = new Set<string>();
  for (const part of `${texts.cluster}\n---\n${texts.pods}`.slice(0, 500_000).split(/^---.*$/m)) {
    if (kind && !new RegExp(`^kind: *${kind}\\b`, 'm').test(part)) continue;
    const lines = part.split('\n');
    lines.forEach((line, i) => {
      const head = /^( *(?:- +)*)(?:labels|matchLabels|nodeSelector): *$/.exec(line);
      if (!head) return;
      for (const next of lines.slice(i + 1)) {
        const entry = /^( *)("[^"]+"|[^\s:#-][^\s:]*):/.exec(next);
        if (!entry || (entry[1] ?? '').length <= (head[1] ?? '').length) break;
        out.add((entry[2] ?? '').replaceAll('"', ''));
      }
    });
  }
  return [...out];
}

// Names of the objects of a kind.
export function namesOf(texts: Texts, kind: string): string[] {
  const all = `${texts.cluster}\n---\n${texts.pods}`.slice(0, 500_000).split(/^---.*$/m);
  const of = all.filter((part) => new RegExp(`^kind: *${kind}\\b`, 'm').test(part));
  return [...new Set(of.map((part) => /^metadata:[^\n]*(?:\n +[^\n]*)*?\n? *\{?name: *([^\s,}]+)/m.exec(part)?.[1] ?? '').filter(Boolean))];
}

const words = (list: string[], kind: Proposal['kind'] = 'enum'): Proposal[] => [...new Set(list)].map((label) => ({ label, apply: label, kind }));

function typeWords(type: FieldType): string {
  if (type.is === 'list' && type.item) return `list of ${typeWords(type.item)}`;
  if (type.of !== undefined) return type.of.replace(/#\d+$/, '');
  return { int32: 'number', int64: 'number', bool: 'true or false', map: 'map', any: '' }[type.is] ?? type.is;
}

function fieldApply(name: string, type: FieldType, indent: number): string {
  const pad = ' '.repeat(indent);
  if (type.is === 'list' && type.item) return `${name}:\n${pad}- `;
  if (type.is === 'object' || type.is === 'map') return `${name}:\n${pad}  `;
  return `${name}: `;
}

function keys(cursor: Cursor, schema: Schema, around: Around): Proposal[] {
  const { kind, path, siblings, indent } = cursor;
  if (kind === '' && path.length === 0) {
    const skeletons = cursor.empty
      ? SKELETONS_IN[around.editor].map((name): Proposal => ({ label: name, apply: SKELETONS[name] ?? '', kind: 'class', detail: 'a whole manifest' }))
      : [];
    const left = ['apiVersion', 'kind', 'metadata', 'spec'].filter((name) => !siblings.has(name));
    return [...skeletons, ...left.map((name): Proposal => ({ label: name, apply: `${name}: `, kind: 'property' }))];
  }
  const type = schema.typeAt(kind, path);
  if (!type) return [];
  if (type.of !== undefined) {
    return Object.entries(schema.fields(type.of))
      .filter(([name]) => !siblings.has(name) && name !== 'managedFields')
      .map(([name, field]): Proposal => ({ label: name, apply: fieldApply(name, field, indent), kind: 'property', detail: typeWords(field), info: docOf(name) }));
  }
  const last = path.at(-1) ?? '';
  if (type.is === 'map') {
    const known = ['requests', 'limits', 'allocatable', 'capacity', 'overhead'].includes(last)
      ? RESOURCES
      : ['labels', 'matchLabels', 'nodeSelector'].includes(last)
        ? [...labelKeys(around.texts), ...(last === 'matchLabels' ? [] : LABELS)]
        : [];
    return words(known.filter((name) => !siblings.has(name)), 'property').map((one) => ({ ...one, apply: `${one.label}: ` }));
  }
  // A plain item of a list.
  return valuesOf(cursor, last === '[]' ? (path.at(-2) ?? '') : last, type, schema, around);
}

function pluginNames(path: string[], { plugins }: Around): Proposal[] {
  const point = path.find((segment) => POINTS.includes(segment));
  const works = (points: string[]) => !point || point === 'multiPoint' || points.some((one) => one.toLowerCase() === point.toLowerCase());
  const named = plugins.filter(({ points }) => works(points)).map(({ name, points }): Proposal => ({ label: name, apply: name, kind: 'enum', detail: points.join(', ') }));
  return path.includes('disabled') ? [...named, { label: '*', apply: '"*"', kind: 'enum', detail: 'all of them' }] : named;
}

function valuesOf(cursor: Cursor, key: string, type: FieldType | null, schema: Schema, around: Around): Proposal[] {
  const { kind, path } = cursor;
  const owner = schema.nameAt(kind, path);
  const { texts } = around;
  if (path.length === 0 && key === 'kind') return words(schema.kinds().filter(KINDS_IN[around.editor]), 'class').map((one) => ({ ...one, detail: schema.apiVersion(one.label) }));
  if (path.length === 0 && key === 'apiVersion') {
    return words(kind ? [schema.apiVersion(kind)].filter(Boolean) : schema.kinds().filter(KINDS_IN[around.editor]).map((one) => schema.apiVersion(one)));
  }
  const listed = VALUES[`${owner}.${key}`] ?? VALUES[key];
  if (listed) return words(listed);
  if (owner === 'Plugin' || owner === 'PluginConfig') return key === 'name' ? pluginNames(path, around) : [];
  if (owner === 'Resource' && key === 'name') return words(RESOURCES);
  if (owner === 'Step' && key === 'kind') return words(['Pod', 'Node'], 'class');
  if (owner === 'Step' && key === 'name') return words([...namesOf(texts, 'Pod'), ...namesOf(texts, 'Node')], 'variable');
  if (key === 'topologyKey') return words([...labelKeys(texts, 'Node'), ...LABELS.slice(0, 3)], 'variable');
  if (key === 'key' && owner === 'NodeSelectorRequirement') return words([...labelKeys(texts, 'Node'), ...LABELS], 'variable');
  if (key === 'key' && owner === 'LabelSelectorRequirement') return words(labelKeys(texts, 'Pod'), 'variable');
  if (key === 'matchLabelKeys' || key === 'mismatchLabelKeys') return words(labelKeys(texts, 'Pod'), 'variable');
  if (key === 'nodeName') return words(namesOf(texts, 'Node'), 'variable');
  if (key === 'priorityClassName') return words([...namesOf(texts, 'PriorityClass'), 'system-cluster-critical', 'system-node-critical'], 'variable');
  if (key === 'storageClassName') return words(namesOf(texts, 'StorageClass'), 'variable');
  if (key === 'claimName') return words(namesOf(texts, 'PersistentVolumeClaim'), 'variable');
  if (key === 'volumeName') return words(namesOf(texts, 'PersistentVolume'), 'variable');
  if (key === 'schedulerName' && owner === 'PodSpec') {
    return words(['default-scheduler', ...[...texts.scheduler.matchAll(/schedulerName: *([^\s#]+)/g)].map((match) => match[1] ?? '')], 'variable');
  }
  if (type?.is === 'bool') return words(['true', 'false']);
  return [];
}

export function propose(cursor: Cursor, schema: Schema, around: Around): Proposal[] {
  const { kind, path, key, mode } = cursor;
  if (mode === 'value') return valuesOf(cursor, key, schema.typeAt(kind, [...path, key]), schema, around);
  return keys(cursor, schema, around);
}

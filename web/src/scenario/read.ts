// From what people write (Kubernetes manifests, a KubeSchedulerConfiguration, an optional Timeline) to the canonical
// scenario, with a way back from every JSON pointer to the text behind it.

import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Parse } from './memo';
import { EDITORS, type EditorName, type JsonObject, LIMITS, type Place, type Scenario, type TextIssue, type Texts } from './types';
import { type ParsedDocument, parseYaml, type Problem } from './yaml';

export const RELEASE = 'v1.37';

interface Origin {
  editor: EditorName;
  document: ParsedDocument;
  node: unknown;
}

interface Item extends Origin {
  value: JsonObject;
}

export class Reading {
  scenario: Scenario;
  issues: TextIssue[] = [];
  private readonly origins = new Map<string, Origin>();

  constructor(name: string) {
    this.scenario = { name, release: RELEASE, objects: [], steps: [] };
  }

  // Whether there is a scenario to load: the issues hold no error.
  get ok(): boolean {
    return !this.issues.some((issue) => issue.severity === 'error');
  }

  setOrigin(pointer: string, origin: Origin): void {
    this.origins.set(pointer, origin);
  }

  // The text behind a pointer, or behind the nearest thing above it that was written; null if nothing was.
  locate(pointer: string): Place | null {
    const segments = pointer.split('/').slice(1).map(unescape);
    for (let length = Math.min(segments.length, 3); length > 0; length--) {
      const origin = this.origins.get(`/${segments.slice(0, length).map(escape).join('/')}`);
      if (origin) return place(origin, segments.slice(length));
    }
    return null;
  }

  // The document that wrote an object, by "Kind" and "namespace/name" (no namespace for nodes).
  find(kind: string, key: string): string | null {
    const match = (object: unknown) => isKey(object as JsonObject, kind, key);
    const index = this.scenario.objects.findIndex(match);
    if (index >= 0) return `/objects/${index}`;
    const step = this.scenario.steps.findIndex((s) => s.op === 'create' && match(s.object));
    return step >= 0 ? `/steps/${step}/object` : null;
  }

  add(origin: Origin, severity: TextIssue['severity'], message: string, path: string[] = []): void {
    if (this.issues.length < LIMITS.issues) this.issues.push({ ...place(origin, path), severity, message });
  }
}

const escape = (segment: string) => segment.replaceAll('~', '~0').replaceAll('/', '~1');
const unescape = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~');

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function metadata(object: JsonObject): JsonObject {
  return isObject(object.metadata) ? object.metadata : {};
}

export function objectKey(object: JsonObject): string {
  const { name, namespace } = metadata(object);
  return CLUSTER_KINDS.has(text(object.kind)) ? text(name) : `${text(namespace) || 'default'}/${text(name)}`;
}

const CLUSTER_KINDS = new Set(['Node', 'Namespace', 'PriorityClass', 'StorageClass', 'PersistentVolume', 'CSINode', 'CSIDriver', 'NodePool']);

function isKey(object: unknown, kind: string, key: string): boolean {
  return isObject(object) && object.kind === kind && objectKey(object) === key;
}

function place(origin: Origin, path: string[]): Place {
  let node: unknown = origin.node;
  let range = rangeOf(node);
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(origin.document.document);
    if (isMap(node)) {
      const pair = node.items.find((item) => (isScalar(item.key) ? String(item.key.value) : '') === segment);
      if (!pair) break;
      node = pair.value;
      // A mapping or a list is shown by its key; a plain value by itself.
      range = (isScalar(node) ? rangeOf(node) : null) ?? rangeOf(pair.key) ?? range;
    } else if (isSeq(node)) {
      const item = node.items[Number(segment)];
      if (item === undefined) break;
      node = item;
      range = firstLine(node) ?? range;
    } else {
      break;
    }
  }
  const [from, to] = path.length === 0 ? (firstLine(node) ?? [0, 0]) : (range ?? [0, 0]);
  return { editor: origin.editor, from, to };
}

function rangeOf(node: unknown): [number, number] | null {
  const range = (node as { range?: [number, number, number] | null } | null)?.range;
  return range ? [range[0], range[1]] : null;
}

// Of a mapping only its first entry: underlining a whole document helps nobody.
function firstLine(node: unknown): [number, number] | null {
  if (isMap(node) && node.items[0]) {
    const { key, value } = node.items[0];
    const from = rangeOf(key);
    const to = isScalar(value) ? rangeOf(value) : from;
    if (from) return [from[0], Math.max(from[1], to?.[1] ?? 0)];
  }
  return rangeOf(node);
}

function flatten(item: Origin & { value: unknown }, reading: Reading, out: Item[], depth = 0): void {
  const { value } = item;
  if (value === null || value === undefined) return;
  if (!isObject(value)) {
    reading.add(item, 'error', 'a document must be a mapping with apiVersion and kind');
    return;
  }
  const kind = text(value.kind);
  if (/List$/.test(kind) && Array.isArray(value.items) && depth < 3) {
    const list = nodeAt(item, 'items');
    value.items.forEach((entry, index) => {
      const node = isSeq(list) ? list.items[index] : item.node;
      let filled = entry;
      // kubectl leaves out kind and apiVersion of the entries of a PodList; the list says them.
      if (isObject(entry) && entry.kind === undefined && kind !== 'List') {
        filled = { apiVersion: value.apiVersion ?? 'v1', kind: kind.slice(0, -4), ...entry };
      }
      flatten({ ...item, node, value: filled }, reading, out, depth + 1);
    });
    return;
  }
  if (!kind || !text(value.apiVersion)) {
    reading.add(item, 'error', `${kind ? 'apiVersion' : 'kind'} is missing`);
    return;
  }
  out.push({ ...item, value });
}

function nodeAt(item: Origin, key: string): unknown {
  let node = item.node;
  if (isAlias(node)) node = node.resolve(item.document.document);
  if (!isMap(node)) return null;
  const pair = node.items.find((entry) => isScalar(entry.key) && entry.key.value === key);
  return pair?.value ?? null;
}

function pendingPod(object: JsonObject): boolean {
  if (object.kind !== 'Pod') return false;
  return !(isObject(object.spec) && text(object.spec.nodeName));
}

// A pod that was copied and renamed keeps its uid, by which the scheduler knows pods; an API server would give it another.
function noteTwins(items: Item[], reading: Reading): void {
  const owners = new Map<string, string>();
  for (const item of items) {
    const uid = item.value.kind === 'Pod' ? text(metadata(item.value).uid) : '';
    if (!uid) continue;
    const other = owners.get(uid);
    if (other === undefined) owners.set(uid, objectKey(item.value));
    else if (other !== objectKey(item.value)) {
      reading.add(item, 'warning', `the pod ${other} has the same uid, so the scheduler takes the two for one; remove this line`, ['metadata', 'uid']);
    }
  }
}

// Workloads of which the simulated controllers make pods, and those that nobody looks after here.
const WORKLOADS = ['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet', 'DaemonSet', 'Job'];
const UNATTENDED = ['CronJob'];

const namespaceOf = (item: Item) => text(metadata(item.value).namespace) || 'default';

function ownersOf(item: Item): JsonObject[] {
  const { ownerReferences } = metadata(item.value);
  return Array.isArray(ownerReferences) ? ownerReferences.filter(isObject) : [];
}

// Whether any of the objects says that it belongs to `owner`.
function hasDependents(owner: Item, items: Item[]): boolean {
  const { name, uid } = metadata(owner.value);
  const same = (ref: JsonObject) =>
    ref.kind === owner.value.kind && ref.name === name && (!text(uid) || !text(ref.uid) || ref.uid === uid);
  return items.some((item) => namespaceOf(item) === namespaceOf(owner) && ownersOf(item).some(same));
}

// Pods of a Deployment that came without its ReplicaSet: no controller would know them, and would make all of them anew.
function isTorn(deployment: Item, items: Item[]): boolean {
  if (deployment.value.kind !== 'Deployment' || hasDependents(deployment, items)) return false;
  const prefix = `${text(metadata(deployment.value).name)}-`;
  const ofSet = (ref: JsonObject) => ref.kind === 'ReplicaSet' && /^[a-z0-9]+$/.test(text(ref.name).replace(prefix, ''));
  return items.some(
    (item) => item.value.kind === 'Pod' && namespaceOf(item) === namespaceOf(deployment) &&
      ownersOf(item).some((ref) => text(ref.name).startsWith(prefix) && ofSet(ref)),
  );
}

// Workloads whose pods are still to be made: they came without them.
function unfilled(items: Item[]): Item[] {
  const empty = (item: Item) => isObject(item.value.spec) && item.value.spec.replicas === 0;
  return items.filter((item) => WORKLOADS.includes(text(item.value.kind)) && !empty(item) && !hasDependents(item, items));
}

// Controllers run if there is something for them to do, unless the Timeline says otherwise. A cluster that was pasted
// with ReplicaSets and their pods stays as it is.
function wantControllers(items: Item[], timeline: Item | undefined): boolean {
  const said = timeline?.value.controllers;
  if (typeof said === 'boolean') return said;
  if (items.some((item) => isTorn(item, items))) return false;
  return items.some((item) => ['Deployment', 'DaemonSet', 'Job'].includes(text(item.value.kind))) || unfilled(items).length > 0;
}

// A workload that came without its pods and of which nobody makes any does nothing, which is better said than seen.
function noteIdle(items: Item[], controllers: boolean, reading: Reading): void {
  const idle = items.filter(
    (item) => UNATTENDED.includes(text(item.value.kind)) && !(isObject(item.value.spec) && item.value.spec.replicas === 0),
  );
  for (const item of idle.filter((owner) => !hasDependents(owner, items)).slice(0, 10)) {
    const kind = text(item.value.kind);
    reading.add(item, 'warning', `no controller for a ${kind} runs here, so it makes no pods; paste the pods themselves`, ['kind']);
  }
  if (controllers) return;
  for (const item of unfilled(items).slice(0, 10)) {
    if (isTorn(item, items)) {
      reading.add(item, 'info', 'its pods are here without its ReplicaSet, so the controllers are off; paste the ReplicaSet too', ['kind']);
      continue;
    }
    reading.add(item, 'warning', `the controllers are off, so this ${text(item.value.kind)} makes no pods`, ['kind']);
  }
}

const OPS = ['create', 'update', 'delete', 'advance', 'step', 'settle'];

// `extra` steps come after those of the timeline: what the user let happen later.
export function readScenario(texts: Texts, name = 'scenario', extra: JsonObject[] = [], parse: Parse = (_, text, problems) => parseYaml(text, problems)): Reading {
  const reading = new Reading(name);
  const items: Item[] = [];
  for (const editor of EDITORS) {
    const problems: Problem[] = [];
    const documents = parse(editor, texts[editor] ?? '', problems);
    // First what is wrong with the text: what is missing in the documents may be missing because of it.
    for (const problem of problems) {
      if (reading.issues.length < LIMITS.issues) reading.issues.push({ ...problem, editor });
    }
    for (const document of documents) flatten({ editor, document, node: document.root, value: document.value }, reading, items);
  }

  noteTwins(items, reading);

  let timeline: Item | null = null;
  const objects: Item[] = [];
  const seen = new Map<string, Item>();
  for (const item of items) {
    const kind = text(item.value.kind);
    const version = text(item.value.apiVersion);
    if (kind === 'Timeline' && version.startsWith('podberth/')) {
      if (version !== 'podberth/v1') reading.add(item, 'error', `Timeline: ${version} is not known here, podberth/v1 is`, ['apiVersion']);
      else if (timeline) reading.add(item, 'error', 'there is a Timeline already', ['kind']);
      else timeline = item;
    } else if (kind === 'KubeSchedulerConfiguration') {
      if (reading.scenario.config) {
        reading.add(item, 'error', 'there is a KubeSchedulerConfiguration already', ['kind']);
      } else {
        reading.scenario.config = item.value;
        reading.setOrigin('/config', item);
      }
    } else if (kind === 'Extender' && version.startsWith('podberth/')) {
      // What it says is checked with the rest of the scenario.
      reading.scenario.extenders ??= [];
      reading.setOrigin(`/extenders/${reading.scenario.extenders.length}`, item);
      reading.scenario.extenders.push(item.value);
    } else if (kind === 'SamplePlugins' && version.startsWith('podberth/')) {
      readSamplePlugins(item, reading);
    } else {
      const key = `${kind} ${objectKey(item.value)}`;
      if (seen.has(key) && text(metadata(item.value).name)) {
        reading.add(item, 'error', `${kind} "${objectKey(item.value)}" is defined twice`, ['metadata', 'name']);
      }
      seen.set(key, item);
      objects.push(item);
    }
  }

  const controllers = wantControllers(objects, timeline ?? undefined);
  if (controllers) reading.scenario.controllers = true;
  noteIdle(objects, controllers, reading);
  const unborn = new Set(controllers ? unfilled(objects) : []);

  const later = new Set<Item>();
  const steps: { step: JsonObject; origin?: Item; object?: Item }[] = [];
  if (timeline) {
    readTimeline(timeline, objects, reading, later, steps);
  } else {
    for (const item of objects) {
      if (!pendingPod(item.value) && !unborn.has(item)) continue;
      later.add(item);
      steps.push({ step: { op: 'create', object: item.value }, object: item });
    }
    steps.push({ step: { op: 'settle' } });
  }
  for (const step of extra) steps.push({ step });

  for (const item of objects) {
    if (later.has(item)) continue;
    reading.setOrigin(`/objects/${reading.scenario.objects.length}`, item);
    reading.scenario.objects.push(item.value);
  }
  for (const { step, origin, object } of steps) {
    const pointer = `/steps/${reading.scenario.steps.length}`;
    if (origin) reading.setOrigin(pointer, origin);
    if (object) reading.setOrigin(`${pointer}/object`, object);
    reading.scenario.steps.push(step);
  }
  return reading;
}

// A document without fields: that it is there says it all.
function readSamplePlugins(item: Item, reading: Reading): void {
  if (item.value.apiVersion !== 'podberth/v1') {
    reading.add(item, 'error', `SamplePlugins: ${text(item.value.apiVersion)} is not known here, podberth/v1 is`, ['apiVersion']);
  }
  for (const field of Object.keys(item.value)) {
    if (!['apiVersion', 'kind', 'metadata'].includes(field)) reading.add(item, 'error', 'unknown field: SamplePlugins has none', [field]);
  }
  reading.scenario.samplePlugins = true;
}

function readTimeline(
  timeline: Item,
  objects: Item[],
  reading: Reading,
  later: Set<Item>,
  out: { step: JsonObject; origin?: Item; object?: Item }[],
): void {
  const { controllers } = timeline.value;
  if (controllers !== undefined && typeof controllers !== 'boolean') {
    reading.add(timeline, 'error', 'controllers must be true or false', ['controllers']);
  }
  if (isObject(timeline.value.featureGates)) reading.scenario.featureGates = timeline.value.featureGates;
  const steps = timeline.value.steps;
  if (!Array.isArray(steps)) {
    reading.add(timeline, 'error', 'a Timeline needs a list of steps', ['steps']);
    return;
  }
  const list = nodeAt(timeline, 'steps');
  steps.forEach((step, index) => {
    const origin: Item = { ...timeline, node: isSeq(list) ? list.items[index] : timeline.node, value: isObject(step) ? step : {} };
    if (!isObject(step) || !OPS.includes(text(step.op))) {
      reading.add(origin, 'error', `a step needs an op: ${OPS.join(', ')}`, ['op']);
      return;
    }
    if (step.op === 'advance' && !(typeof step.seconds === 'number' && step.seconds > 0)) {
      reading.add(origin, 'error', 'advance needs seconds, a number above 0', ['seconds']);
      return;
    }
    // A step may name a document of the editors instead of holding the object itself.
    if (step.op === 'create' && step.object === undefined && text(step.kind)) {
      const key = CLUSTER_KINDS.has(text(step.kind)) ? text(step.name) : `${text(step.namespace) || 'default'}/${text(step.name)}`;
      const named = objects.find((item) => isKey(item.value, text(step.kind), key));
      if (!named) {
        reading.add(origin, 'error', `there is no ${text(step.kind)} "${key}" in the editors`, ['name']);
        return;
      }
      later.add(named);
      out.push({ step: { op: 'create', object: named.value }, origin, object: named });
      return;
    }
    out.push({ step, origin });
  });
}

// How pods and amounts look. A pod keeps its colour and its shape everywhere: both come from its group.

const SHAPES = ['circle', 'square', 'diamond', 'triangle'] as const;
export type Shape = (typeof SHAPES)[number];
export const HUES = 8;

function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

export function lookOf(group: string): { hue: number; shape: Shape } {
  const h = hash(group);
  return { hue: h % HUES, shape: SHAPES[(h >>> 8) % SHAPES.length] ?? 'circle' };
}

// Pods of the namespace "default" go by their name alone.
export function shortName(pod: string): string {
  return pod.startsWith('default/') ? pod.slice(8) : pod;
}

// A name for a narrow place. Pods of one owner differ at the end of their names, so the middle is what can be spared.
export function fitName(pod: string, width: number): string {
  const name = pod.slice(pod.indexOf('/') + 1);
  const room = Math.max(5, Math.floor(width / 7.6));
  if (name.length <= room) return name;
  const tail = Math.min(6, Math.floor((room - 1) / 2));
  return `${name.slice(0, room - 1 - tail)}…${name.slice(-tail)}`;
}

// What a pod is known by if the frame does not know its group: the name without the parts that make it one of many.
export function groupOf(pod: string, group: string | undefined): string {
  return group && group !== 'app=' ? group : pod.replace(/(-[a-z0-9]{5,10})?-[a-z0-9]{1,5}$/, '');
}

// The pod that an accepted operation has just created, while the scheduler has not heard of it yet.
export function arrivalOf(entry: Record<string, unknown> | null | undefined): string | undefined {
  const op = entry?.op as { op?: string; object?: { kind?: string; metadata?: { name?: string; namespace?: string }; spec?: { nodeName?: string } } } | undefined;
  if (entry?.type !== 'op' || entry.rejected || op?.op !== 'create' || op.object?.kind !== 'Pod' || op.object.spec?.nodeName) return undefined;
  const { name, namespace } = op.object.metadata ?? {};
  return name ? `${namespace ?? 'default'}/${name}` : undefined;
}

const GLOSSES: Record<string, string> = {
  PreEnqueue: 'Before a pod may enter activeQ, plugins can hold it back.',
  PreFilter: 'Out of activeQ: before any node is looked at, each plugin prepares for this pod.',
  Filter: 'Which nodes are possible at all? Each plugin can rule a node out.',
  'Extender filter': 'Servers beside the scheduler may rule out nodes that every plugin lets pass.',
  'Extender prioritize': 'Servers beside the scheduler give each node 0 to 10; times 10 and their weight, it is added up.',
  'Extender preempt': 'Servers beside the scheduler may save pods from eviction.',
  PostFilter: 'No node is possible. Would evicting pods of lower priority help?',
  PreScore: 'More than one node is possible. Each plugin prepares to compare them.',
  Score: 'Each plugin gives each node 0 to 100 points; times the weights, they are added up.',
  Reserve: 'The room on the chosen node is set aside; the next pod counts with what is left.',
  Permit: 'A last chance for a plugin to stop the pod or to make it wait.',
  WaitOnPermit: 'The pod waits until every plugin has let it go on.',
  PreBind: 'Volumes and the like are made ready; meanwhile the next pod can be scheduled.',
  Bind: 'The name of the node is written into the pod; now the kubelet takes over.',
  PostBind: 'The pod has its node; plugins may clean up.',
};

// What an extension point is for, in one sentence.
export function glossOf(point: string): string {
  return Object.hasOwn(GLOSSES, point) ? (GLOSSES[point] ?? '') : '';
}

export function amount(resource: string, value: number): string {
  if (resource === 'cpu') return value % 1000 === 0 ? String(value / 1000) : value < 1000 ? `${value}m` : String(Math.round(value / 10) / 100);
  if (resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-')) return bytes(value);
  return String(value);
}

export function bytes(value: number): string {
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];
  let unit = 0;
  let rest = value;
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit++;
  }
  return `${Math.round(rest * 10) / 10}${units[unit]}`;
}

export function seconds(value: number): string {
  if (value >= 3600) return `${Math.floor(value / 3600)} h ${Math.floor((value % 3600) / 60)} min`;
  if (value >= 100) return `${Math.floor(value / 60)} min ${Math.floor(value % 60)} s`;
  if (value >= 10) return `${value.toFixed(1)} s`;
  return `${value.toFixed(3)} s`;
}

export function left(value: number): string {
  return value < 0.05 ? 'due' : `${value < 10 ? value.toFixed(1) : Math.round(value)} s left`;
}

// A mark and a word for the outcome of an extension point or of a plugin.
export function outcome(code: string): { mark: string; word: string; tone: 'good' | 'bad' | 'wait' | 'none' } {
  switch (code) {
    case 'Success':
      return { mark: '✓', word: 'passed', tone: 'good' };
    case 'Skip':
      return { mark: '–', word: 'skipped', tone: 'none' };
    case 'Wait':
    case 'Pending':
      return { mark: '◔', word: 'waits', tone: 'wait' };
    case 'Unschedulable':
    case 'UnschedulableAndUnresolvable':
      return { mark: '✗', word: 'rejected', tone: 'bad' };
    case 'Error':
      return { mark: '!', word: 'error', tone: 'bad' };
    default:
      return { mark: code ? '·' : '', word: code || 'not reached', tone: 'none' };
  }
}

// What differs between two runs of one scenario.

import { shortName } from '../board/look';
import type { Decision } from '../engine/decisions';
import type { NodeView, PodView } from '../engine/door';

export interface Outcome {
  decisions: Decision[];
  pods: ReadonlyMap<string, PodView>; // at the end
  nodes: NodeView[];
}

export interface Landing {
  pod: string;
  left: string; // the node at the end; "" if none
  right: string;
  differs: boolean;
  tries: [number, number]; // how often it was tried, left and right
}

// Where every pod that was tried is at the end; those that landed elsewhere come first, then those that were tried more
// often in one run than in the other.
export function landings(left: Outcome, right: Outcome): Landing[] {
  const count = ({ decisions }: Outcome, name: string) => decisions.filter(({ pod }) => pod === name).length;
  const tried = new Set([...left.decisions, ...right.decisions].map(({ pod }) => pod));
  const all = [...tried].map((pod): Landing => {
    const [a, b] = [left.pods.get(pod), right.pods.get(pod)];
    return { pod, left: a?.node ?? '', right: b?.node ?? '', differs: (a === undefined) !== (b === undefined) || (a?.node ?? '') !== (b?.node ?? ''), tries: [count(left, pod), count(right, pod)] };
  });
  const rank = ({ differs, tries: [a, b] }: Landing) => (differs ? 0 : a === b ? 2 : 1);
  return all.sort((a, b) => rank(a) - rank(b));
}

export interface Parting {
  index: number; // of the attempt, counted over all pods from 0
  left: Decision | null; // null: that run has no such attempt any more
  right: Decision | null;
}

// The first attempt at which the two do not do the same.
export function partingOf(left: Decision[], right: Decision[]): Parting | null {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [a, b] = [left[index] ?? null, right[index] ?? null];
    if (a?.pod !== b?.pod || a?.host !== b?.host) return { index, left: a, right: b };
  }
  return null;
}

export function ordinal(n: number): string {
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[n % 10] ?? 'th');
  return `${n}${suffix}`;
}

function outcomeOf(decision: Decision): string {
  if (!decision.host) return 'no node';
  return decision.total === null ? decision.host : `${decision.host} (${decision.total} points)`;
}

export function partingText({ index, left, right }: Parting): string {
  if (!left || !right) {
    const more = left ?? right;
    return `after ${index} ${index === 1 ? 'attempt' : 'attempts'} in common the run on the ${left ? 'left' : 'right'} tries ${shortName(more?.pod ?? '')} once more`;
  }
  if (left.pod !== right.pod) return `the ${ordinal(index + 1)} attempt is for ${shortName(left.pod)} on the left, for ${shortName(right.pod)} on the right`;
  return `they part at the ${ordinal(left.attempt)} attempt of ${shortName(left.pod)}: ${outcomeOf(left)} on the left, ${outcomeOf(right)} on the right`;
}

const every = (n: number) => (n === 1 ? 'the pod' : n === 2 ? 'both pods' : `all ${n} pods`);
const pods = (n: number) => `${n} ${n === 1 ? 'pod' : 'pods'}`;

export function summaryOf(left: Outcome, right: Outcome): string {
  const all = landings(left, right);
  const elsewhere = all.filter(({ differs }) => differs).length;
  const parting = partingOf(left.decisions, right.decisions);
  if (all.length === 0) return 'No pod was tried in either run.';
  if (!parting && elsewhere === 0) return `No difference: ${every(all.length)} ${all.length === 1 ? 'takes' : 'take'} the same way, attempt by attempt.`;
  const land = elsewhere === 0 ? `In the end ${every(all.length)} ${all.length === 1 ? 'lands on the same node' : 'land on the same nodes'}` : all.length === 1 ? 'The pod lands elsewhere' : `${elsewhere} of ${pods(all.length)} ${elsewhere === 1 ? 'lands' : 'land'} elsewhere`;
  return parting ? `${land}; ${partingText(parting)}.` : `${land}, by the same decisions.`;
}

// How full a node is at the end of both runs, in parts of what it has.
export interface Fullness {
  node: string;
  cpu: [number, number];
  memory: [number, number];
  pods: [number, number];
}

export function fullness(left: NodeView[], right: NodeView[]): Fullness[] {
  const share = (node: NodeView | undefined, name: string) => (node?.allocatable[name] ? (node.requested[name] ?? 0) / node.allocatable[name] : 0);
  const names = [...new Set([...left, ...right].map(({ name }) => name))];
  return names.map((node) => {
    const [a, b] = [left.find(({ name }) => name === node), right.find(({ name }) => name === node)];
    return { node, cpu: [share(a, 'cpu'), share(b, 'cpu')], memory: [share(a, 'memory'), share(b, 'memory')], pods: [a?.pods.length ?? 0, b?.pods.length ?? 0] };
  });
}

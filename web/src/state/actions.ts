// What can be done to the cluster from the board, as operations of the API.

import type { Op } from '../engine/door';
import type { JsonObject } from '../scenario/types';
import { objectAt, type Plan } from './fork';

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export function deletePod(key: string): Op {
  const slash = key.indexOf('/');
  return { op: 'delete', kind: 'Pod', namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

export function deleteNode(name: string): Op {
  return { op: 'delete', kind: 'Node', name };
}

// A node with another spec; null if its manifest is not known.
function changeNode(plan: Plan, operation: number, name: string, change: (spec: JsonObject) => void): Op | null {
  const node = objectAt(plan, 'Node', name, operation);
  if (!node) return null;
  const object = copy(node);
  const spec = (object.spec ?? {}) as JsonObject;
  change(spec);
  object.spec = spec;
  return { op: 'update', object };
}

export function cordon(plan: Plan, operation: number, name: string, on: boolean): Op | null {
  return changeNode(plan, operation, name, (spec) => {
    if (on) spec.unschedulable = true;
    else delete spec.unschedulable;
  });
}

// As kubectl drain does it: first nothing more may come, then the pods go. No controller brings them back here.
export function drain(plan: Plan, operation: number, name: string, pods: string[]): Op[] {
  const first = cordon(plan, operation, name, true);
  return [...(first ? [first] : []), ...pods.map(deletePod)];
}

const taints = (spec: JsonObject) => (Array.isArray(spec.taints) ? spec.taints : []) as JsonObject[];
const sameTaint = (a: JsonObject, b: JsonObject) => a.key === b.key && a.effect === b.effect;

export function taint(plan: Plan, operation: number, name: string, added: JsonObject): Op | null {
  return changeNode(plan, operation, name, (spec) => {
    spec.taints = [...taints(spec).filter((one) => !sameTaint(one, added)), added];
  });
}

export function untaint(plan: Plan, operation: number, name: string, removed: JsonObject): Op | null {
  return changeNode(plan, operation, name, (spec) => {
    spec.taints = taints(spec).filter((one) => !sameTaint(one, removed));
  });
}

export function taintsOf(plan: Plan, operation: number, name: string): JsonObject[] {
  const spec = objectAt(plan, 'Node', name, operation)?.spec;
  return typeof spec === 'object' && spec !== null && !Array.isArray(spec) ? taints(spec) : [];
}

// A pod as somebody would write it who wants another one like `model`: without what a cluster has added to it.
export function podLike(model: JsonObject | null, name: string): JsonObject {
  const plain: JsonObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'main', image: 'registry.example/app:1', resources: { requests: { cpu: '500m', memory: '256Mi' } } }] },
  };
  if (!model) return plain;
  const object = copy(model);
  const { namespace, labels, annotations, ownerReferences } = (object.metadata ?? {}) as JsonObject;
  const kept = Object.entries({ namespace, labels, annotations, ownerReferences }).filter(([, value]) => value !== undefined);
  const spec = { ...((object.spec ?? {}) as JsonObject) };
  delete spec.nodeName;
  return { apiVersion: 'v1', kind: 'Pod', metadata: Object.fromEntries([['name', name], ...kept]) as JsonObject, spec };
}

// An object that is to be changed: what it was created from, on the node where it is by now.
export function asItIs(object: JsonObject, node: string): JsonObject {
  const out = copy(object);
  if (out.kind === 'Pod' && node) out.spec = { ...((out.spec ?? {}) as JsonObject), nodeName: node };
  return out;
}

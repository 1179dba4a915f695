// A run that leaves the scenario as written: at some step something else is done, and then the rest goes on. What was up
// to the step stays as it was.

import type { Op } from '../engine/door';
import { objectKey } from '../scenario/read';
import type { JsonObject } from '../scenario/types';

export interface Fork {
  at: number; // the step of the run (with the forks before this one) after which the operations happen
  ops: Op[];
}

// What is being run: the objects that were there before, and the steps with the forks among them.
export interface Plan {
  objects: JsonObject[];
  steps: JsonObject[];
}

const lets = (step: JsonObject) => step.op === 'settle' || step.op === 'step' || step.op === 'advance';

// What is still to come after a step of the run that belongs to the plan's step `operation` (-1: the start). A settle
// that was cut goes on.
export function restAfter(steps: JsonObject[], operation: number, atEnd: boolean): JsonObject[] {
  if (atEnd) return [];
  const rest = steps.slice(operation + 1);
  return steps[operation]?.op === 'settle' ? [{ op: 'settle' }, ...rest] : rest;
}

// After what is done the scheduler has to have a chance, or nothing would come of it.
export function withChance(ops: Op[], rest: JsonObject[]): Op[] {
  return rest.some(lets) ? ops : [...ops, { op: 'settle' }];
}

// The plan's steps once a fork is in: those up to `operation` stay, and `op` comes behind them. Of a settle that was cut
// the `cut` cycles stay that were run, one step each.
export function forkedSteps(steps: JsonObject[], operation: number, cut: number, op: Op, after: JsonObject[]): JsonObject[] {
  const head = cut > 0 ? [...steps.slice(0, operation), ...Array.from({ length: cut }, () => ({ op: 'step' }))] : steps.slice(0, operation + 1);
  return [...head, op as JsonObject, ...after];
}

// An object as it is once the plan's step `operation` is done; null if it is not there (any more).
export function objectAt(plan: Plan, kind: string, key: string, operation: number): JsonObject | null {
  const is = (object: unknown) => (object as JsonObject | undefined)?.kind === kind && objectKey(object as JsonObject) === key;
  let found: JsonObject | null = plan.objects.find(is) ?? null;
  for (const step of plan.steps.slice(0, operation + 1)) {
    if ((step.op === 'create' || step.op === 'update') && is(step.object)) found = step.object as JsonObject;
    if (step.op === 'delete' && step.kind === kind && objectKey({ kind, metadata: { name: step.name ?? '', namespace: step.namespace ?? '' } }) === key) found = null;
  }
  return found;
}

// The first names that are free: web-2 after web-1, big-2 after big.
export function freeName(name: string, taken: (name: string) => boolean): string {
  const match = /^(.*?)-?(\d+)$/.exec(name);
  const stem = match?.[1] || name;
  for (let n = match ? Number(match[2]) + 1 : 2; ; n++) {
    const next = `${stem}-${n}`;
    if (!taken(next)) return next;
  }
}

// "key=value:Effect" as kubectl taint takes it; null if it is not of that form.
export function readTaint(text: string): JsonObject | null {
  const match = /^([A-Za-z0-9][\w./-]*)(?:=([\w.-]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(text.trim());
  if (!match) return null;
  return match[2] ? { key: match[1] ?? '', value: match[2], effect: match[3] ?? '' } : { key: match[1] ?? '', effect: match[3] ?? '' };
}

// A step of a scenario in words.

import type { JsonObject } from './types';

export function operationText(step: JsonObject): string {
  const object = step.object as { kind?: string; metadata?: { name?: string } } | undefined;
  switch (step.op) {
    case 'advance':
      return `let ${String(step.seconds)} s pass`;
    case 'delete':
      return `delete ${String(step.kind)} ${String(step.name)}`;
    case 'step':
      return 'one scheduling cycle';
    case 'settle':
      return 'schedule until nothing is left to try';
    default:
      return `${String(step.op)} ${object?.kind ?? ''} ${object?.metadata?.name ?? ''}`;
  }
}

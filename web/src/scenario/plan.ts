// A scenario as it is run, written as manifests again.

import { stringify } from 'yaml';
import { joinDocuments } from './split';
import type { JsonObject } from './types';

const write = (object: unknown) => stringify(object, { lineWidth: 0, indentSeq: false, version: '1.1', aliasDuplicateObjects: false });

// The configuration stays the text that it is.
export function planDocuments(plan: { objects: JsonObject[]; steps: JsonObject[]; featureGates?: JsonObject }, scheduler: string): string {
  const timeline: JsonObject = { apiVersion: 'podberth/v1', kind: 'Timeline' };
  if (plan.featureGates) timeline.featureGates = plan.featureGates;
  timeline.steps = plan.steps;
  return joinDocuments({ cluster: plan.objects.map(write).join('---\n'), pods: write(timeline), scheduler });
}

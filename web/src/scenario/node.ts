// For the command line: YAML text in, canonical scenario out.

import { splitDocuments } from './split';
import { readScenario } from './read';
import type { Scenario } from './types';

export interface ReadResult {
  scenario: Scenario;
  issues: { severity: string; line: number; column: number; message: string }[];
}

// Everything may stand in one file, so lines are those of that file.
export function readScenarioText(text: string, name: string): ReadResult {
  const reading = readScenario({ cluster: text, pods: '', scheduler: '' }, name);
  const issues = reading.issues.map(({ severity, from, message }) => {
    const before = text.slice(0, from).split('\n');
    return { severity, message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  });
  return { scenario: reading.scenario, issues };
}

export { readScenario, splitDocuments };

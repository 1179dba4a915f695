// For the command line: YAML text in, canonical scenario out.

import { splitDocuments } from './split';
import { readScenario } from './read';
import type { Scenario } from './types';

export interface ReadResult {
  scenario: Scenario;
  issues: { severity: string; line: number; message: string; editor: string }[];
  ok: boolean;
}

// Everything may stand in one file, so lines are those of that file.
export function readFile(text: string, name: string): ReadResult {
  const reading = readScenario({ cluster: text, pods: '', scheduler: '' }, name);
  const issues = reading.issues.map(({ severity, from, message, editor }) => ({
    severity,
    message,
    editor,
    line: text.slice(0, from).split('\n').length,
  }));
  return { scenario: reading.scenario, issues, ok: reading.ok };
}

export { readScenario, splitDocuments };

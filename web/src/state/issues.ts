// What was wrong with a scenario, put in order for the page.

import type { Issue } from '../engine/door';
import type { TextIssue } from '../scenario/types';

// "spec.containers[0].image: Required value", as the API server says it.
export function withField({ path, message }: Issue): string {
  const inside = path.replace(/^\/(objects\/\d+|steps\/\d+(\/object)?|config)/, '');
  const field = inside
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((whole, segment) => (/^\d+$/.test(segment) ? `${whole}[${segment}]` : whole ? `${whole}.${segment}` : segment), '');
  return field === '' || message.includes(field) ? message : `${field}: ${message}`;
}

// Errors first; of remarks that say the same about many objects one is enough.
export function mostUrgent(issues: Issue[], most: number): Issue[] {
  const said = new Set<string>();
  const heard = issues.filter(({ severity, message }) => severity !== 'info' || (!said.has(message) && said.add(message)));
  const of = (severity: Issue['severity']) => heard.filter((issue) => issue.severity === severity);
  return [...of('error'), ...of('warning'), ...of('info')].slice(0, most);
}

export function unique(issues: TextIssue[]): TextIssue[] {
  const seen = new Set<string>();
  return issues.filter((issue) => {
    const key = `${issue.editor} ${issue.from} ${issue.message}`;
    return !seen.has(key) && seen.add(key);
  });
}

export function uniqueIssues(issues: Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter((issue) => !seen.has(issue.message) && seen.add(issue.message));
}

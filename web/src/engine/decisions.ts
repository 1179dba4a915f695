// The decisions of a run, read from its trace.

export interface Decision {
  pod: string;
  attempt: number;
  host: string; // "" if the attempt failed
  total: number | null; // points of the host, if there was something to compare
  error: string;
}

interface Entry {
  type: string;
  pod?: string;
  host?: string;
  error?: string;
  scores?: Record<string, { total?: number }>;
}

export function readDecisions(trace: string): Decision[] {
  const attempts = new Map<string, number>();
  const out: Decision[] = [];
  for (const entry of (JSON.parse(trace) as { trace: Entry[] }).trace) {
    if (entry.type !== 'cycle' || !entry.pod) continue;
    const attempt = (attempts.get(entry.pod) ?? 0) + 1;
    attempts.set(entry.pod, attempt);
    const host = entry.host ?? '';
    out.push({ pod: entry.pod, attempt, host, total: entry.scores?.[host]?.total ?? null, error: entry.error ?? '' });
  }
  return out;
}

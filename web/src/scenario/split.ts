// One file of many documents, dealt out to the three editors without changing a character inside a document. Pods that
// already have a node belong to the cluster; workloads, which make pods, to the pods.

import type { Texts } from './types';

const SCHEDULER = /^kind:\s*["']?(KubeSchedulerConfiguration|Extender|SamplePlugins)\b/m;
const PODS = /^kind:\s*["']?(Pod|Timeline|Deployment|ReplicaSet|ReplicationController|StatefulSet|DaemonSet|Job)\b/m;

// What a document in JSON is; "" if it is not JSON.
function kindOfJson(part: string): { kind: string; placed: boolean } {
  if (!/^\s*\{/.test(part)) return { kind: '', placed: false };
  try {
    const { kind, spec } = JSON.parse(part) as { kind?: unknown; spec?: { nodeName?: unknown } | null };
    return { kind: String(kind ?? ''), placed: Boolean(spec?.nodeName) };
  } catch {
    return { kind: '', placed: false };
  }
}

export function splitDocuments(text: string): Texts {
  const parts: Record<keyof Texts, string[]> = { cluster: [], pods: [], scheduler: [] };
  for (const part of text.split(/^---[^\S\n]*\n/m)) {
    if (!part.trim()) continue;
    const json = kindOfJson(part);
    const head = json.kind ? `kind: ${json.kind}` : part;
    const waits = PODS.test(head) && !(json.kind ? json.placed : /^ +nodeName:/m.test(part));
    const editor = SCHEDULER.test(head) ? 'scheduler' : waits ? 'pods' : 'cluster';
    parts[editor].push(part.endsWith('\n') ? part : `${part}\n`);
  }
  return { cluster: parts.cluster.join('---\n'), pods: parts.pods.join('---\n'), scheduler: parts.scheduler.join('---\n') };
}

// The way back: one file that holds everything.
export function joinDocuments(texts: Texts): string {
  return [texts.cluster, texts.pods, texts.scheduler]
    .filter((part) => part.trim())
    .map((part) => (part.endsWith('\n') ? part : `${part}\n`))
    .join('---\n');
}

// Recorded runs of the real scheduler behind the door, for work on the page without the core. Never part of what is shipped.

import type { Door, Frame, NodeView, PodView } from '../src/engine/door';

const TRACES = import.meta.glob<string>('./traces/*.json', { query: '?raw', import: 'default', eager: true });

/* eslint-disable @typescript-eslint/no-explicit-any */
type Any = any;

function quantity(text: unknown, cpu: boolean): number {
  const match = /^([0-9.]+)([a-zA-Z]*)$/.exec(String(text ?? '0'));
  if (!match) return 0;
  const unit: Record<string, number> = { m: 0.001, Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3, k: 1e3, M: 1e6, G: 1e9 };
  const value = Number(match[1]) * (unit[match[2] ?? ''] ?? 1);
  return cpu ? Math.round(value * 1000) : Math.round(value);
}

class Session {
  frames: Frame[] = [];
  attempts: Any[] = [];

  constructor(scenario: Any) {
    const raw = Object.entries(TRACES).find(([path]) => path.endsWith(`/${scenario.name}.trace.json`))?.[1];
    const entries: Any[] = raw ? JSON.parse(raw).trace : [];
    const specs = new Map<string, Any>();
    for (const o of [...scenario.objects, ...scenario.steps.map((s: Any) => s.object)]) {
      if (o?.kind === 'Pod') specs.set(`${o.metadata.namespace ?? 'default'}/${o.metadata.name}`, o);
    }
    const nodes = new Map<string, NodeView>();
    const pods = new Map<string, PodView>();
    const addNode = (o: Any) => {
      const a = o.status?.allocatable ?? {};
      nodes.set(o.metadata.name, {
        name: o.metadata.name,
        zone: o.metadata.labels?.['topology.kubernetes.io/zone'] ?? '',
        unschedulable: Boolean(o.spec?.unschedulable),
        taints: (o.spec?.taints ?? []).map((t: Any) => `${t.key}=${t.value}:${t.effect}`),
        allocatable: { cpu: quantity(a.cpu, true), memory: quantity(a.memory, false), pods: Number(a.pods ?? 110) },
        requested: { cpu: 0, memory: 0, pods: 0 },
        pods: [],
        gone: false,
      });
    };
    const podView = (key: string, node = ''): PodView => ({
      phase: 'Pending',
      node,
      nominated: '',
      condition: '',
      message: '',
      priority: 0,
      group: `app=${specs.get(key)?.metadata.labels?.app ?? ''}`,
      gone: false,
    });
    const bind = (key: string, node: string) => {
      const old = nodes.get(node);
      if (!old || old.pods.includes(key)) return;
      const r = specs.get(key)?.spec.containers[0].resources?.requests ?? {};
      nodes.set(node, {
        ...old,
        pods: [...old.pods, key],
        requested: {
          cpu: (old.requested.cpu ?? 0) + quantity(r.cpu, true),
          memory: (old.requested.memory ?? 0) + quantity(r.memory, false),
          pods: (old.requested.pods ?? 0) + 1,
        },
      });
    };
    for (const o of scenario.objects) if (o.kind === 'Node') addNode(o);
    for (const o of scenario.objects) {
      if (o.kind !== 'Pod') continue;
      const key = `${o.metadata.namespace ?? 'default'}/${o.metadata.name}`;
      pods.set(key, podView(key, o.spec.nodeName ?? ''));
      if (o.spec.nodeName) bind(key, o.spec.nodeName);
    }
    const q: Frame['queues'] = { active: [], backoff: [], unschedulable: [] };
    let cycle: Frame['cycle'] = null;
    let binding: Frame['binding'] = [];
    let operation = -1;
    const short = (key: string) => key.replace('default/', '');
    const push = (t: number, kind: string, sentence: string, focus: Frame['focus'], entry?: Any) => {
      this.frames.push({
        ok: true,
        step: this.frames.length,
        steps: 0,
        done: true,
        t,
        hash: '',
        operation,
        sentence,
        kind,
        entry,
        focus,
        queues: structuredClone(q),
        cycle: structuredClone(cycle),
        binding: structuredClone(binding),
        pods: Object.fromEntries(pods),
        nodes: [...nodes.values()],
        nodeOrder: [...nodes.keys()],
      });
    };
    const drop = (key: string) => {
      for (const list of ['active', 'backoff', 'unschedulable'] as const) q[list] = (q[list] as Any[]).filter((p) => p.pod !== key) as Any;
    };
    push(0, 'start', 'The start', {});
    for (const e of entries) {
      const key: string = e.pod ?? '';
      const attempts = this.attempts.filter((a) => a.pod === key).length;
      if (e.type === 'op') {
        operation++;
        const o = e.op.object;
        const what = `${e.op.op} ${o?.kind ?? e.op.kind ?? ''} ${o?.metadata?.name ?? e.op.name ?? e.op.seconds ?? ''}`;
        if (o?.kind === 'Node') addNode(o);
        if (e.op.op === 'create' && o?.kind === 'Pod') {
          const k = `${o.metadata.namespace ?? 'default'}/${o.metadata.name}`;
          pods.set(k, { ...podView(k), priority: o.spec.priorityClassName === 'high' ? 1000 : o.spec.priorityClassName === 'low' ? -10 : 0 });
          push(e.t, 'op', what, { pod: k }, e);
        } else {
          push(e.t, 'op', what, {}, e);
        }
      } else if (e.type === 'move' || e.type === 'preEnqueue') {
        if (e.type === 'preEnqueue') {
          push(e.t, 'preEnqueue', `${short(key)} is held back: ${e.message}`, { pod: key }, e);
          continue;
        }
        if (cycle?.pod === key) cycle = null;
        drop(key);
        const priority = pods.get(key)?.priority ?? 0;
        if (e.queue === 'Active') {
          q.active.push({ pod: key, priority, attempts });
          q.active.sort((a, b) => b.priority - a.priority);
        } else if (e.queue === 'Backoff') {
          q.backoff.push({ pod: key, until: Math.ceil(e.t + 1), left: Math.ceil(e.t + 1) - e.t, error: false, attempts });
        } else {
          const last = this.attempts.filter((a) => a.pod === key).at(-1);
          q.unschedulable.push({
            pod: key,
            plugins: e.plugins ?? [],
            pending: [],
            gated: e.reason === 'gated' ? 'SchedulingGates' : '',
            message: last?.error ?? '',
            attempts,
          });
        }
        push(e.t, 'move', `${short(key)} moves to ${e.queue} (${e.event})`, { pod: key }, e);
      } else if (e.type === 'skip') {
        push(e.t, 'skip', `${short(key)} stays where it is: ${e.event} does not help it`, { pod: key }, e);
      } else if (e.type === 'cycle') {
        drop(key);
        cycle = { pod: key, attempt: e.attempt, profile: e.profile, points: [], host: '' };
        const points = e.host ? ['PreFilter', 'Filter', 'PreScore', 'Score', 'Reserve', 'Permit'] : ['PreFilter', 'Filter', 'PostFilter'];
        const at = this.frames.length + points.length;
        const names = e.host ? Object.keys(Object.values<Any>(e.scores ?? {})[0]?.plugins ?? {}) : [];
        const filters = ['NodeUnschedulable', 'NodeName', 'TaintToleration', 'NodeAffinity', 'NodePorts', 'NodeResourcesFit', 'VolumeRestrictions', 'NodeVolumeLimits', 'VolumeBinding', 'VolumeZone', 'PodTopologySpread', 'InterPodAffinity'];
        const weights: Record<string, number> = { TaintToleration: 3, NodeAffinity: 2, PodTopologySpread: 2, InterPodAffinity: 2 };
        this.attempts.push({
          ok: true,
          pod: key,
          attempt: e.attempt,
          step: at,
          t: e.t,
          profile: e.profile,
          preFilter: { code: 'Success', plugin: '', reasons: [] },
          preFilterNodes: null,
          plugins: filters,
          nodes: (e.nodes ?? []).map((name: string) => {
            const f = e.filters?.[name] ?? { code: 'Success', plugin: '', reasons: [] };
            const bad = filters.indexOf(f.plugin);
            return {
              name,
              evaluated: true,
              code: f.code,
              plugin: f.plugin ?? '',
              reasons: f.reasons ?? [],
              verdicts: filters.map((p, i) =>
                i === bad ? { code: f.code, reasons: f.reasons } : { code: 'Success', skipped: /Volume|Spread|Inter/.test(p) },
              ),
            };
          }),
          scorePlugins: names.map((name) => ({ name, weight: weights[name] ?? 1 })),
          scores: Object.entries<Any>(e.scores ?? {})
            .map(([node, s]) => ({
              node,
              total: s.total,
              plugins: names.map((n) => ({ raw: s.raw[n], normalized: s.plugins[n] / (weights[n] ?? 1), weighted: s.plugins[n] })),
            }))
            .sort((a, b) => b.total - a.total),
          host: e.host ?? '',
          evaluated: e.evaluated ?? e.nodes?.length ?? 0,
          feasible: e.feasible ?? 0,
          hint: '',
          error: e.error ?? '',
          unschedulablePlugins: e.unschedulablePlugins ?? [],
          postFilter: e.postFilter ?? null,
          event: e.host ? `Successfully assigned ${key} to ${e.host}` : `${e.error} ${e.postFilter?.message ?? ''}`,
          why: e.host
            ? [`${e.feasible} of ${e.nodes.length} nodes could run ${short(key)}.`, `${e.host} had the highest score.`]
            : [`No node can run ${short(key)}.`, e.error],
        });
        for (const point of points) {
          const code = !e.host && point !== 'PreFilter' ? 'Unschedulable' : 'Success';
          cycle.points.push({ point, code });
          const said: Record<string, string> = {
            Filter: e.host ? `${e.feasible} of ${e.nodes.length} nodes can run ${short(key)}` : e.error,
            Score: `the plugins have scored; ${e.host} is ahead`,
          };
          if (point === 'Score') cycle.host = e.host;
          push(e.t, 'point', `${short(key)}: ${said[point] ?? `${point} ran`}`, { pod: key, node: cycle.host || undefined });
        }
        push(e.t, 'cycle', e.host ? `${short(key)} goes to ${e.host}` : `${short(key)}: ${e.error}`, { pod: key, node: e.host }, e);
        if (e.host) {
          binding.push({ pod: key, node: e.host, points: [{ point: 'PreBind', code: 'Success' }] });
          cycle = null;
          push(e.t, 'point', `${short(key)}: the binding cycle begins`, { pod: key, node: e.host });
        } else {
          const view = pods.get(key);
          if (view) pods.set(key, { ...view, condition: 'False Unschedulable', message: e.error });
        }
      } else if (e.type === 'bind') {
        binding = binding.filter((b) => b.pod !== key);
        const view = pods.get(key);
        if (view) pods.set(key, { ...view, node: e.node, condition: 'True', message: '' });
        bind(key, e.node);
        push(e.t, 'bind', `${short(key)} is bound to ${e.node}`, { pod: key, node: e.node }, e);
      } else if (e.type === 'event') {
        push(e.t, 'event', `Event ${e.reason} for ${short(key)}: ${e.message}`, { pod: key }, e);
      }
      for (const gone of e.gone ?? []) {
        pods.delete(gone);
        drop(gone);
        for (const [name, n] of nodes) if (n.pods.includes(gone)) nodes.set(name, { ...n, pods: n.pods.filter((p) => p !== gone) });
      }
    }
    for (const frame of this.frames) frame.steps = this.frames.length - 1;
  }
}

const PLUGINS: [string, number][] = [
  ['TaintToleration', 3],
  ['NodeAffinity', 2],
  ['PodTopologySpread', 2],
  ['InterPodAffinity', 2],
  ['NodeResourcesFit', 1],
  ['NodeResourcesBalancedAllocation', 1],
  ['ImageLocality', 1],
];

export function createDoor(): Promise<Door> {
  let session: Session | null = null;
  const bad = (message: string) => JSON.stringify({ ok: false, issues: [{ severity: 'error', path: '', message }] });
  const last = () => (session?.frames.length ?? 1) - 1;
  return Promise.resolve({
    version: () =>
      JSON.stringify({
        ok: true,
        version: 'fake',
        release: 'v1.37.2',
        plugins: PLUGINS.map(([name, defaultWeight]) => ({ name, points: ['Score'], defaultWeight, scores: true })),
        events: [],
      }),
    load: (text) => {
      session = new Session(JSON.parse(text));
      return JSON.stringify({ ok: true, issues: [], steps: last(), done: true });
    },
    run: () => JSON.stringify({ ok: true, steps: last(), done: true, t: session?.frames.at(-1)?.t ?? 0 }),
    seek: (text) => {
      const { step } = JSON.parse(text) as { step: number };
      return JSON.stringify(session?.frames[Math.max(0, Math.min(step, last()))] ?? {});
    },
    apply: () => JSON.stringify({ ok: true, steps: last(), done: true, rejected: '' }),
    attempt: (text) => {
      const q = JSON.parse(text) as { pod?: string; attempt?: number; step?: number };
      const found = q.pod
        ? session?.attempts.find((a) => a.pod === q.pod && a.attempt === q.attempt)
        : session?.attempts.filter((a) => a.step <= (q.step ?? 0)).at(-1);
      return found ? JSON.stringify(found) : bad('no such attempt');
    },
    explain: (text) => JSON.stringify({ ok: true, title: text, lines: [{ text: 'The formula with these numbers would be here.' }] }),
    check: (text) => {
      const { objects } = JSON.parse(text) as { objects: Any[] };
      const issues: Any[] = [];
      objects.forEach((o, i) => {
        if (o.kind === 'Pod' && !o.spec?.containers?.length) issues.push({ severity: 'error', path: `/objects/${i}/spec/containers`, message: 'spec.containers: Required value' });
      });
      return JSON.stringify({ ok: true, issues });
    },
    trace: () => JSON.stringify({ ok: true, trace: '{}' }),
  });
}

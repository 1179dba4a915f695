import { describe, expect, it, vi } from 'vitest';
import { type Decision, readDecisions } from '../src/engine/decisions';
import type { NodeView, PodView } from '../src/engine/door';
import type { JsonObject } from '../src/scenario/types';
import { decodeState, encodeState } from '../src/share/link';
import { fullness, landings, ordinal, type Outcome, partingOf, partingText, summaryOf } from '../src/state/compare';

vi.mock('../src/engine/host', async () => {
  const { createDoor } = await import('podberth/node');
  return { openDoor: () => (createDoor as unknown as () => ReturnType<typeof createDoor>)() };
});
const { Engine } = await import('../src/engine/client');
const { Store } = await import('../src/state/store.svelte');

const decision = (pod: string, host: string, attempt = 1, total: number | null = null): Decision => ({ pod: `default/${pod}`, attempt, host, total, error: host ? '' : 'no' });
function outcome(decisions: Decision[], ends: Record<string, string>): Outcome {
  return { decisions, pods: new Map(Object.entries(ends).map(([pod, node]) => [`default/${pod}`, { node } as PodView])), nodes: [] };
}

describe('two runs', () => {
  it('that are the same say so', () => {
    const one = outcome([decision('a', 'n1')], { a: 'n1' });
    expect(partingOf(one.decisions, one.decisions)).toBeNull();
    expect(summaryOf(one, one)).toBe('No difference: the pod takes the same way, attempt by attempt.');
  });
  it('part at the first attempt that differs', () => {
    const left = outcome([decision('a', 'n1'), decision('b', 'n1', 1, 463)], { a: 'n1', b: 'n1' });
    const right = outcome([decision('a', 'n1'), decision('b', 'n2', 1, 420)], { a: 'n1', b: 'n2' });
    expect(partingOf(left.decisions, right.decisions)?.index).toBe(1);
    expect(summaryOf(left, right)).toBe('1 of 2 pods lands elsewhere; they part at the 1st attempt of b: n1 (463 points) on the left, n2 (420 points) on the right.');
    expect(landings(left, right).map(({ pod, differs }) => [pod, differs])).toEqual([
      ['default/b', true],
      ['default/a', false],
    ]);
  });
  it.each([
    ['another order', [decision('a', 'n1')], [decision('b', 'n1')], 'the 1st attempt is for a on the left, for b on the right'],
    ['one more attempt', [decision('a', '')], [decision('a', ''), decision('a', 'n1', 2)], 'after 1 attempt in common the run on the right tries a once more'],
    ['no node here', [decision('a', '', 3)], [decision('a', 'n1', 3)], 'they part at the 3rd attempt of a: no node on the left, n1 on the right'],
  ])('may differ by %s', (_, left, right, words) => {
    const parting = partingOf(left, right);
    expect(parting && partingText(parting)).toBe(words);
  });
  it('are told apart by how often a pod is tried, too', () => {
    const left = outcome([decision('a', 'n1'), decision('b', ''), decision('c', '')], { a: 'n1', b: '', c: '' });
    const right = outcome([decision('a', 'n1'), decision('b', ''), decision('c', ''), decision('c', '', 2)], { a: 'n1', b: '', c: '' });
    expect(landings(left, right).map(({ pod, tries }) => [pod, tries])).toEqual([
      ['default/c', [1, 2]],
      ['default/a', [1, 1]],
      ['default/b', [1, 1]],
    ]);
  });
  it('may get to the same end another way', () => {
    const left = outcome([decision('a', ''), decision('a', 'n1', 2)], { a: 'n1' });
    const right = outcome([decision('a', 'n1')], { a: 'n1' });
    expect(summaryOf(left, right)).toMatch(/^In the end the pod lands on the same node; they part at the 1st attempt of a/);
  });
  it('count in words', () => {
    expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 112].map(ordinal)).toEqual(['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '22nd', '112th']);
  });
  it('fill nodes differently', () => {
    const node = (name: string, cpu: number) => ({ name, allocatable: { cpu: 1000, memory: 100 }, requested: { cpu, memory: 0 }, pods: [] }) as unknown as NodeView;
    expect(fullness([node('a', 500)], [node('a', 250), node('b', 0)])).toEqual([
      { node: 'a', cpu: [0.5, 0.25], memory: [0, 0], pods: [0, 0] },
      { node: 'b', cpu: [0, 0], memory: [0, 0], pods: [0, 0] },
    ]);
  });
  it('are read from their traces', () => {
    const trace = { trace: [{ type: 'op' }, { type: 'cycle', pod: 'default/a', host: 'n1', scores: { n1: { total: 7 } } }, { type: 'cycle', pod: 'default/a', error: 'x' }] };
    expect(readDecisions(JSON.stringify(trace))).toEqual([
      { pod: 'default/a', attempt: 1, host: 'n1', total: 7, error: '' },
      { pod: 'default/a', attempt: 2, host: '', total: null, error: 'x' },
    ]);
  });
  it('fit into a link', () => {
    const state = { title: '', texts: { cluster: '', pods: '', scheduler: '' }, later: [], release: 'v1.24', compare: { scheduler: 'kind: x\n', release: 'v1.37' } };
    expect(decodeState(encodeState(state) ?? '')).toEqual({ state });
  });
});

describe('a release', () => {
  const info = (name: string, version: string) => ({ name, version, plugins: [{ name: `Of${name}`, points: ['Score'], defaultWeight: 1, scores: true }] });
  async function open(fragment = '') {
    const engine = new Engine(() => null);
    const real = engine.version;
    engine.version = async () => ({ ...(await real()), releases: [info('v1.37', 'v1.37.2'), info('v1.24', 'v1.24.17')] });
    engine.check = async () => ({ ok: true }); // what a release has against a scenario is not the matter here
    const loaded: string[] = [];
    const load = engine.load;
    engine.load = (scenario) => {
      loaded.push((JSON.parse(scenario) as { release: string }).release);
      return load(scenario);
    };
    const store = new Store(engine, false, () => engine);
    await store.start(fragment);
    return { store, loaded };
  }
  it('is the newest unless another is chosen, and a link says which', async () => {
    const { store, loaded } = await open();
    expect([store.release, loaded.at(-1)]).toEqual(['v1.37.2', 'v1.37']);
    await store.setRelease('v1.24');
    expect([store.release, loaded.at(-1)]).toEqual(['v1.24.17', 'v1.24']);
    expect(store.scorePlugins.map(({ name }) => name)).toEqual(['Ofv1.24']);
    const other = await open(store.fragment() ?? '');
    expect([other.store.release, other.loaded.at(-1)]).toEqual(['v1.24.17', 'v1.24']);
    await store.setRelease('v1.37');
    expect(store.state().release).toBeUndefined();
  });
  it('is the first thing that a comparison changes, if there is another', async () => {
    const { store } = await open();
    store.compare();
    expect([store.comparison?.left.release, store.comparison?.right.release]).toEqual(['', 'v1.24']);
    store.closeComparison();
  });
});

describe('a comparison', () => {
  const node = (name: string, label: string): JsonObject => ({
    apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { disk: label } }, status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } },
  });
  const pod = (name: string, more: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { ...more, containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1', memory: '1Gi' } } }] },
  });
  const text = (...objects: JsonObject[]) => objects.map((object) => JSON.stringify(object)).join('\n---\n');
  const texts = { cluster: text(node('n1', 'a'), node('n2', 'b'), pod('old', { nodeName: 'n1' })), pods: text(pod('a'), pod('b')), scheduler: '' };
  const PACK = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- schedulerName: default-scheduler\n  pluginConfig:\n  - name: NodeResourcesFit\n    args: {scoringStrategy: {type: MostAllocated}}\n  plugins: {score: {disabled: [{name: NodeResourcesBalancedAllocation}]}}\n';

  async function open(compare: { scheduler: string; release: string }) {
    const make = () => new Engine(() => null);
    const store = new Store(make(), false, make);
    await store.start('');
    await store.openState({ title: 'test', texts, later: [] }, 2);
    store.compare(compare);
    const { comparison } = store;
    if (!comparison) throw new Error('there is no comparison');
    await vi.waitFor(() => expect(comparison.outcomes && !comparison.busy && (!comparison.parting || comparison.chosen)).toBeTruthy(), { timeout: 8000 });
    return { store, comparison };
  }

  it('opens the attempts at which two configurations part, and leaves the page where it is', async () => {
    const { store, comparison } = await open({ scheduler: PACK, release: '' });
    expect(comparison.summary).toMatch(/of 2 pods lands? elsewhere; they part at the 1st attempt of a: n2 \(\d+ points\) on the left, n1 \(\d+ points\) on the right\.$/);
    await vi.waitFor(() => expect([comparison.left, comparison.right].map(({ inspection }) => inspection.attempt?.host)).toEqual(['n2', 'n1']));
    expect(store.run.position).toBe(2);
    expect(store.fragment()).toContain('#s=1k.');
    comparison.close();
  });
  it('shows on both sides the pod that is opened, also where it was never tried', async () => {
    const gated = { ...pod('g'), spec: { ...(pod('g').spec as JsonObject), schedulingGates: [{ name: 'example.com/x' }] } };
    const make = () => new Engine(() => null);
    const store = new Store(make(), false, make);
    await store.start('');
    await store.openState({ title: 'test', texts: { ...texts, pods: text(pod('a'), gated) }, later: [] }, 0);
    store.compare({ scheduler: '', release: 'v1.24' });
    const { comparison } = store;
    await vi.waitFor(() => expect(comparison?.outcomes && !comparison.busy).toBeTruthy(), { timeout: 30_000 });
    await comparison?.openPod('default/g');
    await vi.waitFor(() => expect(comparison?.right.inspection.attempt?.pod).toBe('default/g'), { timeout: 30_000 });
    expect(comparison?.left.inspection.selected).toEqual({ kind: 'pod', name: 'default/g' });
    await vi.waitFor(() => expect(comparison?.left.inspection.attempt).toBeNull(), { timeout: 30_000 });
    comparison?.close();
  });
  it('finds nothing where nothing differs', async () => {
    const { comparison } = await open({ scheduler: '', release: '' });
    expect(comparison.summary).toBe('No difference: both pods take the same way, attempt by attempt.');
    comparison.close();
  });
  it('follows an edit of the run on the right', async () => {
    const { comparison } = await open({ scheduler: '', release: '' });
    comparison.right.edit('scheduler', PACK);
    await vi.waitFor(() => expect(comparison.summary).toContain('elsewhere'), { timeout: 8000 });
    comparison.close();
  });
  it('compares what was done on the way, too', async () => {
    const { store, comparison: first } = await open({ scheduler: '', release: '' });
    first.close();
    store.closeComparison();
    await store.forkHere([{ op: 'create', object: pod('c') }]);
    store.compare({ scheduler: PACK, release: '' });
    const { comparison } = store;
    await vi.waitFor(() => expect(comparison?.landings.map((one) => one.pod).sort()).toEqual(['default/a', 'default/b', 'default/c']), { timeout: 8000 });
    comparison?.close();
  });
});

import { describe, expect, it, vi } from 'vitest';
import { cordon, deletePod, drain, podLike, taint, taintsOf, untaint } from '../src/state/actions';
import { forkedSteps, freeName, objectAt, type Plan, readTaint, restAfter, withChance } from '../src/state/fork';
import { readFragment } from '../src/share/link';
import type { JsonObject } from '../src/scenario/types';

vi.mock('../src/engine/host', async () => {
  const { createDoor } = await import('podberth/node');
  return { openDoor: () => (createDoor as unknown as () => ReturnType<typeof createDoor>)() };
});

const { Engine } = await import('../src/engine/client');
const { Store } = await import('../src/state/store.svelte');

const pod = (name: string, cpu: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu } } }] },
});
const node = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Node', metadata: { name }, status: { allocatable: { cpu: '2', memory: '4Gi', pods: '10' } } });
const create = (object: JsonObject): JsonObject => ({ op: 'create', object });
const settle: JsonObject = { op: 'settle' };

describe('what is still to come after a fork', () => {
  const steps = [create(pod('a', '1')), settle, create(pod('b', '1')), settle];
  it.each([
    ['at the start is everything', -1, false, steps],
    ['after an operation is all after it', 0, false, steps.slice(1)],
    ['inside a settle is its rest, too', 1, false, [settle, ...steps.slice(2)]],
    ['at the end is nothing', 3, true, []],
  ])('%s', (_, operation, atEnd, rest) => {
    expect(restAfter(steps, operation, atEnd)).toEqual(rest);
  });

  it('lets the scheduler go on if nothing else does', () => {
    const op = deletePod('default/a');
    expect(withChance([op], [])).toEqual([op, settle]);
    expect(withChance([op], steps.slice(2))).toEqual([op]);
  });

  it('knows that a settle that was cut became single cycles', () => {
    const op = deletePod('default/a');
    expect(forkedSteps(steps, 1, 2, op, [settle])).toEqual([steps[0], { op: 'step' }, { op: 'step' }, op, settle]);
    expect(forkedSteps(steps, 1, 0, op, [settle])).toEqual([steps[0], settle, op, settle]);
    expect(forkedSteps(steps, -1, 0, op, steps)).toEqual([op, ...steps]);
  });
});

describe('an action on the board', () => {
  const plan: Plan = { objects: [node('n1')], steps: [create(pod('a', '1')), settle, deletePod('default/a') as JsonObject] };
  it('finds the object as it is at that step', () => {
    expect(objectAt(plan, 'Pod', 'default/a', -1)).toBeNull();
    expect(objectAt(plan, 'Pod', 'default/a', 1)).toEqual(pod('a', '1'));
    expect(objectAt(plan, 'Pod', 'default/a', 2)).toBeNull();
    expect(objectAt(plan, 'Node', 'n1', 0)).toEqual(node('n1'));
  });
  it('cordons, drains and taints a node without touching the scenario', () => {
    const before = JSON.stringify(plan);
    expect(cordon(plan, 0, 'n1', true)).toMatchObject({ op: 'update', object: { spec: { unschedulable: true }, status: { allocatable: { cpu: '2' } } } });
    expect(drain(plan, 0, 'n1', ['default/a'])).toMatchObject([{ op: 'update' }, { op: 'delete', namespace: 'default', name: 'a' }]);
    const tainted = taint(plan, 0, 'n1', { key: 'k', value: 'v', effect: 'NoSchedule' });
    const later = { ...plan, steps: [...plan.steps, tainted as JsonObject] };
    expect(taintsOf(later, 3, 'n1')).toEqual([{ key: 'k', value: 'v', effect: 'NoSchedule' }]);
    expect(untaint(later, 3, 'n1', { key: 'k', effect: 'NoSchedule' })).toMatchObject({ object: { spec: { taints: [] } } });
    expect(JSON.stringify(plan)).toBe(before);
    expect(cordon(plan, 0, 'nowhere', true)).toBeNull();
  });
  it('copies a pod without what the cluster has added', () => {
    const model = { ...pod('a', '1'), metadata: { name: 'a', uid: 'x', labels: { app: 'a' } }, spec: { nodeName: 'n1', containers: [] }, status: { phase: 'Running' } } as JsonObject;
    expect(podLike(model, 'a-2')).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a-2', labels: { app: 'a' } }, spec: { containers: [] } });
  });
  it.each([
    ['web-1', ['web-2'], 'web-3'],
    ['big', [], 'big-2'],
    ['7', [], '7-8'],
  ])('calls another %s beside %j %s', (name, taken, expected) => {
    expect(freeName(name, (one) => (taken as string[]).includes(one))).toBe(expected);
  });
  it.each([
    ['dedicated=gpu:NoSchedule', { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
    ['example.com/flaky:NoExecute', { key: 'example.com/flaky', effect: 'NoExecute' }],
    ['nonsense', null],
    ['a=b:Never', null],
  ])('reads the taint %s', (text, expected) => {
    expect(readTaint(text)).toEqual(expected);
  });
});

describe('a run that is forked', () => {
  const text = (...objects: JsonObject[]) => objects.map((object) => JSON.stringify(object)).join('\n---\n');
  const texts = { cluster: text(node('n1')), pods: text(pod('a', '1500m'), pod('b', '1500m')), scheduler: '' };

  async function open(fragment = '') {
    const store = new Store(new Engine(() => null), false);
    await store.start(fragment);
    if (!fragment) await store.openState({ title: 'test', texts, later: [] }, 0);
    return store;
  }
  async function until(store: InstanceType<typeof Store>, pattern: RegExp): Promise<void> {
    for (let i = 0; i < 100 && !pattern.test(store.run.frame?.sentence ?? ''); i++) await store.run.goto(store.run.position + 1);
    expect(store.run.frame?.sentence).toMatch(pattern);
  }
  const end = async (store: InstanceType<typeof Store>) => {
    await store.player.toEnd();
    return Object.fromEntries([...store.run.pods].map(([name, { node: at }]) => [name, at]));
  };

  it('keeps what was, does something else, and goes on with what was to come', async () => {
    const store = await open();
    expect(await end(store)).toEqual({ 'default/a': 'n1', 'default/b': '' });
    await store.run.goto(0);
    await until(store, /a is bound to n1/);
    const at = store.run.position;
    const { sentence, queues, binding, t } = store.run.frame ?? {};
    expect(await store.forkHere([deletePod('default/a')])).toBe('');
    expect(store.forks).toEqual([{ at, ops: [{ op: 'delete', kind: 'Pod', namespace: 'default', name: 'a' }] }]);
    expect(store.run.frame?.sentence).toBe('Pod a is deleted');
    await store.run.goto(at);
    expect(store.run.frame).toMatchObject({ sentence, queues, binding, t });
    expect(await end(store)).toEqual({ 'default/b': 'n1' });
  });

  it('is the same again from a link, and as written after going back', async () => {
    const store = await open();
    await until(store, /a is bound to n1/);
    await store.forkHere([cordon(store.run.current(), store.run.frame?.operation ?? -1, 'n1', true) ?? deletePod('default/a')]);
    await store.forkHere([{ op: 'create', object: pod('c', '100m') }]);
    const there = await end(store);
    expect(there).toEqual({ 'default/a': 'n1', 'default/b': '', 'default/c': '' });
    const fragment = store.fragment() ?? '';
    const link = readFragment(fragment);
    expect(link.kind === 'state' && link.state.forks).toEqual(store.forks);
    const other = await open(fragment);
    expect(other.forks).toHaveLength(2);
    expect(other.run.position).toBe(store.run.position);
    expect(other.run.frame?.hash).toBe(store.run.frame?.hash);
    await other.unfork('last');
    expect(await end(other)).toEqual({ 'default/a': 'n1', 'default/b': '' });
    expect(other.forks).toHaveLength(1);
    await other.unfork();
    expect(other.forks).toEqual([]);
    expect(await end(other)).toEqual({ 'default/a': 'n1', 'default/b': '' });
  });

  it('names its operations, also those of a settle that was cut', async () => {
    const store = await open();
    await until(store, /a is bound to n1/);
    await store.forkHere([deletePod('default/a')]);
    expect(store.run.operations[store.run.frame?.operation ?? -1]).toBe('delete Pod a');
  });

  it('at the end gives the scheduler a chance', async () => {
    const store = await open();
    await end(store);
    await store.forkHere([deletePod('default/a')]);
    expect(await end(store)).toEqual({ 'default/b': 'n1' });
  });

  it('stays as it was if the API server refuses', async () => {
    const store = await open();
    await until(store, /a is bound to n1/);
    const { position } = store.run;
    expect(await store.forkHere([deletePod('default/nobody')])).toMatch(/not found/);
    expect(store.forks).toEqual([]);
    expect(store.run.position).toBe(position);
    expect(await end(store)).toEqual({ 'default/a': 'n1', 'default/b': '' });
  });

  it('is a file with a timeline, which runs the same', async () => {
    const store = await open();
    await until(store, /a is bound to n1/);
    await store.forkHere([deletePod('default/a')]);
    const there = await end(store);
    const other = await open();
    await other.openFile('forked.yaml', store.file());
    expect(other.run.textIssues).toEqual([]);
    expect(await end(other)).toEqual(there);
    expect(other.run.frame?.hash).toBe(store.run.frame?.hash);
  });

  it('is forked again after an edit of the text', async () => {
    const store = await open();
    await until(store, /a is bound to n1/);
    await store.forkHere([deletePod('default/a')]);
    store.edit('pods', texts.pods.replaceAll('1500m', '1200m'));
    await vi.waitFor(() => expect(store.run.pods.get('default/a')?.requests?.cpu ?? 1200).toBe(1200), { timeout: 5000 });
    expect(await end(store)).toEqual({ 'default/b': 'n1' });
  });
});

import api from 'virtual:api-schema';
import { describe, expect, it } from 'vitest';
import { cursorAt } from '../src/editor/cursor';
import { labelKeys, namesOf, propose } from '../src/editor/propose';
import { Schema } from '../src/editor/schema';
import { SKELETONS } from '../src/editor/words';
import { readScenario } from '../src/scenario/read';
import { splitDocuments } from '../src/scenario/split';

const schema = new Schema(api);
const plugins = [
  { name: 'NodeResourcesFit', points: ['PreFilter', 'Filter', 'Score'], defaultWeight: 1, scores: true },
  { name: 'DefaultBinder', points: ['Bind'], defaultWeight: 0, scores: false },
];
const NODE = 'apiVersion: v1\nkind: Node\nmetadata:\n  name: node-1\n  labels:\n    topology.kubernetes.io/zone: a\n    disk: ssd\n';
const POD = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n';

// What is proposed where "|" stands.
function at(text: string, editor: 'cluster' | 'pods' | 'scheduler' = 'pods', texts = { cluster: NODE, pods: '', scheduler: '' }): string[] {
  const offset = text.indexOf('|');
  const cursor = cursorAt(text.replace('|', ''), offset);
  return cursor ? propose(cursor, schema, { editor, texts, plugins }).map(({ label }) => label) : [];
}
const path = (text: string) => cursorAt(text.replace('|', ''), text.indexOf('|'))?.path;

describe('where the cursor stands', () => {
  it.each([
    ['a: 1\n|', []],
    ['spec:\n  |', ['spec']],
    ['spec:\n  containers:\n  - |', ['spec', 'containers', '[]']],
    ['spec:\n  containers:\n    - name: a\n      |', ['spec', 'containers', '[]']],
    ['spec:\n  containers:\n  - name: a\n    resources:\n      requests:\n        |', ['spec', 'containers', '[]', 'resources', 'requests']],
    ['spec:\n  containers:\n  - name: a\n    ports:\n    - hostPort: 1\n  |', ['spec']],
    ['a:\n- - b:\n      |', ['a', '[]', '[]', 'b']],
    ['spec:\n  # a remark\n\n  taints:\n  - key: a\n    effect: |', ['spec', 'taints', '[]']],
  ])('%j is %j', (text, expected) => {
    expect(path(text)).toEqual(expected);
  });
  it('is told by its own document alone', () => {
    const cursor = cursorAt('kind: Node\nspec:\n---\nkind: Pod\nspec:\n  \n---\nkind: Service\n', 31);
    expect(cursor).toMatchObject({ kind: 'Pod' });
    expect(cursor?.siblings).not.toContain('kind: Service');
  });
  it('knows the fields that are there already, below it too', () => {
    const text = 'kind: Pod\nspec:\n  nodeName: a\n  \n  containers:\n  - name: x\n';
    expect([...(cursorAt(text, text.indexOf('  \n') + 2)?.siblings ?? [])].sort()).toEqual(['containers', 'nodeName']);
  });
  it('is nowhere in a comment', () => {
    expect(cursorAt('kind: Pod # ab', 14)).toBeNull();
  });
});

describe('what is proposed', () => {
  it('for an empty document is a whole manifest', () => {
    expect(at('|')).toEqual(expect.arrayContaining(['Pod', 'Timeline', 'kind']));
    expect(at('|', 'scheduler')).toContain('KubeSchedulerConfiguration');
  });
  it('are the fields of a node pool, and those of a node in its template', () => {
    const POOL = 'apiVersion: podberth/v1\nkind: NodePool\nmetadata: {name: p}\nspec:\n';
    expect(at('kind: Node|', 'cluster')).toContain('NodePool');
    expect(at(`${POOL}  |`, 'cluster')).toEqual(expect.arrayContaining(['count', 'zones', 'template']));
    expect(at(`${POOL}  template:\n    spec:\n      |`, 'cluster')).toContain('taints');
    expect(at(`${POOL}  template:\n    status:\n      allocatable:\n        |`, 'cluster')).toContain('cpu');
    expect(at('|', 'cluster')).toContain('NodePool');
  });
  it('are those of an extender and its rules', () => {
    const EXTENDER = 'apiVersion: podberth/v1\nkind: Extender\nspec:\n';
    expect(at('kind: E|', 'scheduler')).toContain('Extender');
    expect(at(`${EXTENDER}  |`, 'scheduler')).toEqual(expect.arrayContaining(['urlPrefix', 'filter', 'prioritize', 'preempt', 'bind']));
    expect(at(`${EXTENDER}  filter:\n  - |`, 'scheduler')).toEqual(expect.arrayContaining(['when', 'nodes', 'reject']));
    expect(at(`${EXTENDER}  filter:\n  - when:\n      podSelector:\n        |`, 'scheduler')).toContain('matchLabels');
  });
  it('are the fields of the type at the cursor, without those that are there', () => {
    const found = at(`${POD}spec:\n  nodeName: x\n  |`);
    expect(found).toEqual(expect.arrayContaining(['affinity', 'tolerations', 'topologySpreadConstraints', 'schedulingGates']));
    expect(found).not.toContain('nodeName');
    expect(at(`${POD}spec:\n  topologySpreadConstraints:\n  - |`)).toEqual(expect.arrayContaining(['maxSkew', 'topologyKey', 'whenUnsatisfiable']));
  });
  it.each([
    ['kinds', 'kind: |', 'Pod', 'pods'],
    ['the version of the kind', 'apiVersion: |\nkind: PriorityClass', 'scheduling.k8s.io/v1', 'cluster'],
    ['effects', 'kind: Node\nspec:\n  taints:\n  - effect: |', 'NoSchedule', 'cluster'],
    ['operators', 'kind: Pod\nspec:\n  tolerations:\n  - operator: |', 'Exists', 'pods'],
    ['topology keys that nodes have', 'kind: Pod\nspec:\n  topologySpreadConstraints:\n  - topologyKey: |', 'disk', 'pods'],
    ['label keys', 'kind: Pod\nspec:\n  nodeSelector:\n    |', 'disk', 'pods'],
    ['resources', 'kind: Pod\nspec:\n  containers:\n  - resources:\n      requests:\n        |', 'memory', 'pods'],
    ['names of nodes', 'kind: Pod\nspec:\n  nodeName: |', 'node-1', 'pods'],
    ['plugins', 'kind: KubeSchedulerConfiguration\nprofiles:\n- plugins:\n    score:\n      enabled:\n      - name: |', 'NodeResourcesFit', 'scheduler'],
    ['truth values', 'kind: Node\nspec:\n  unschedulable: |', 'true', 'cluster'],
    ['operations', 'kind: Timeline\nsteps:\n- op: |', 'settle', 'pods'],
  ] as const)('%s', (_, text, expected, editor) => {
    expect(at(text, editor)).toContain(expected);
  });
  it('are only plugins that work at the extension point', () => {
    expect(at('kind: KubeSchedulerConfiguration\nprofiles:\n- plugins:\n    score:\n      enabled:\n      - name: |', 'scheduler')).not.toContain('DefaultBinder');
  });
  it('is nothing for an unknown kind', () => {
    expect(at('kind: Nonsense\nspec:\n  |')).toEqual([]);
  });
  it.each(Object.entries(SKELETONS))('the manifest of a %s can be read', (_, text) => {
    expect(readScenario(splitDocuments(text)).issues).toEqual([]);
  });
});

describe('what a draft is made of', () => {
  it('finds its labels and names', () => {
    expect(labelKeys({ cluster: NODE, pods: '', scheduler: '' }, 'Node')).toEqual(['topology.kubernetes.io/zone', 'disk']);
    expect(namesOf({ cluster: NODE, pods: POD, scheduler: '' }, 'Node')).toEqual(['node-1']);
    expect(namesOf({ cluster: NODE, pods: POD, scheduler: '' }, 'Pod')).toEqual(['web']);
  });
});

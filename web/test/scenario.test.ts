import { describe, expect, it } from 'vitest';
import { remembering } from '../src/scenario/memo';
import { readScenario } from '../src/scenario/read';
import { joinDocuments, splitDocuments } from '../src/scenario/split';
import type { Texts } from '../src/scenario/types';
import { parseYaml } from '../src/scenario/yaml';

const texts = (part: Partial<Texts>): Texts => ({ cluster: '', pods: '', scheduler: '', ...part });
const NODE = 'apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n';
const pod = (name: string, more = '') => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n${more}`;

describe('the canonical scenario', () => {
  it('creates the pods without a node in the order of the documents, then settles', () => {
    const { scenario, issues } = readScenario(
      texts({ cluster: NODE, pods: `${pod('b')}---\n${pod('bound', 'spec:\n  nodeName: n1\n')}---\n${pod('a')}` }),
    );
    expect(issues).toEqual([]);
    expect(scenario.objects.map((o) => (o.metadata as { name: string }).name)).toEqual(['n1', 'bound']);
    expect(scenario.steps.map((s) => s.op)).toEqual(['create', 'create', 'settle']);
    expect(scenario.steps.slice(0, 2).map((s) => (s.object as any).metadata.name)).toEqual(['b', 'a']);
  });

  it('takes the steps of a Timeline as they are, and leaves pending pods among the objects', () => {
    const timeline = 'apiVersion: podberth/v1\nkind: Timeline\nsteps:\n- op: settle\n- op: advance\n  seconds: 2.5\n';
    const { scenario } = readScenario(texts({ cluster: NODE, pods: `${pod('a')}---\n${timeline}` }));
    expect(scenario.objects).toHaveLength(2);
    expect(scenario.steps).toEqual([{ op: 'settle' }, { op: 'advance', seconds: 2.5 }]);
  });

  it('lets a step name a document instead of holding the object', () => {
    const timeline = 'apiVersion: podberth/v1\nkind: Timeline\nsteps:\n- op: settle\n- {op: create, kind: Pod, name: a}\n';
    const { scenario } = readScenario(texts({ pods: `${pod('a')}---\n${timeline}` }));
    expect(scenario.objects).toEqual([]);
    expect((scenario.steps[1]?.object as any).metadata.name).toBe('a');
  });

  it('says which document a step names in vain', () => {
    const timeline = 'apiVersion: podberth/v1\nkind: Timeline\nsteps:\n- {op: create, kind: Pod, name: nobody}\n';
    const { issues } = readScenario(texts({ pods: timeline }));
    expect(issues[0]?.message).toContain('"default/nobody"');
    expect(timeline.slice(issues[0]?.from, issues[0]?.to)).toBe('nobody');
  });

  it('takes lists apart, also those of kubectl whose entries do not say their kind', () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata: {name: x}\n`;
    const podList = `apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: q}\n  spec: {nodeName: x}\n`;
    const { scenario, issues } = readScenario(texts({ cluster: `${list}---\n${podList}` }));
    expect(issues).toEqual([]);
    expect(scenario.objects.map((o) => `${o.kind} ${(o.metadata as any).name}`)).toEqual(['Node x', 'Pod q']);
  });

  it('keeps the configuration apart and refuses a second one', () => {
    const config = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
    const one = readScenario(texts({ scheduler: config }));
    expect(one.scenario.config?.kind).toBe('KubeSchedulerConfiguration');
    const two = readScenario(texts({ scheduler: `${config}---\n${config}` }));
    expect(two.ok).toBe(false);
  });

  it('keeps extenders apart, and the way back to their text', () => {
    const extender = 'apiVersion: podberth/v1\nkind: Extender\nmetadata: {name: a}\nspec:\n  urlPrefix: http://a\n  filter:\n  - reject: 5\n';
    const reading = readScenario(texts({ cluster: NODE, scheduler: extender }));
    expect(reading.issues).toEqual([]);
    expect(reading.scenario.objects).toHaveLength(1);
    expect(reading.scenario.extenders).toHaveLength(1);
    const place = reading.locate('/extenders/0/spec/filter/0/reject');
    expect(place?.editor).toBe('scheduler');
    expect(extender.slice(place?.from, place?.to)).toBe('5');
  });

  it('takes SamplePlugins for a word without fields', () => {
    const document = 'apiVersion: podberth/v1\nkind: SamplePlugins\n';
    const { scenario, issues } = readScenario(texts({ scheduler: document }));
    expect(issues).toEqual([]);
    expect(scenario.samplePlugins).toBe(true);
    expect(scenario.objects).toEqual([]);
    expect(readScenario(texts({ scheduler: `${document}plugins: []\n` })).ok).toBe(false);
  });

  it('appends what the user let happen later', () => {
    const { scenario } = readScenario(texts({ pods: pod('a') }), 'x', [{ op: 'advance', seconds: 1 }]);
    expect(scenario.steps.map((s) => s.op)).toEqual(['create', 'settle', 'advance']);
  });
});

describe('YAML as Kubernetes reads it', () => {
  const label = (value: string) => readScenario(texts({ cluster: `${NODE}  labels:\n    a: ${value}\n` }));
  const read = (value: string) => (label(value).scenario.objects[0]?.metadata as any).labels.a;

  it.each([
    ['yes', true],
    ['on', true],
    ['n', false],
    ['010', 8],
    ['0x10', 16],
    ['12:30:45', '12:30:45'],
    ['2001-12-14', '2001-12-14'],
    ['1e3', 1000],
    ['"yes"', 'yes'],
    ['9223372036854775807', '9223372036854775807'],
    ['~', null],
  ])('reads %s as %j', (source, value) => {
    expect(read(source)).toEqual(value);
  });

  it.each(['yes', 'off', '010'])('warns at %s, which is not the text that it looks like', (source) => {
    const { issues } = label(source);
    expect(issues).toHaveLength(1);
    expect(issues[0]?.severity).toBe('warning');
  });

  it('makes strings of keys', () => {
    const { scenario } = readScenario(texts({ cluster: `${NODE}  labels:\n    1: x\n    on: z\n` }));
    expect((scenario.objects[0]?.metadata as any).labels).toEqual({ 1: 'x', true: 'z' });
  });

  it('follows anchors and merge keys', () => {
    const { scenario, issues } = readScenario(texts({ cluster: `${NODE}  labels: &l {a: b}\n  annotations:\n    <<: *l\n    c: d\n` }));
    expect(issues).toEqual([]);
    expect((scenario.objects[0]?.metadata as any).annotations).toEqual({ a: 'b', c: 'd' });
  });

  it('does not let a key reach the prototype', () => {
    const { scenario } = readScenario(texts({ cluster: `${NODE}  labels:\n    __proto__: {polluted: "1"}\n` }));
    expect(({} as any).polluted).toBeUndefined();
    expect(JSON.stringify(scenario)).toContain('__proto__');
  });
});

describe('what kubectl writes', () => {
  it('keeps the dots of managedFields as text', () => {
    const text = `${NODE}  managedFields:\n  - fieldsV1:\n      f:labels:\n        .: {}\n        f:app: .\n`;
    const { scenario, issues } = readScenario(texts({ cluster: text }));
    expect(issues).toEqual([]);
    expect(JSON.stringify(scenario.objects[0])).toContain('{".":{},"f:app":"."}');
  });

});

describe('workloads', () => {
  const workload = (kind: string, name: string, more = '') => `apiVersion: apps/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${more}`;
  const owned = (name: string, kind: string, owner: string) =>
    pod(name, `  ownerReferences:\n  - {apiVersion: apps/v1, kind: ${kind}, name: ${owner}, uid: u, controller: true}\n`);
  const timeline = (more: string) => `apiVersion: podberth/v1\nkind: Timeline\n${more}\nsteps: [{op: settle}]\n`;

  it.each([
    ['a Deployment', workload('Deployment', 'web'), true],
    ['a Job', workload('Job', 'sum'), true],
    ['a ReplicaSet without pods', workload('ReplicaSet', 'web'), true],
    ['a ReplicationController without pods', workload('ReplicationController', 'web'), true],
    ['a ReplicationController with its pod', `${workload('ReplicationController', 'web')}---\n${owned('web-1', 'ReplicationController', 'web')}`, undefined],
    ['a ReplicaSet with its pod', `${workload('ReplicaSet', 'web')}---\n${owned('web-1', 'ReplicaSet', 'web')}`, undefined],
    ['a ReplicaSet that wants no pods', workload('ReplicaSet', 'web', 'spec: {replicas: 0}\n'), undefined],
    ['a Deployment whose pods came without its ReplicaSet', `${workload('Deployment', 'web')}---\n${owned('w', 'ReplicaSet', 'web-7d9')}`, undefined],
    ['a Timeline that says no', `${workload('Deployment', 'web')}---\n${timeline('controllers: false')}`, undefined],
    ['a Timeline that says yes', timeline('controllers: true'), true],
  ])('run with %s: %#', (_, text, expected) => {
    expect(readScenario(texts({ pods: text })).scenario.controllers).toBe(expected);
  });

  it('are created as pods are, in the order of the documents', () => {
    const { scenario, issues } = readScenario(texts({ cluster: NODE, pods: `${pod('a')}---\n${workload('Deployment', 'web')}---\n${pod('b')}` }));
    expect(issues).toEqual([]);
    expect(scenario.objects).toHaveLength(1);
    expect(scenario.steps.map((s) => (s.object as any)?.metadata.name)).toEqual(['a', 'web', 'b', undefined]);
  });

  it('that came with their pods are there from the start', () => {
    const { scenario } = readScenario(texts({ pods: `${workload('DaemonSet', 'log')}---\n${owned('log-x', 'DaemonSet', 'log')}` }));
    expect(scenario.objects.map((o) => o.kind)).toEqual(['DaemonSet']);
    expect(scenario.controllers).toBe(true);
  });

  it('say so if nobody makes their pods', () => {
    const messages = (text: string) => readScenario(texts({ pods: text })).issues.map((issue) => [issue.severity, issue.message]);
    expect(messages(workload('CronJob', 'nightly'))).toEqual([['warning', expect.stringContaining('no controller for a CronJob')]]);
    expect(messages(`${workload('Deployment', 'web')}---\n${timeline('controllers: false')}`)).toEqual([
      ['warning', expect.stringContaining('the controllers are off')],
    ]);
    expect(messages(timeline('controllers: 3'))).toEqual([['error', 'controllers must be true or false']]);
  });

  it('go to the pods when a file is dealt out, and node pools to the cluster', () => {
    const pool = 'apiVersion: podberth/v1\nkind: NodePool\nmetadata: {name: p}\nspec: {count: 2}\n';
    const split = splitDocuments(`${workload('Deployment', 'web')}---\n${pool}`);
    expect(split).toEqual({ cluster: pool, pods: workload('Deployment', 'web'), scheduler: '' });
    expect(splitDocuments(workload('ReplicationController', 'web')).cluster).toBe('');
    const { scenario, issues } = readScenario(split);
    expect(issues).toEqual([]);
    expect(scenario.objects.map((o) => o.kind)).toEqual(['NodePool']);
  });
});

describe('a text that has not changed', () => {
  it('is not read again, and gives the same scenario and the same problems', () => {
    const read: string[] = [];
    const parse = remembering((text, problems) => {
      read.push(text);
      return parseYaml(text, problems);
    });
    const cluster = `${NODE}---\na: yes\n`;
    const first = readScenario(texts({ cluster, scheduler: 'x: 1\n' }), 'a', [], parse);
    const second = readScenario(texts({ cluster, scheduler: 'x: 2\n' }), 'a', [], parse);
    expect(read.filter((text) => text === cluster)).toHaveLength(1);
    expect(read.filter((text) => text.startsWith('x: '))).toEqual(['x: 1\n', 'x: 2\n']);
    expect(second.issues).toEqual(readScenario(texts({ cluster, scheduler: 'x: 2\n' }), 'a').issues);
    expect(second.scenario).toEqual(first.scenario);
    expect(second.locate('/objects/0/metadata/name')).toEqual(first.locate('/objects/0/metadata/name'));
  });
});

describe('problems', () => {
  it('names the cause before what is missing because of it', () => {
    const { issues } = readScenario(texts({ pods: 'a: &a [*a]\n' }));
    expect(issues[0]?.message).toContain('nested more than');
  });

  it('compares the keys of a long mapping without comparing each with each', () => {
    const keys = Array.from({ length: 60_000 }, (_, i) => `k${i}: v`).join('\n');
    const { issues } = readScenario(texts({ cluster: `${keys}\nk7: again\n` }));
    expect(issues[0]?.message).toBe('this key is there twice');
  });

  it.each([
    ['a: 1\nbad\n', 'a colon is missing behind this key'],
    ['a:\n  b: 1\n c: 2\n', 'this line is indented differently from those beside it'],
    ['a: b: c\n', 'a key cannot stand inside a plain value; quote the value, or look at the line above'],
    ['a: "x\nb: 1\n', 'the closing quote is missing'],
    ['a: [1, 2\nb: 1\n', 'a closing bracket is missing, or it stands too far to the left'],
    ['a: }\n', 'this bracket closes nothing'],
    ['- a\nb: 1\n', 'this does not go with what is above it; is its indentation right?'],
    ['a:\n\tb: 1\n', 'a tab cannot indent YAML; use spaces'],
  ])('says of %j in plain words what is wrong', (text, words) => {
    expect(readScenario(texts({ cluster: text })).issues[0]?.message).toBe(words);
  });

  it('points at a duplicate key', () => {
    const text = `${NODE}  name: n2\n`;
    const { issues } = readScenario(texts({ cluster: text }));
    expect(issues[0]?.message).toBe('this key is there twice');
    expect(text.slice(0, issues[0]?.from).split('\n')).toHaveLength(5);
  });

  it('points at the second of two objects of a name', () => {
    const text = `${NODE}---\n${NODE}`;
    const { issues } = readScenario(texts({ cluster: text }));
    expect(issues[0]?.message).toBe('Node "n1" is defined twice');
    expect(issues[0]?.from).toBe(text.lastIndexOf('n1'));
  });

  it.each([
    ['a: [', 'unfinished'],
    ['just text', 'mapping'],
    ['kind: Pod\n', 'apiVersion'],
    ['a:\n\t- b\n', 'tab'],
  ])('refuses %j', (text) => {
    expect(readScenario(texts({ cluster: text })).ok).toBe(false);
  });

  it.each([
    ['200 flow levels', '['.repeat(200)],
    ['20,000 flow levels', '{a: '.repeat(20_000)],
    ['200 block levels', Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['a compact sequence', '- '.repeat(5000)],
  ])('refuses %s without falling over', (_, text) => {
    const { issues } = readScenario(texts({ cluster: text }));
    expect(issues.map((issue) => issue.message).join()).toMatch(/nested|deep/);
  });

  it('refuses an alias bomb', () => {
    const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`).join(', ')}]`);
    const { ok, issues } = readScenario(texts({ cluster: `${NODE}l0: &l0 lol\n${levels.join('\n')}\n` }));
    expect(ok).toBe(false);
    expect(issues.at(-1)?.message).toContain('aliases');
  });

  it('reads a megabyte in reasonable time and refuses nine', () => {
    const many = Array.from({ length: 4000 }, (_, i) => NODE.replace('n1', `n${i}`)).join('---\n');
    expect(readScenario(texts({ cluster: many })).scenario.objects).toHaveLength(4000);
    expect(readScenario(texts({ cluster: '#'.repeat(9_000_000) })).issues[0]?.message).toContain('MB');
  });
});

describe('from a pointer back to the text', () => {
  const cluster = `# nodes\n${NODE}spec:\n  taints:\n  - key: gpu\n    effect: NoSchedule\n`;
  const pods = pod('a', 'spec:\n  containers:\n  - name: main\n    image: "x"\n');
  const reading = readScenario(texts({ cluster, pods }));
  const at = (pointer: string) => {
    const place = reading.locate(pointer);
    return place && { editor: place.editor, text: (place.editor === 'cluster' ? cluster : pods).slice(place.from, place.to) };
  };

  it.each([
    ['/objects/0/metadata/name', 'cluster', 'n1'],
    ['/objects/0/spec/taints/0/effect', 'cluster', 'NoSchedule'],
    ['/objects/0/spec/taints', 'cluster', 'taints'],
    ['/objects/0/spec/taints/0/value', 'cluster', 'key: gpu'],
    ['/steps/0/object/spec/containers/0/image', 'pods', '"x"'],
    ['/steps/0/object', 'pods', 'apiVersion: v1'],
  ])('finds %s', (pointer, editor, text) => {
    expect(at(pointer)).toEqual({ editor, text });
  });

  it('knows nothing of what was not written', () => {
    expect(reading.locate('/steps/1')).toBeNull();
    expect(reading.locate('')).toBeNull();
  });

  it('finds objects by their name', () => {
    expect(reading.find('Node', 'n1')).toBe('/objects/0');
    expect(reading.find('Pod', 'default/a')).toBe('/steps/0/object');
    expect(reading.find('Pod', 'default/b')).toBeNull();
  });
});

describe('one file for three editors', () => {
  const config = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
  it('deals the documents out and keeps their text', () => {
    const bound = pod('on', 'spec:\n  nodeName: n1\n');
    const parts = splitDocuments(`${NODE}---\n${pod('a')}---\n${config}---\n${bound}`);
    expect(parts).toEqual({ cluster: `${NODE}---\n${bound}`, pods: pod('a'), scheduler: config });
  });
  it.each([
    ['a pod that waits', { kind: 'Pod', spec: {} }, 'pods'],
    ['a pod on a node', { kind: 'Pod', spec: { nodeName: 'n1' } }, 'cluster'],
    ['a Deployment, whatever its template says', { kind: 'Deployment', spec: { template: { spec: {} } } }, 'pods'],
    ['a node', { kind: 'Node' }, 'cluster'],
    ['a list', { kind: 'List', items: [{ kind: 'Pod' }] }, 'cluster'],
    ['a configuration', { kind: 'KubeSchedulerConfiguration' }, 'scheduler'],
  ] as const)('deals out JSON as well: %s', (_, object, editor) => {
    for (const space of [0, 4]) {
      const json = `${JSON.stringify({ apiVersion: 'v1', ...object }, null, space)}\n`;
      expect(splitDocuments(json)).toEqual({ cluster: '', pods: '', scheduler: '', [editor]: json });
    }
  });
  it('keeps what only looks like JSON with the cluster', () => {
    expect(splitDocuments('{"kind": "Pod",\n').cluster).toBe('{"kind": "Pod",\n');
  });
  it('comes together again as the same scenario', () => {
    const parts = splitDocuments(`${NODE}---\n${pod('a')}---\n${config}`);
    const whole = readScenario({ cluster: joinDocuments(parts), pods: '', scheduler: '' }).scenario;
    expect(whole).toEqual(readScenario(parts).scenario);
  });
});

// The door as others see it: the module, its types and the command line agree. Run with `node --test`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { createDoor, functions } from '../node.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const podberth = (...args) => promisify(execFile)(process.execPath, [here('../bin/podberth.js'), ...args]);

const node = (name, cpu) => ({
  apiVersion: 'v1', kind: 'Node', metadata: { name },
  status: { allocatable: { cpu, memory: '4Gi', pods: '10' }, capacity: { cpu, memory: '4Gi', pods: '10' } },
});
const pod = (name, cpu) => ({
  apiVersion: 'v1', kind: 'Pod', metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] },
});
const scenario = {
  name: 'small', objects: [node('n1', '2'), node('n2', '1')],
  steps: [{ op: 'create', object: pod('a', '1500m') }, { op: 'create', object: pod('b', '9') }, { op: 'settle' }],
};

test('the types name the functions that the module has', async () => {
  const door = await createDoor();
  const types = await readFile(here('../index.d.ts'), 'utf8');
  const inside = types.slice(types.indexOf('interface Door'), types.indexOf('}', types.indexOf('interface Door')));
  const named = [...inside.matchAll(/^ {2}(\w+)\(/gm)].map((m) => m[1]);
  assert.deepEqual(named.filter((n) => n !== 'bench'), [...functions]);
  for (const name of named) assert.equal(typeof door[name], 'function', name);
});

test('a scenario plays to its end', async () => {
  const door = await createDoor();
  const loaded = JSON.parse(door.load(JSON.stringify(scenario), '{}'));
  assert.equal(loaded.ok, true);
  const ran = JSON.parse(door.run('{"toEnd":true}'));
  assert.equal(ran.done, true);
  const frame = JSON.parse(door.seek(JSON.stringify({ step: ran.steps, nodes: 'all' })));
  assert.equal(frame.pods['default/a'].node, 'n1');
  assert.match(frame.pods['default/b'].message, /^0\/2 nodes are available: 2 Insufficient cpu\./);
});

test('an older release plays, with lots from the seed, or follows a trace', async () => {
  const door = await createDoor();
  const releases = JSON.parse(door.version()).releases.map((r) => r.version);
  assert.deepEqual(releases, ['v1.37.2', 'v1.24.17']);
  const equal = {
    name: 'equal', release: 'v1.24', objects: ['n1', 'n2', 'n3'].map((n) => node(n, '2')),
    steps: [{ op: 'create', object: pod('a', '1') }, { op: 'settle' }],
  };
  const hostWith = (options, seed) => {
    assert.equal(JSON.parse(door.load(JSON.stringify({ ...equal, seed }), JSON.stringify(options))).ok, true);
    const ran = JSON.parse(door.run('{"toEnd":true}'));
    if (ran.failure) return ran.failure;
    return JSON.parse(door.seek(JSON.stringify({ step: ran.steps, nodes: 'all' }))).pods['default/a'].node;
  };
  const drawn = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => hostWith({}, seed));
  assert.ok(new Set(drawn).size > 1);
  assert.deepEqual(drawn, [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => hostWith({}, seed)));
  const follow = (host) => ({ follow: { trace: [{ type: 'cycle', pod: 'default/a', attempt: 1, host }] } });
  for (const host of ['n1', 'n2', 'n3']) assert.equal(hostWith(follow(host)), host);
  assert.match(hostWith(follow('n4')), /the choice of node n4 for pod default\/a \(attempt 1\) cannot be followed/);
});

test('a failure is a value, whatever goes in', async () => {
  const door = await createDoor();
  for (const bad of ['', '{', 'null', '[]', '{"objects":1}', '['.repeat(5000), '{"steps":[{}]}', '\u0000', '{"a":"\ud800"}']) {
    const answer = JSON.parse(door.load(bad, ''));
    assert.equal(answer.ok, false, bad.slice(0, 20));
    assert.ok(answer.issues.length > 0);
  }
  for (const name of functions.filter((n) => n !== 'version')) {
    const answer = JSON.parse(name === 'load' ? door.load('x', 'y') : door[name]('{"step":-1}'));
    assert.equal(typeof answer.ok, 'boolean', name);
  }
});

test('the hash after a seek is the hash after so many steps', async () => {
  const door = await createDoor();
  door.load(JSON.stringify(scenario), '{}');
  const { steps } = JSON.parse(door.run('{"toEnd":true}'));
  const hash = (step) => JSON.parse(door.seek(JSON.stringify({ step }))).hash;
  const forward = Array.from({ length: steps + 1 }, (_, i) => hash(i));
  for (let i = steps; i >= 0; i--) assert.equal(hash(i), forward[i]);
});

test('through a worker the answers are the same, and a trap is an error', async () => {
  const { connect, serve } = await import('../worker.js');
  const direct = await createDoor();
  const { port1, port2 } = new MessageChannel();
  serve(port2, () => createDoor());
  const door = connect(port1);
  const text = JSON.stringify(scenario);
  assert.equal(await door.load(text, '{}'), direct.load(text, '{}'));
  assert.equal(await door.run('{"toEnd":true}'), direct.run('{"toEnd":true}'));
  assert.equal(await door.seek('{"step":5}'), direct.seek('{"step":5}'));
  port1.close();
  const broken = new MessageChannel();
  serve(broken.port2, async () => ({ version: () => { throw new Error('unreachable'); } }));
  await assert.rejects(connect(broken.port1).version(), /unreachable/);
  broken.port1.close();
});

test('podberth run prints a table, podberth trace writes traces, YAML is read', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'podberth-'));
  const yaml = join(dir, 'small.yaml');
  const documents = [node('n1', '2'), pod('a', '1500m')].map((o) => JSON.stringify(o));
  await writeFile(yaml, documents.join('\n---\n'));
  const { stdout } = await podberth('run', yaml);
  assert.match(stdout, /^POD +NODE/);
  assert.match(stdout, /default\/a +n1/);
  await podberth('trace', yaml, '-o', dir);
  const trace = JSON.parse(await readFile(join(dir, 'small.trace.json'), 'utf8'));
  assert.ok(trace.trace.some((e) => e.type === 'bind' && e.node === 'n1'));
  await assert.rejects(podberth('run', join(dir, 'missing.json')));
  await assert.rejects(podberth('dance'));
});

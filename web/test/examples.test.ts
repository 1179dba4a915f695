import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { readScenario } from '../src/scenario/read';
import { splitDocuments } from '../src/scenario/split';
import { readReadme } from '../src/state/gallery';
import type { Door } from '../src/engine/door';

// Every lesson is run by the module, and what it teaches is compared with what happens. The expected facts come from the
// real scheduler (./dev oracle examples/*/scenario.yaml).

const root = fileURLToPath(new URL('../../examples', import.meta.url));
const lessons = readdirSync(root).filter((name) => existsSync(join(root, name, 'scenario.yaml')));
const wasm = fileURLToPath(new URL('../../wasm/dist/podberth.wasm', import.meta.url));
const built = existsSync(wasm);

interface Fact {
  pod?: string;
  node?: string;
  pending?: boolean;
  message?: string;
  total?: Record<string, number>;
  bindOrder?: string[];
  moved?: string;
  by?: string;
  at?: number;
  attempts?: number;
}
/* eslint-disable @typescript-eslint/no-explicit-any */
type Entry = any;

function judge(fact: Fact, trace: Entry[]): void {
  const of = (type: string) => trace.filter((entry) => entry.type === type && (!fact.pod || entry.pod === fact.pod));
  if (fact.bindOrder) expect(of('bind').map((entry) => entry.pod)).toEqual(fact.bindOrder);
  if (fact.node) expect(of('bind').at(-1)?.node).toBe(fact.node);
  if (fact.attempts !== undefined) expect(of('cycle')).toHaveLength(fact.attempts);
  if (fact.total) {
    const { scores } = of('cycle')[0];
    expect(Object.fromEntries(Object.entries<any>(scores).map(([node, score]) => [node, score.total]))).toEqual(fact.total);
  }
  if (fact.moved) expect(of('move')).toContainEqual(expect.objectContaining({ queue: fact.moved, event: fact.by, t: fact.at }));
  if (fact.pending) {
    const states = trace.map((entry) => entry.pods?.[fact.pod ?? '']).filter(Boolean);
    expect(states.at(-1)?.node ?? '').toBe('');
    expect(states.at(-1)?.message).toBe(fact.message);
  }
}

describe.each(lessons)('%s', (name) => {
  const yaml = readFileSync(join(root, name, 'scenario.yaml'), 'utf8');

  it('has a title, a summary and a text of three to six sentences', () => {
    const { title, summary, text } = readReadme(readFileSync(join(root, name, 'README.md'), 'utf8'));
    expect(title).not.toBe('');
    expect(summary).not.toBe('');
    const sentences = text.join(' ').split(/[.?!](?:\s|$)/).filter(Boolean).length;
    expect(sentences).toBeGreaterThanOrEqual(3);
    expect(sentences).toBeLessThanOrEqual(6);
  });

  it('is read without a complaint, also when it is dealt out to the editors', () => {
    const whole = readScenario({ cluster: yaml, pods: '', scheduler: '' }, name);
    expect(whole.issues).toEqual([]);
    expect(readScenario(splitDocuments(yaml), name).scenario.steps).toEqual(whole.scenario.steps);
  });

  describe.skipIf(!built)('in the module', () => {
    let door: Door;
    beforeAll(async () => {
      const { createDoor } = await import('podberth/node');
      door = await createDoor(readFileSync(wasm));
    });

    it('happens as the lesson tells it', () => {
      const { scenario } = readScenario(splitDocuments(yaml), name);
      expect(JSON.parse(door.load(JSON.stringify(scenario), '{}'))).toMatchObject({ ok: true });
      expect(JSON.parse(door.run('{"toEnd":true}'))).toMatchObject({ ok: true, done: true });
      const { trace } = JSON.parse(JSON.parse(door.trace('{"informers":false}')).trace);
      const { expect: facts } = JSON.parse(readFileSync(join(root, name, 'expected.json'), 'utf8')) as { expect: Fact[] };
      expect(facts.length).toBeGreaterThan(0);
      for (const fact of facts) judge(fact, trace);
    });

    it('happens differently in another release, if that is what it is about', ({ skip }) => {
      const { expect: _, release, ...others } = JSON.parse(readFileSync(join(root, name, 'expected.json'), 'utf8')) as Record<string, Fact[]>;
      const known = (JSON.parse(door.version()).releases ?? []).map((one: { name: string }) => one.name);
      for (const [other, facts] of Object.entries(others)) {
        if (!known.includes(other)) return skip(`${other} is not in this module`);
        const { scenario } = readScenario(splitDocuments(yaml), name);
        expect(JSON.parse(door.load(JSON.stringify({ ...scenario, release: other }), '{}'))).toMatchObject({ ok: true });
        expect(JSON.parse(door.run('{"toEnd":true}'))).toMatchObject({ ok: true, done: true });
        const { trace } = JSON.parse(JSON.parse(door.trace('{"informers":false}')).trace);
        if (!trace.some((entry: Entry) => entry.type === 'cycle')) return skip(`${other} does not run yet`);
        for (const fact of facts) judge(fact, trace);
      }
    });

    it('is the same whether one steps forward or jumps', () => {
      const { scenario } = readScenario(splitDocuments(yaml), name);
      door.load(JSON.stringify(scenario), '{}');
      const { steps } = JSON.parse(door.run('{"toEnd":true}'));
      const seek = (step: number, nodes = 'all') => JSON.parse(door.seek(JSON.stringify({ step, nodes })));
      const forward = Array.from({ length: steps + 1 }, (_, step) => seek(step, 'changed').hash);
      for (let step = steps; step >= 0; step -= 3) expect(seek(step).hash, `step ${step}`).toBe(forward[step]);
    });
  });
});

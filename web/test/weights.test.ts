import { describe, expect, it } from 'vitest';
import { readWeights, writeWeight } from '../src/scenario/weights';

const DEFAULTS = new Map([
  ['NodeResourcesFit', 1],
  ['NodeAffinity', 2],
  ['ImageLocality', 1],
]);
const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const get = (text: string, plugin: string) => readWeights(text, DEFAULTS)?.get(plugin)?.weight;

describe('weights in the YAML', () => {
  it('are the defaults where the text says nothing', () => {
    expect(get('', 'NodeAffinity')).toBe(2);
    expect(get(HEAD, 'NodeAffinity')).toBe(2);
  });
  it.each([
    ['multiPoint', 5],
    ['score', 7],
  ])('are read at %s', (point, weight) => {
    const text = `${HEAD}profiles:\n- plugins:\n    ${point}:\n      enabled:\n      - name: NodeAffinity\n        weight: ${weight}\n`;
    expect(get(text, 'NodeAffinity')).toBe(weight);
    expect(get(text, 'ImageLocality')).toBe(1);
  });
  it.each(['NodeAffinity', '"*"'])('are 0 where the text disables %s', (name) => {
    expect(get(`${HEAD}profiles:\n- plugins:\n    score:\n      disabled:\n      - name: ${name}\n`, 'NodeAffinity')).toBe(0);
  });
  it('are unknown while the text cannot be read', () => {
    expect(readWeights('a: [', DEFAULTS)).toBeNull();
    expect(writeWeight('a: [', 'NodeAffinity', 3)).toBeNull();
  });
});

describe('moving a slider', () => {
  it('changes only the number if there is one', () => {
    const text = `# mine\n${HEAD}profiles:\n- plugins:\n    multiPoint:\n      enabled:\n      - {name: NodeAffinity,  weight:   2}  # why\n`;
    expect(writeWeight(text, 'NodeAffinity', 9)).toBe(text.replace('  weight:   2', '  weight:   9'));
  });
  it.each([
    ['', 'nothing'],
    [HEAD, 'a configuration without profiles'],
    [`${HEAD}profiles:\n- schedulerName: mine # kept\n`, 'a profile without plugins'],
  ])('writes what is needed into %j', (text) => {
    const next = writeWeight(text, 'NodeResourcesFit', 4) ?? '';
    expect(get(next, 'NodeResourcesFit')).toBe(4);
    expect(get(next, 'NodeAffinity')).toBe(2);
    if (text.includes('mine')) expect(next).toContain('schedulerName: mine # kept');
  });
  it('goes to 0 by disabling the plugin, and comes back', () => {
    const off = writeWeight('', 'NodeAffinity', 0) ?? '';
    expect(off).toContain('disabled');
    expect(get(off, 'NodeAffinity')).toBe(0);
    const on = writeWeight(off, 'NodeAffinity', 3) ?? '';
    expect(get(on, 'NodeAffinity')).toBe(3);
    expect(on).not.toContain('disabled');
  });
  it('says the same both ways, whatever the order of the moves', () => {
    let text = '';
    const want = new Map<string, number>();
    for (const [plugin, weight] of [['NodeAffinity', 5], ['ImageLocality', 0], ['NodeResourcesFit', 10], ['ImageLocality', 2], ['NodeAffinity', 0]] as const) {
      text = writeWeight(text, plugin, weight) ?? '';
      want.set(plugin, weight);
      for (const [name, value] of want) expect(get(text, name)).toBe(value);
    }
  });
});

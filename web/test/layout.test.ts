import { describe, expect, it } from 'vitest';
import { barsOf, heatPlace, layout, SIZE } from '../src/board/layout';
import { amount, groupOf, left, lookOf, shortName } from '../src/board/look';
import type { Frame, NodeView, PodView } from '../src/engine/door';

const node = (name: string, pods: string[] = [], zone = ''): NodeView => ({
  name,
  zone,
  unschedulable: false,
  taints: [],
  allocatable: { cpu: 4000, memory: 1 << 30, pods: 110 },
  requested: {},
  pods,
  gone: false,
});
const frame = (active: string[], cycle: string | null = null, binding: string[] = []): Pick<Frame, 'queues' | 'cycle' | 'binding'> => ({
  queues: { active: active.map((pod) => ({ pod, priority: 0, attempts: 0 })), backoff: [], unschedulable: [] },
  cycle: cycle ? { pod: cycle, attempt: 1, profile: 'default-scheduler', points: [], host: '' } : null,
  binding: binding.map((pod) => ({ pod, node: 'n', points: [] })),
});
const NO_PODS: ReadonlyMap<string, PodView> = new Map();

describe('the board', () => {
  it('is the same for the same input', () => {
    const make = () => layout(frame(['a', 'b'], 'c', ['d']), [node('n1', ['x', 'y'])], NO_PODS, 640);
    expect(make()).toEqual(make());
  });

  it('keeps no more rows free than pods can wait, and never fewer than the queues have', () => {
    const height = (waiting: string[], mayWait: number) => layout(frame(waiting), [], NO_PODS, 640, mayWait).lanes.active.height;
    expect(height([], 1)).toBe(height(['a'], 1));
    expect(height([], 2)).toBe(height(['a', 'b'], 2));
    expect(height([], 9)).toBe(height([], 2));
    expect(height(['a', 'b', 'c'], 1)).toBe(SIZE.head + 3 * SIZE.row);
  });

  it('draws bars of what pods can request, not of what is attached', () => {
    const allocatable = { cpu: 1, memory: 1, 'attachable-volumes-aws-ebs': 25, 'hugepages-2Mi': 0, 'nvidia.com/gpu': 4 };
    expect(barsOf({ ...node('n'), allocatable })).toEqual(['cpu', 'memory', 'nvidia.com/gpu']);
  });

  it('puts pods into the lane in the order of the queue', () => {
    const { tokens } = layout(frame(['b', 'a']), [], NO_PODS, 640);
    expect(tokens.get('a')?.y).toBe((tokens.get('b')?.y ?? 0) + SIZE.row);
  });

  it.each([320, 390, 640, 1100])('keeps everything inside a width of %i, and no two pods on one place', (width) => {
    const nodes = Array.from({ length: 7 }, (_, i) => node(`n${i}`, Array.from({ length: i * 4 }, (_, k) => `p${i}-${k}`)));
    const plan = layout(frame(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], 'i', ['j', 'k']), nodes, NO_PODS, width);
    const seen = new Set<string>();
    for (const token of plan.tokens.values()) {
      expect(token.x).toBeGreaterThanOrEqual(0);
      expect(token.x + token.width).toBeLessThanOrEqual(width);
      expect(token.y + SIZE.token).toBeLessThanOrEqual(plan.height);
      seen.add(`${token.x} ${token.y}`);
    }
    expect(seen.size).toBe(plan.tokens.size);
  });

  it('shows the head of a long queue and says how many there are', () => {
    const { lanes, tokens } = layout(frame(Array.from({ length: 500 }, (_, i) => `p${i}`)), [], NO_PODS, 640);
    expect(lanes.active.shown).toHaveLength(SIZE.rowsShown);
    expect(lanes.active.hidden).toBe(500 - SIZE.rowsShown);
    expect(lanes.active.total).toBe(500);
    expect(tokens.size).toBe(SIZE.rowsShown);
  });

  it('sorts node cards by zone and keeps their order otherwise', () => {
    const { cards } = layout(frame([]), [node('c', [], 'b'), node('b', [], 'a'), node('a', [], 'a')], NO_PODS, 640);
    expect(cards.map((card) => card.node.name)).toEqual(['b', 'a', 'c']);
  });

  it('does not let cards overlap', () => {
    const { cards } = layout(frame([]), Array.from({ length: 12 }, (_, i) => node(`n${i}`, i % 2 ? ['a', 'b', 'c', 'd', 'e'].map((p) => p + i) : [])), NO_PODS, 640);
    for (const a of cards) {
      for (const b of cards) {
        if (a === b) continue;
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(apart, `${a.node.name} ${b.node.name}`).toBe(true);
      }
    }
  });

  it('becomes a heat map for many nodes, without tokens on them', () => {
    const nodes = Array.from({ length: 5000 }, (_, i) => node(`n${i}`, [`p${i}`]));
    const { heat, cards, tokens, height } = layout(frame(['a']), nodes, NO_PODS, 640);
    expect(cards).toEqual([]);
    expect(tokens.size).toBe(1);
    const last = heat && heatPlace(heat, 'n4999');
    expect(last && last.y + SIZE.heatCell).toBe(height);
  });
});

describe('looks', () => {
  it('belong to the group, not to the pod', () => {
    expect(lookOf(groupOf('default/web-1', 'app=web'))).toEqual(lookOf(groupOf('default/web-2', 'app=web')));
    expect(groupOf('default/web-7d4b9c6f5-x2x4z', undefined)).toBe('default/web');
  });
  it('differ enough among the groups of a small cluster', () => {
    const looks = new Set(['web', 'db', 'api', 'cache', 'batch', 'train', 'logs', 'proxy'].map((app) => JSON.stringify(lookOf(`app=${app}`))));
    expect(looks.size).toBeGreaterThanOrEqual(7);
  });
  it.each([
    ['cpu', 250, '250m'],
    ['cpu', 4000, '4'],
    ['cpu', 1500, '1.5'],
    ['memory', 8589934592, '8Gi'],
    ['memory', 0, '0'],
    ['example.com/gpu', 2, '2'],
  ])('write %s %i as %s', (resource, value, text) => {
    expect(amount(resource, value)).toBe(text);
  });
  it('name pods of the default namespace by their name alone', () => {
    expect(shortName('default/web')).toBe('web');
    expect(shortName('shop/web')).toBe('shop/web');
  });
  it('tell how long is left', () => {
    expect(left(1.979)).toBe('2.0 s left');
    expect(left(0)).toBe('due');
  });
});

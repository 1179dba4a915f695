import { deflateSync, strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { decodeState, encodeState, LINK_LIMITS, makeFragment, readFragment, type Shared, toBase64Url } from '../src/share/link';

const STATE: Shared = {
  title: 'Ümläut & 雪 🚢',
  texts: { cluster: 'apiVersion: v1\r\nkind: Node\n\ttabs and “quotes”\n', pods: 'kind: Pod\n', scheduler: '' },
  later: [{ op: 'advance', seconds: 10 }, { op: 'settle' }],
};

describe('links', () => {
  it('give back every byte', () => {
    const fragment = makeFragment(STATE, 7) ?? '';
    expect(readFragment(fragment)).toEqual({ kind: 'state', state: STATE, step: 7 });
  });

  it('use only characters that survive a chat, and end in a digit', () => {
    expect(makeFragment(STATE, 12)).toMatch(/^#s=1k\.[A-Za-z0-9_-]+&step=12$/);
  });

  // Links that are in the world. If one of these fails, a published link broke: bring the old reader back.
  it.each([
    ['#s=1k.g0S4e35OSipIiIJoh4Ys1FylWgA&step=3', { title: 'Golden', texts: { cluster: 'apiVersion: v1\nkind: Node\nmetadata:\n  name: node-1\n', pods: '', scheduler: '' }, later: [] }, 3],
    [
      '#s=1k.g0R4cMHhJcBuEjTeoWGEqVhZISc1tQjMzVGyiq5WygeHJaR7DVIDqZOUrAwNanWgspBOuVJtbC0A&step=0',
      { title: 'Später', texts: { cluster: '', pods: 'kind: Pod\n', scheduler: '# leer\n' }, later: [{ op: 'advance', seconds: 10 }, { op: 'settle' }] },
      0,
    ],
  ])('made earlier still open: %s', (fragment, state, step) => {
    expect(readFragment(fragment)).toEqual({ kind: 'state', state, step });
  });

  it('can be packed without the dictionary', () => {
    const bytes = deflateSync(strToU8(JSON.stringify({ t: 'a', c: 'b', p: 'c', s: 'd' })));
    expect(decodeState(`1d.${toBase64Url(bytes)}`)).toEqual({
      state: { title: 'a', texts: { cluster: 'b', pods: 'c', scheduler: 'd' }, later: [] },
    });
  });

  it('name an example', () => {
    expect(readFragment('#example=first-binding&step=2')).toEqual({ kind: 'example', name: 'first-binding', step: 2 });
    expect(readFragment('')).toEqual({ kind: 'none' });
  });

  it.each([
    ['a newer format', '#s=2k.abc', 'newer'],
    ['an unknown codec', '#s=1z.abc', 'z'],
    ['no format', '#s=hello', 'damaged'],
    ['foreign characters', '#s=1k.a!b', 'damaged'],
    ['an empty payload', '#s=1k.', 'damaged'],
    ['noise', '#s=1k.AAAAAAAAAAAAAAAA', 'damaged'],
  ])('with %s say so', (_, fragment, word) => {
    const read = readFragment(fragment);
    expect(read.kind).toBe('broken');
    expect(read.kind === 'broken' && read.message).toContain(word);
  });

  it('that were cut say so, wherever they were cut', () => {
    const code = encodeState(STATE) ?? '';
    for (let length = 4; length < code.length - 1; length += 3) {
      expect(decodeState(code.slice(0, length)), `${length}`).toHaveProperty('message');
    }
  });

  it('do not unpack a bomb', () => {
    const bomb = deflateSync(new Uint8Array(40_000_000), { level: 9 });
    expect(decodeState(`1d.${toBase64Url(bomb)}`)).toHaveProperty('message');
  });

  it('are not made of too much text', () => {
    const texts = { ...STATE.texts, cluster: 'x'.repeat(LINK_LIMITS.text + 1) };
    expect(encodeState({ ...STATE, texts })).toBeNull();
  });

  it('ignore a step that is no number', () => {
    const fragment = (makeFragment(STATE, 1) ?? '').replace('step=1', 'step=-5e');
    expect(readFragment(fragment)).toMatchObject({ kind: 'state', step: 0 });
  });
});

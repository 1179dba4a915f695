import { describe, expect, it } from 'vitest';
import { readMessage } from '../src/embed/messages';

describe('messages to an embedded page', () => {
  it.each([null, 'text', 7, {}, { podberth: 2, type: 'step' }, { podberth: 1 }, { podberth: 1, type: 'eval' }, { type: 'step' }])('%j is ignored', (data) => {
    expect(readMessage(data)).toBeNull();
  });
  it('are read if they are well formed', () => {
    expect(readMessage({ podberth: 1, type: 'play' })).toEqual({ type: 'play' });
    expect(readMessage({ podberth: 1, type: 'set', step: 3.7, theme: 'dark', example: 'x' })).toEqual({ type: 'set', step: 3, theme: 'dark', example: 'x' });
  });
  it('may carry a scenario as one text or as three', () => {
    const kind = { podberth: 1, type: 'set' };
    expect(readMessage({ ...kind, scenario: 'kind: Pod\n' })).toMatchObject({ texts: { pods: 'kind: Pod\n', cluster: '' } });
    expect(readMessage({ ...kind, scenario: { pods: 'p', cluster: 5 } })).toMatchObject({ texts: { pods: 'p', cluster: '', scheduler: '' } });
  });
  it('lose what is of the wrong type', () => {
    expect(readMessage({ podberth: 1, type: 'set', step: '3', theme: 'pink', title: 1 })).toEqual({ type: 'set' });
  });
});

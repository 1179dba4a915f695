import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { verdict, weigh } from '../dev/budget';

describe('the budget of the page', () => {
  const code = Array.from({ length: 500 }, (_, i) => `export const a${i} = ${i * 7919};`).join('\n');
  it('weighs scripts and styles as they are sent, and nothing else', () => {
    const bytes = gzipSync(code, { level: 9 }).length;
    expect(weigh({ 'assets/a.js': code, 'assets/b.css': code, 'assets/c.wasm': code, 'index.html': code })).toBe(2 * bytes);
  });
  it('is kept to the byte', () => {
    expect(verdict(100, 100).fits).toBe(true);
    expect(verdict(101, 100)).toEqual({ fits: false, words: 'scripts and styles: 101 of 100 bytes gzip' });
  });
});

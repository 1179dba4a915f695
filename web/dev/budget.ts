// How large the page's own scripts and styles may be when compressed, without the module, which has a budget of its own
// (wasm/size.mjs). A build that is larger fails.

import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const BUDGET = 324 * 1024; // bytes, gzip, in all

export function weigh(files: Record<string, string | Uint8Array>): number {
  return Object.entries(files).reduce((sum, [name, text]) => (/\.(js|css)$/.test(name) ? sum + gzipSync(text, { level: 9 }).length : sum), 0);
}

export function verdict(bytes: number, budget = BUDGET): { fits: boolean; words: string } {
  return { fits: bytes <= budget, words: `scripts and styles: ${bytes} of ${budget} bytes gzip` };
}

export function bundleBudget(): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    enforce: 'post',
    writeBundle(_, bundle) {
      const files = Object.fromEntries(Object.values(bundle).map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]));
      const { fits, words } = verdict(weigh(files));
      if (!fits) this.error(`over the budget: ${words}`);
      console.log(words);
    },
  };
}

// Writes sw.js beside the built page: the page works offline once it was open. It knows the files of this build, by their
// hashed names; a new build has another list and so another cache.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SOURCE = fileURLToPath(new URL('./service_worker.js', import.meta.url));

export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const files = Object.keys(bundle).filter((name) => name.startsWith('assets/')).sort();
        const source = readFileSync(SOURCE, 'utf8');
        const version = createHash('sha256').update(files.join('\n')).update(source).digest('hex').slice(0, 12);
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: source.replace("'VERSION'", JSON.stringify(version)).replace("['FILES']", JSON.stringify(files)) });
      },
    },
  };
}

import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { apiSchema } from './dev/api_schema.ts';
import { bundleBudget } from './dev/budget.ts';
import { serviceWorker } from './dev/service_worker.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// PODBERTH_FAKE=1 puts recorded runs behind the door, to work on the page without a toolchain for the core. Such a build
// goes to a folder of its own, so that it cannot be published by mistake.
const fake = Boolean(process.env.PODBERTH_FAKE);

export default defineConfig({
  base: './',
  plugins: [svelte(), apiSchema(), serviceWorker(), ...(fake ? [] : [bundleBudget()])],
  resolve: { alias: fake ? [{ find: /^podberth$/, replacement: here('./dev/fake_door.ts') }] : [] },
  worker: { format: 'es' },
  build: {
    outDir: fake ? 'dist-fake' : 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    rollupOptions: { input: { index: here('./index.html'), embed: here('./embed.html') } },
  },
  // A sandboxed frame has no origin: what it loads must be readable by anybody, as it is on GitHub Pages.
  server: { fs: { allow: ['..'] }, cors: { origin: '*' } },
  preview: { cors: { origin: '*' } },
  // A test may take long on a busy machine; none of them measures time.
  test: { include: ['test/**/*.test.ts'], environment: 'node', testTimeout: 60_000 },
});

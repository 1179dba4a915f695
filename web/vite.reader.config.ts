// The page's YAML reader as one file for Node: the command line reads scenarios with the same code.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    ssr: true,
    outDir: 'dist-reader',
    target: 'node20',
    rollupOptions: {
      input: fileURLToPath(new URL('./src/scenario/node.ts', import.meta.url)),
      output: { entryFileNames: 'scenario.js' },
    },
  },
  ssr: { noExternal: true },
});

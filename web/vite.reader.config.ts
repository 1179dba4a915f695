// The page's YAML reader as one file for Node: the command line reads scenarios with the same code.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    ssr: true,
    outDir: fileURLToPath(new URL('../wasm/dist', import.meta.url)),
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'node20',
    rollupOptions: {
      input: fileURLToPath(new URL('./src/scenario/node.ts', import.meta.url)),
      output: { entryFileNames: 'scenario.mjs' },
    },
  },
  ssr: { noExternal: true },
});

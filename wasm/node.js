// The door in Node: the module's bytes come from the package itself.
import { readFile } from 'node:fs/promises';

// The module is built for pages and workers; all it looks for here is that there is a `window`.
globalThis.window ??= globalThis;

const { createDoor: create, functions } = await import('./index.js');
export { functions };

/** @returns {Promise<import('./index.d.ts').Door>} */
export async function createDoor(wasm) {
  return create(wasm ?? (await readFile(new URL('./dist/podberth.wasm', import.meta.url))));
}

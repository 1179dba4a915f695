// Makes a door out of the module's bytes, or of the address they are at. See DOOR.md.
import createPodberth from './dist/podberth.mjs';

export const functions = ['version', 'load', 'run', 'seek', 'apply', 'attempt', 'explain', 'check', 'trace'];

/**
 * @param {string | URL | ArrayBuffer | Uint8Array} wasm where podberth.wasm is, or its bytes
 * @returns {Promise<import('./index.d.ts').Door>}
 */
export async function createDoor(wasm) {
  const bytes = typeof wasm === 'string' || wasm instanceof URL;
  const module = await createPodberth(bytes ? { locateFile: () => String(wasm) } : { wasmBinary: wasm });
  const door = { bench: (scenario) => module.bench(scenario) };
  for (const name of functions) door[name] = (...args) => module[name](...args);
  return door;
}

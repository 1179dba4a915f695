// Opens the module. Used by the worker, and by the page itself where a worker cannot be had.
import { createDoor } from 'podberth';
import type { Door } from './door';

export function openDoor(): Promise<Door> {
  // The file is there once the core was built.
  return createDoor(new URL('../../../wasm/dist/podberth.wasm', import.meta.url).href);
}

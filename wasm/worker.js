// The door in a worker, so that a long run never blocks the page.
//
// In the worker's script:            import { serve } from 'podberth/worker'; serve(self, () => createDoor(wasmUrl));
// In the page or another thread:     const door = connect(new Worker(url, { type: 'module' })); await door.load(text, '{}');
//
// Messages are {id, name, args} there and {id, result} or {id, error} back. After an error the instance cannot be trusted:
// throw the worker away, make a new one and load the scenario again.
import { functions } from './index.js';

/**
 * Answers calls that come through `port` with a door.
 * @param {import('./index.d.ts').Port} port
 * @param {() => Promise<import('./index.d.ts').Door>} makeDoor
 */
export function serve(port, makeDoor) {
  const door = makeDoor();
  const answer = async (event) => {
    const { id, name, args } = event.data ?? {};
    if (typeof id !== 'number' || !functions.includes(name) || !Array.isArray(args)) return;
    try {
      port.postMessage({ id, result: (await door)[name](...args.map(String)) });
    } catch (error) {
      port.postMessage({ id, error: String(error?.message ?? error) });
    }
  };
  port.addEventListener('message', answer);
  port.start?.();
}

/**
 * A door whose functions return promises.
 * @param {import('./index.d.ts').Port} port a Worker or a MessagePort at whose other end `serve` listens
 * @returns {import('./index.d.ts').AsyncDoor}
 */
export function connect(port) {
  const waiting = new Map();
  let last = 0;
  port.addEventListener('message', (event) => {
    const { id, result, error } = event.data ?? {};
    const call = waiting.get(id);
    if (!call) return;
    waiting.delete(id);
    if (error === undefined) call.resolve(result);
    else call.reject(new Error(error));
  });
  port.addEventListener('error', (event) => {
    for (const call of waiting.values()) call.reject(new Error(event.message ?? 'the worker failed'));
    waiting.clear();
  });
  port.start?.();
  const call = (name, args) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      port.postMessage({ id: last, name, args });
    });
  return Object.fromEntries(functions.map((name) => [name, (...args) => call(name, args)]));
}

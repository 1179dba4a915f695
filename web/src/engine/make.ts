import { Engine } from './client';

export function makeEngine(): Engine {
  return new Engine(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }));
}

/** The door of the module: text in, text out, a failure is a value. DOOR.md describes every field. */
export interface Door {
  version(): string;
  load(scenario: string, options: string): string;
  run(budget: string): string;
  seek(target: string): string;
  apply(op: string): string;
  attempt(query: string): string;
  explain(query: string): string;
  check(document: string): string;
  trace(options: string): string;
  /** Times the decisions on a scenario; for benchmarks. */
  bench(scenario: string): string;
}
/** The names of the door's functions. */
export const functions: readonly string[];
/** Makes a door from the address of podberth.wasm or from its bytes. */
export function createDoor(wasm: string | URL | ArrayBuffer | Uint8Array): Promise<Door>;

/** A Worker, a worker's own global scope, or a MessagePort. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: string, listener: (event: MessageEvent & { message?: string }) => void): void;
  start?(): void;
}
/** The door at the other end of a port (podberth/worker): the same functions, each returning a promise. */
export type AsyncDoor = { [name in Exclude<keyof Door, 'bench'>]: (...args: Parameters<Door[name]>) => Promise<string> };
/** podberth/worker: answers calls that come through `port`. */
export function serve(port: Port, makeDoor: () => Promise<Door>): void;
/** podberth/worker: a door of promises. After a rejection, throw the worker away and make a new one. */
export function connect(port: Port): AsyncDoor;

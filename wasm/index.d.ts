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

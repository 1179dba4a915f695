// The page's end of the wire. One worker owns one session; after a trap or a call that never comes back the worker is
// thrown away and the session is replayed in a new one from what was asked of the old one.

import { type Remote, wrap } from 'comlink';
import type { JsonObject, Place, Texts } from '../scenario/types';
import type {
  ApplyReply,
  Attempt,
  DoorFunction,
  Explanation,
  Frame,
  Issue,
  Op,
  Reply,
  RunReply,
  TraceReply,
  VersionReply,
} from './door';
import type { Decision } from './decisions';
import type { ReadReply, Service } from './service';

type Wire = Pick<Service, 'start' | 'call' | 'read' | 'locate' | 'locateChecked' | 'find' | 'decisions'>;
type AsyncWire = { [K in keyof Wire]: (...args: Parameters<Wire[K]>) => Promise<Awaited<ReturnType<Wire[K]>>> };

const CALL_TIMEOUT_MS = 20_000;
const STOPPABLE_MS = 60_000; // for what somebody who waits can stop

class Stopped extends Error {}

function failure(message: string): Reply {
  return { ok: false, issues: [{ severity: 'error', path: '', message }] };
}

export class Engine {
  restarts = 0;
  private wire: AsyncWire | null = null;
  private worker: Worker | null = null;
  private log: { name: DoorFunction; argument: string }[] = [];
  private lastRead: Parameters<Wire['read']> | null = null;
  private tail: Promise<unknown> = Promise.resolve();
  private giveUp: ((why: Error) => void) | null = null; // of the call that is going on

  constructor(private readonly makeWorker: () => Worker | null) {}

  private async open(): Promise<AsyncWire> {
    if (this.wire) return this.wire;
    let worker: Worker | null = null;
    try {
      worker = this.makeWorker();
    } catch {
      // A frame without an origin may not start a worker: the module then runs in the page.
    }
    if (worker) {
      this.worker = worker;
      const broken = new Promise<never>((_, reject) => {
        worker.addEventListener('error', (event) => reject(new Error(event.message || 'the worker could not start')));
      });
      const remote = wrap<Service>(worker) as unknown as Remote<Service>;
      const wire = remote as unknown as AsyncWire;
      try {
        await within(CALL_TIMEOUT_MS, Promise.race([wire.start(), broken]));
        this.wire = wire;
        return wire;
      } catch {
        worker.terminate();
        this.worker = null;
      }
    }
    const { Service: Local } = await import('./service');
    const local = new Local();
    await local.start();
    const async_ =
      <A extends unknown[], R>(f: (...args: A) => R) =>
      async (...args: A) =>
        f(...args);
    this.wire = {
      start: async_(local.start.bind(local)),
      call: async_(local.call.bind(local)),
      read: async_(local.read.bind(local)),
      locate: async_(local.locate.bind(local)),
      locateChecked: async_(local.locateChecked.bind(local)),
      find: async_(local.find.bind(local)),
      decisions: async_(local.decisions.bind(local)),
    } as unknown as AsyncWire;
    return this.wire;
  }

  // Calls one after the other: a session has one position.
  private queue<T>(work: () => Promise<T>): Promise<T> {
    const next = this.tail.then(work, work);
    this.tail = next.catch(() => undefined);
    return next;
  }

  private discard(): void {
    this.worker?.terminate();
    this.worker = null;
    this.wire = null;
    this.restarts++;
  }

  // Gives up the call that is going on, as if it had taken too long.
  interrupt(): void {
    this.giveUp?.(new Stopped());
  }

  private whileWanted<T>(work: Promise<T>): Promise<T> {
    const stopped = new Promise<never>((_, reject) => (this.giveUp = reject));
    return within(STOPPABLE_MS, Promise.race([work, stopped])).finally(() => (this.giveUp = null));
  }

  private call<T extends Reply>(name: DoorFunction, argument: unknown): Promise<T> {
    const text = typeof argument === 'string' ? argument : JSON.stringify(argument ?? {});
    return this.queue(() => this.callNow<T>(name, text));
  }

  private async callNow<T extends Reply>(name: DoorFunction, text: string): Promise<T> {
    let reply: string;
    try {
      const wire = await this.open();
      reply = await this.whileWanted(wire.call(name, text));
    } catch (error) {
      this.discard();
      const replayed = await this.replay();
      if (error instanceof Stopped) return failure('It was stopped.') as T;
      return failure(`The simulator stopped (${words(error)})${replayed ? ' and was started again' : ''}. Please report the scenario that did this.`) as T;
    }
    let value: T;
    try {
      value = JSON.parse(reply) as T;
    } catch {
      return failure('The simulator answered with something unreadable.') as T;
    }
    if (value.ok) this.remember(name, text);
    return value;
  }

  private remember(name: DoorFunction, argument: string): void {
    if (name === 'load') this.log = [{ name, argument }];
    else if (name === 'apply') this.log.push({ name, argument });
    else if (name === 'seek') {
      // Only the last position matters between two operations.
      if (this.log.at(-1)?.name === 'seek') this.log.pop();
      this.log.push({ name, argument });
    }
  }

  private async replay(): Promise<boolean> {
    try {
      const wire = await this.open();
      if (this.lastRead) await wire.read(...this.lastRead);
      for (const { name, argument } of this.log) {
        if (name === 'seek') await this.runUntil(wire, (JSON.parse(argument) as { step: number }).step);
        await within(CALL_TIMEOUT_MS, wire.call(name, argument));
      }
      return true;
    } catch {
      this.discard();
      this.log = [];
      return false;
    }
  }

  // A position can be taken only where the run has been computed.
  private async runUntil(wire: AsyncWire, step: number): Promise<void> {
    for (;;) {
      const reply = JSON.parse(await within(CALL_TIMEOUT_MS, wire.call('run', '{"units":20}'))) as RunReply;
      if (!reply.ok || reply.done || reply.steps >= step) return;
    }
  }

  version = () => this.call<VersionReply>('version', '');
  run = (budget: { units: number } | { milliseconds: number } | { toEnd: true }) => this.call<RunReply>('run', budget);
  seek = (step: number, nodes: 'all' | 'changed' = 'all') => this.call<Frame>('seek', { step, nodes });
  apply = (op: Op, at?: 'end') => this.call<ApplyReply>('apply', at ? { ...op, at } : op);
  attempt = (query: { pod: string; attempt?: number } | { step: number }) => this.call<Attempt>('attempt', query);
  explain = (query: { pod: string } | { node: string } | { score: { step: number; node: string; plugin: string } }) =>
    this.call<Explanation>('explain', query);
  check = (document: string) => this.call<Reply>('check', document);
  trace = () => this.call<TraceReply>('trace', { informers: false });
  load = (scenario: string) => this.call<RunReply>('load', scenario);

  read(texts: Texts, name: string, extra: JsonObject[], release = ''): Promise<ReadReply> {
    return this.queue(async () => {
      const before = this.lastRead;
      this.lastRead = [texts, name, extra, release];
      try {
        const wire = await this.open();
        return await this.whileWanted(wire.read(texts, name, extra, release));
      } catch (error) {
        // The text took too long: the worker is given up, and a new one takes up the last good run.
        this.lastRead = before;
        this.discard();
        await this.replay();
        const message = error instanceof Stopped ? 'reading was stopped; edit the text to read it again' : `this text cannot be read (${words(error)})`;
        return { ok: false, scenario: '', check: '', issues: [{ editor: 'cluster', from: 0, to: 0, severity: 'error', message }], operations: [] };
      }
    });
  }

  // null if there is too much to read.
  decisions = (): Promise<Decision[] | null> =>
    this.queue(async () => {
      try {
        return await within(CALL_TIMEOUT_MS, (await this.open()).decisions());
      } catch {
        this.discard();
        await this.replay();
        return null;
      }
    });
  // Ends the worker; whatever is asked afterwards starts a new one.
  close = (): void => {
    this.worker?.terminate();
    this.worker = null;
    this.wire = null;
  };

  locate = (pointer: string): Promise<Place | null> => this.queue(async () => (await this.open()).locate(pointer));
  locateChecked = (pointer: string): Promise<Place | null> => this.queue(async () => (await this.open()).locateChecked(pointer));
  find = (kind: string, key: string, path = ''): Promise<Place | null> =>
    this.queue(async () => (await this.open()).find(kind, key, path));
}

function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it took too long')), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function words(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error).slice(0, 200);
}

export function firstError(reply: { issues?: Issue[] }): string {
  return reply.issues?.find((issue) => issue.severity === 'error')?.message ?? '';
}

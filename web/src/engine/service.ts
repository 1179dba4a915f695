// What runs beside the page: the module with its one session, and the YAML reader. Text crosses, not object trees: that is
// what is quickest, and the page parses only what it shows.

import { remembering } from '../scenario/memo';
import { readScenario } from '../scenario/read';
import type { Reading } from '../scenario/read';
import type { JsonObject, Place, TextIssue, Texts } from '../scenario/types';
import { operationText } from '../scenario/words';
import { type Decision, readDecisions } from './decisions';
import type { Door, DoorFunction, TraceReply } from './door';
import { openDoor } from './host';

const LOAD_OPTIONS = JSON.stringify({ detailLimit: 200, informers: false });

export interface ReadReply {
  ok: boolean;
  scenario: string; // canonical JSON
  check: string; // the document for the door's check(): every object, those of the steps last
  issues: TextIssue[];
  operations: string[]; // what each step of the scenario is, in words
}

export class Service {
  private door: Promise<Door> | null = null;
  private reading: Reading | null = null;
  private readonly parse = remembering();
  private checkPointers: string[] = [];

  start(): Promise<void> {
    this.door ??= openDoor();
    return this.door.then(() => undefined);
  }

  async call(name: DoorFunction, argument: string): Promise<string> {
    this.door ??= openDoor();
    const door = await this.door;
    if (name === 'version') return door.version();
    if (name === 'load') return door.load(argument, LOAD_OPTIONS);
    return door[name](argument);
  }

  // With `release` that of kube-scheduler, else the scenario's own.
  read(texts: Texts, name: string, extra: JsonObject[], release = ''): ReadReply {
    const reading = readScenario(texts, name, extra, this.parse);
    const { scenario } = reading;
    if (release) scenario.release = release;
    const { config, extenders, samplePlugins } = scenario;
    const objects = [...scenario.objects];
    this.checkPointers = scenario.objects.map((_, i) => `/objects/${i}`);
    scenario.steps.forEach((step, i) => {
      if (step.op !== 'create' || typeof step.object !== 'object' || step.object === null) return;
      objects.push(step.object as JsonObject);
      this.checkPointers.push(`/steps/${i}/object`);
    });
    this.reading = reading;
    return {
      ok: reading.ok,
      scenario: JSON.stringify(scenario),
      check: JSON.stringify({ release: scenario.release, objects, config, extenders, samplePlugins }),
      issues: reading.issues,
      operations: scenario.steps.map(operationText),
    };
  }

  // Every decision of the run, in order.
  async decisions(): Promise<Decision[]> {
    const reply = JSON.parse(await this.call('trace', '{}')) as TraceReply;
    return reply.ok ? readDecisions(reply.trace) : [];
  }

  // A pointer of the scenario to the text behind it.
  locate(pointer: string): Place | null {
    return this.reading?.locate(pointer) ?? null;
  }

  // A pointer of the document passed to check().
  locateChecked(pointer: string): Place | null {
    const match = /^\/objects\/(\d+)(.*)$/s.exec(pointer);
    const base = match ? this.checkPointers[Number(match[1])] : undefined;
    return this.locate(base ? base + (match?.[2] ?? '') : pointer);
  }

  // The text that wrote an object, or the part of it at `path`.
  find(kind: string, key: string, path = ''): Place | null {
    const pointer = this.reading?.find(kind, key);
    return pointer ? this.locate(pointer + path) : null;
  }
}

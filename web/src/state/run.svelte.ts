// One run of a scenario: what is known of it, and the step at which it is shown.

import type { Frame, Issue, NodeView, Op, PodView, RunReply } from '../engine/door';
import type { Engine } from '../engine/client';
import { operationText } from '../scenario/words';
import type { JsonObject, TextIssue, Texts } from '../scenario/types';
import { type Fork, forkedSteps, type Plan, restAfter, withChance } from './fork';
import { mostUrgent, unique, uniqueIssues, withField } from './issues';

const RUN_BUDGET_MS = 30;
const AHEAD = 4000; // steps computed beyond the position
const PATIENCE_MS = 1500; // to compute up to the step of a link before anything is shown

export interface Request {
  texts: Texts;
  name: string;
  later: JsonObject[];
  forks: Fork[];
  release?: string;
  steps?: JsonObject[]; // instead of those of the texts
}

export class Run {
  textIssues = $state.raw<TextIssue[]>([]);
  issues = $state.raw<Issue[]>([]); // those that belong to no text
  reading = $state(false); // a long text is being read; the run before is still shown
  finishing = $state(false); // the whole run is being computed, and that takes a while
  stale = $state(false); // what is shown is the last good run, not the text
  operations = $state.raw<string[]>([]);

  frame = $state.raw<Frame | null>(null);
  pods = $state.raw<ReadonlyMap<string, PodView>>(new Map());
  nodes = $state.raw<NodeView[]>([]);
  steps = $state(0);
  done = $state(false);
  instant = $state(false); // no motion: a jump, not a step

  position = $derived(this.frame?.step ?? 0);
  atEnd = $derived(this.done && this.position >= this.steps);

  generation = 0; // of the session: what was asked of one before is void
  onload: () => void = () => undefined;
  onshow: () => void = () => undefined;
  onfail: () => void = () => undefined;

  private scenario = '';
  private plan: Plan | null = null;
  private target: number | null = null;
  private moving: Promise<void> | null = null;
  private pumping: Promise<void> | null = null;

  constructor(readonly engine: Engine) {}

  // Reads the text and starts over; the position is `step`, as far as the new run goes. False if there is no new run: the
  // last good one stays.
  async load(request: Request, step: number): Promise<boolean> {
    const generation = ++this.generation;
    this.halted = false;
    const slow = setTimeout(() => (this.reading = generation === this.generation), 400);
    const loaded = await this.loadNow(request, step, generation);
    clearTimeout(slow);
    if (generation === this.generation) this.reading = false;
    return loaded;
  }

  private async loadNow(request: Request, step: number, generation: number): Promise<boolean> {
    this.target = null;
    const from = this.position;
    const read = await this.engine.read(request.texts, request.name, request.later, request.release);
    if (generation !== this.generation) return false;
    if (!read.ok) {
      this.textIssues = read.issues;
      this.issues = [];
      this.stale = this.frame !== null;
      return false;
    }
    const checked = await this.engine.check(read.check);
    const more = await this.place(checked.issues ?? [], true);
    if (generation !== this.generation) return false;
    // With such a configuration no scheduler starts: what is there stays.
    if (this.frame && checked.issues?.some(({ severity, path }) => severity === 'error' && path.startsWith('/config'))) {
      this.textIssues = unique([...read.issues, ...more.issues]);
      this.issues = uniqueIssues(more.rest);
      this.stale = true;
      return false;
    }
    if (this.halted) {
      this.textIssues = read.issues;
      this.issues = [{ severity: 'error', path: '', message: 'It was stopped.' }];
      this.stale = this.frame !== null;
      return false;
    }
    const scenario = request.steps ? JSON.stringify({ ...(JSON.parse(read.scenario) as Plan), steps: request.steps }) : read.scenario;
    const loaded = await this.engine.load(scenario);
    if (generation !== this.generation) return false;
    const placed = await this.place(loaded.issues ?? [], false);
    if (generation !== this.generation) return false;
    this.textIssues = unique([...read.issues, ...placed.issues, ...more.issues]);
    this.issues = uniqueIssues([...placed.rest, ...more.rest]);
    if (!loaded.ok) {
      if (this.issues.length === 0 && placed.issues.length === 0) {
        this.issues = [{ severity: 'error', path: '', message: 'This scenario cannot be run.' }];
      }
      this.stale = this.frame !== null;
      return false;
    }
    this.scenario = scenario;
    this.plan = null;
    this.operations = request.steps ? request.steps.map(operationText) : read.operations;
    this.onload();
    this.stale = false;
    const ended = this.atEnd;
    this.steps = loaded.steps;
    this.done = loaded.done;
    for (const fork of request.forks) {
      await this.put(fork, generation);
      if (generation !== this.generation) return false;
    }
    // Who has gone somewhere else meanwhile stays there; who has gone to the end is at the end.
    const moved = this.frame !== null && this.position !== from;
    const toEnd = moved && ended;
    if (moved) step = this.position;
    const patience = performance.now() + PATIENCE_MS;
    await this.ensure(toEnd ? Infinity : step, generation, () => performance.now() > patience);
    if (toEnd) step = this.steps;
    if (generation !== this.generation) return false;
    this.instant = true;
    await this.show(Math.min(step, this.steps), 'all', generation);
    // What takes longer goes on while the page is already there.
    if (!this.done && this.steps < step) void this.goto(step);
    else void this.pump(generation);
    return true;
  }

  private async place(issues: Issue[], checked: boolean): Promise<{ issues: TextIssue[]; rest: Issue[] }> {
    const out: { issues: TextIssue[]; rest: Issue[] } = { issues: [], rest: [] };
    for (const issue of mostUrgent(issues, 100)) {
      const place = issue.path ? await (checked ? this.engine.locateChecked(issue.path) : this.engine.locate(issue.path)) : null;
      if (place) out.issues.push({ ...place, severity: issue.severity, message: withField(issue) });
      else out.rest.push(issue);
    }
    return out;
  }

  // What came to light while running: objects refused by the API server, things that are not simulated.
  private async addIssues(issues: Issue[]): Promise<void> {
    const generation = this.generation;
    const placed = await this.place(issues, false);
    if (generation !== this.generation) return;
    this.textIssues = unique([...this.textIssues, ...placed.issues]);
    this.issues = uniqueIssues([...this.issues, ...placed.rest]);
  }

  // The objects and steps that are run, with all forks in.
  current(): Plan {
    this.plan ??= JSON.parse(this.scenario || '{"objects":[],"steps":[]}') as Plan;
    return this.plan;
  }

  // Leaves the run as it was planned at the step that is shown: does something else, then what was still to come. Gives
  // the fork and the step at which it is done, or what the API server has against it.
  async fork(ops: Op[]): Promise<{ fork: Fork; step: number } | { refused: string }> {
    const generation = ++this.generation;
    this.target = null;
    const rest = restAfter(this.current().steps, this.frame?.operation ?? -1, this.atEnd);
    const fork = { at: this.position, ops: withChance(ops, rest) };
    const result = await this.put(fork, generation);
    this.onload();
    return 'refused' in result ? result : { fork, ...result };
  }

  private async put({ at, ops }: Fork, generation: number): Promise<{ step: number } | { refused: string }> {
    const [first] = ops;
    const gone = { refused: '' };
    if (!first) return gone;
    await this.ensure(at, generation);
    if (generation !== this.generation) return gone;
    const here = await this.engine.seek(at, 'changed');
    if (generation !== this.generation) return gone;
    if (!here.ok) return { refused: here.issues?.[0]?.message ?? '' };
    const plan = this.current();
    const atEnd = here.done && here.step >= here.steps;
    const rest = restAfter(plan.steps, here.operation, atEnd);
    const after = [...(ops.slice(1) as JsonObject[]), ...rest];
    const applied = await this.engine.apply(first);
    if (!applied.ok) return { refused: applied.issues?.[0]?.message ?? '' };
    if (generation !== this.generation) return gone;
    const { firstStep, cut, rejected } = applied;
    for (const op of after) {
      const reply = await this.engine.apply(op as Op, 'end');
      if (generation !== this.generation) return gone;
      if (reply.ok) Object.assign(applied, { steps: reply.steps, done: reply.done });
    }
    this.plan = { ...plan, steps: forkedSteps(plan.steps, atEnd ? plan.steps.length - 1 : here.operation, cut, first, after) };
    this.operations = this.plan.steps.map(operationText);
    this.steps = applied.steps;
    this.done = applied.done;
    return rejected ? { refused: rejected } : { step: firstStep };
  }

  // Computes until `step` is known or the run is over.
  private async ensure(step: number, generation: number, enough = () => false): Promise<void> {
    while (!this.done && this.steps < step && generation === this.generation && !enough()) {
      if (!(await this.compute())) return;
    }
  }

  private async compute(): Promise<boolean> {
    const reply: RunReply = await this.engine.run({ milliseconds: RUN_BUDGET_MS });
    if (!reply.ok) {
      this.issues = reply.issues ?? [];
      this.done = true;
      return false;
    }
    this.steps = reply.steps;
    this.done = reply.done;
    if (reply.issues && reply.issues.length > 0) await this.addIssues(reply.issues);
    return true;
  }

  // Computes all of it, unless somebody stops it.
  async finish(): Promise<void> {
    const { generation } = this;
    const slow = setTimeout(() => (this.finishing = true), 400);
    this.halted = false;
    while (!this.done && !this.halted && generation === this.generation) if (!(await this.compute())) break;
    clearTimeout(slow);
    this.finishing = false;
  }
  private halted = false;

  // Gives up what takes long: the run stays as far as it is computed, or the one before the text that is being read.
  stop(): void {
    this.halted = true;
    if (this.reading) this.engine.interrupt();
  }

  private pump(generation: number): Promise<void> {
    this.pumping ??= (async () => {
      while (!this.done && generation === this.generation && this.steps < this.position + AHEAD) {
        if (!(await this.compute())) break;
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    })().finally(() => {
      this.pumping = null;
      if (generation !== this.generation && !this.done) void this.pump(this.generation);
    });
    return this.pumping;
  }

  private async show(step: number, nodes: 'all' | 'changed', generation: number): Promise<void> {
    let frame = await this.engine.seek(step, nodes);
    // After a restart of the simulator less of the run may be known than before.
    while (frame.ok && frame.step < step && !frame.done && generation === this.generation && (await this.compute())) {
      frame = await this.engine.seek(step, 'all');
      nodes = 'all';
    }
    if (generation !== this.generation) return;
    if (!frame.ok) {
      this.issues = frame.issues ?? [];
      this.onfail();
      return;
    }
    if (nodes === 'all' || !this.frame) {
      this.pods = new Map(Object.entries(frame.pods).filter(([, pod]) => !pod.gone));
      this.nodes = frame.nodes.filter((node) => !node.gone);
    } else {
      const pods = new Map(this.pods);
      for (const [name, pod] of Object.entries(frame.pods)) {
        if (pod.gone) pods.delete(name);
        else pods.set(name, pod);
      }
      this.pods = pods;
      const changed = new Map(frame.nodes.map((node) => [node.name, node]));
      const kept = this.nodes.map((node) => changed.get(node.name) ?? node);
      const known = new Set(this.nodes.map((node) => node.name));
      this.nodes = [...kept, ...frame.nodes.filter((node) => !known.has(node.name))].filter((node) => !node.gone);
    }
    this.frame = frame;
    this.steps = Math.max(this.steps, frame.steps);
    this.onshow();
  }

  // Goes to a step; a later wish replaces an earlier one that is still on its way.
  goto(step: number): Promise<void> {
    this.target = Math.max(0, step);
    this.moving ??= this.move().finally(() => {
      this.moving = null;
      // A wish that came while a move of the run before was ending.
      if (this.target !== null) void this.goto(this.target);
    });
    return this.moving;
  }

  private async move(): Promise<void> {
    const { generation } = this;
    while (this.target !== null && generation === this.generation) {
      const wish = this.target;
      await this.ensure(wish, generation, () => this.target !== wish);
      if (this.target !== wish) continue;
      const step = Math.min(wish, this.steps);
      if (this.frame && step === this.position && !this.moved) {
        if (this.target === wish) this.target = null;
        continue;
      }
      const near = step === this.position + 1 && !this.moved;
      this.instant = Math.abs(step - this.position) > 1;
      this.moved = false;
      await this.show(step, near ? 'changed' : 'all', generation);
      if (this.target === wish) this.target = null;
    }
    if (generation === this.generation) void this.pump(generation);
  }

  // After a fork the session stands elsewhere than what is shown.
  private moved = false;

  // Shows a step of a run that has changed behind what is shown.
  async showAnew(step: number): Promise<void> {
    this.moved = true;
    await this.goto(step);
  }

  // Something more happens after all that was planned. False if it cannot.
  async append(op: Op): Promise<boolean> {
    const reply = await this.engine.apply(op, 'end');
    if (!reply.ok) {
      this.issues = reply.issues ?? [];
      return false;
    }
    if (this.plan) this.plan = { ...this.plan, steps: [...this.plan.steps, op as JsonObject] };
    else if (this.scenario) this.current().steps.push(op as JsonObject);
    this.operations = [...this.operations, operationText(op as JsonObject)];
    this.steps = reply.steps;
    this.done = reply.done;
    return true;
  }
}

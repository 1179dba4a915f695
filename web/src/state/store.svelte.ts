// The one store. Data flows one way: text -> scenario -> session -> frame -> what is shown. Everything that a user does
// goes through a method here.

import type { Attempt, Explanation, Frame, Issue, NodeView, Op, PluginInfo, PodView, RunReply } from '../engine/door';
import type { Engine } from '../engine/client';
import { arrivalOf } from '../board/look';
import { writeWeight } from '../scenario/weights';
import { splitDocuments } from '../scenario/split';
import type { EditorName, JsonObject, Place, TextIssue, Texts } from '../scenario/types';
import { LINK_LIMITS, makeFragment, readFragment, type Shared } from '../share/link';
import { loadDraft, saveDraft } from './draft';
import { type Lesson, LESSONS } from './gallery';

export type Selection = { kind: 'pod' | 'node'; name: string } | null;
export type Loading = 'starting' | 'ready' | 'failed';
export type StepSize = 'change' | 'cycle' | 'operation';

const EDIT_DELAY_MS = 350;
const FRAME_MS = 900; // of Play at speed 1
const RUN_BUDGET_MS = 30;
const AHEAD = 4000; // steps computed beyond the position
const PATIENCE_MS = 1500; // to compute up to the step of a link before anything is shown
const ATTEMPTS_KEPT = 200;
const DETAIL_NODES = 200; // above, an attempt's details are computed only when somebody asks

export class Store {
  phase = $state<Loading>('starting');
  release = $state('v1.37.2');
  plugins = $state.raw<PluginInfo[]>([]);

  texts = $state.raw<Texts>({ cluster: '', pods: '', scheduler: '' });
  title = $state('');
  lesson = $state.raw<Lesson | null>(null);
  later = $state.raw<JsonObject[]>([]);
  draftAside = $state.raw<Shared | null>(null); // the user's draft while something else is open

  textIssues = $state.raw<TextIssue[]>([]);
  runIssues = $state.raw<Issue[]>([]);
  reading = $state(false); // a long text is being read; the board shows the run before
  stale = $state(false); // the board shows the last good run, not the text
  notice = $state('');
  operations = $state.raw<string[]>([]);

  frame = $state.raw<Frame | null>(null);
  pods = $state.raw<ReadonlyMap<string, PodView>>(new Map());
  nodes = $state.raw<NodeView[]>([]);
  steps = $state(0);
  done = $state(false);

  playing = $state(false);
  speed = $state(1);
  stepSize = $state<StepSize>('change');
  instant = $state(false); // no motion: a jump, not a step
  said = $state(''); // for the live region

  selected = $state.raw<Selection>(null);
  attempt = $state.raw<Attempt | null>(null);
  attemptCount = $state(0);
  chosenAttempt = $state<number | null>(null);
  explanation = $state.raw<Explanation | null>(null);
  detailsOffered = $state(false);
  computing = $state(false);
  reveal = $state.raw<(Place & { nonce: number }) | null>(null);

  position = $derived(this.frame?.step ?? 0);
  atEnd = $derived(this.done && this.position >= this.steps);
  // Whether the text is no longer that of the lesson.
  changed = $derived.by(() => {
    const { lesson, texts } = this;
    return lesson !== null && (['cluster', 'pods', 'scheduler'] as const).some((name) => texts[name] !== lesson.texts[name]);
  });
  scorePlugins = $derived(this.plugins.filter((plugin) => plugin.scores));

  private generation = 0;
  private target: number | null = null;
  private moving: Promise<void> | null = null;
  private pumping: Promise<void> | null = null;
  private editTimer: ReturnType<typeof setTimeout> | undefined;
  private playTimer: ReturnType<typeof setTimeout> | undefined;
  private attempts = new Map<string, Attempt[]>();
  private nonce = 0;
  private ofThisRun = false; // the attempt that is shown; one of the run before stays until the new one is known
  private edited = false;

  constructor(
    readonly engine: Engine,
    private readonly keepDrafts = true,
  ) {}

  // Opens what the address names, else the draft, else the first lesson.
  async start(fragment: string): Promise<void> {
    const link = readFragment(fragment);
    const draft = this.keepDrafts ? loadDraft() : null;
    let step = 0;
    if (link.kind === 'state') {
      this.open(link.state, null);
      step = link.step;
      if (draft && !same(draft, link.state)) this.draftAside = draft;
    } else if (link.kind === 'example' && this.findLesson(link.name)) {
      this.openTexts(this.findLesson(link.name) as Lesson);
      step = link.step;
      this.draftAside = draft;
    } else {
      if (link.kind === 'broken') this.notice = `${link.message} ${draft ? 'Your draft is as you left it.' : ''}`.trim();
      if (link.kind === 'example') this.notice = `There is no example called “${link.name.slice(0, 60)}”.`;
      if (draft) this.open(draft, null);
      else if (LESSONS[0]) this.openTexts(LESSONS[0]);
    }
    try {
      const version = await this.engine.version();
      if (!version.ok) throw new Error(version.issues?.[0]?.message);
      this.plugins = version.plugins;
      this.release = version.release;
    } catch (error) {
      this.phase = 'failed';
      this.runIssues = [{ severity: 'error', path: '', message: `The simulator could not be started. ${String((error as Error).message ?? '')}` }];
      return;
    }
    await this.reload(step);
    this.phase = 'ready';
  }

  findLesson(name: string): Lesson | undefined {
    return LESSONS.find((lesson) => lesson.name === name || lesson.name.replace(/^\d+-/, '') === name);
  }

  private open(state: Shared, lesson: Lesson | null): void {
    this.pause();
    this.texts = state.texts;
    this.title = state.title;
    this.later = state.later;
    this.lesson = lesson ?? LESSONS.find((l) => l.title === state.title && l.title !== '') ?? null;
    this.selected = null;
    this.chosenAttempt = null;
  }

  private openTexts(lesson: Lesson): void {
    this.open({ title: lesson.title, texts: lesson.texts, later: [] }, lesson);
  }

  async openLesson(name: string): Promise<void> {
    const lesson = this.findLesson(name);
    if (!lesson) return;
    if (this.edited && this.keepDrafts) this.draftAside = this.state();
    this.edited = false;
    this.notice = '';
    this.openTexts(lesson);
    await this.reload(0);
    this.say(`${lesson.title}. ${lesson.summary}`);
  }

  async openFile(name: string, text: string): Promise<void> {
    if (text.length > LINK_LIMITS.text * 2) {
      this.notice = `${name} is too large to open here.`;
      return;
    }
    this.open({ title: name.replace(/\.ya?ml$/, ''), texts: splitDocuments(text), later: [] }, null);
    this.lesson = null;
    this.touch();
    await this.reload(0);
  }

  async openState(state: Shared, step: number): Promise<void> {
    this.open(state, null);
    await this.reload(step);
  }

  dismissNotice(): void {
    this.notice = '';
    this.draftAside = null;
  }

  async resumeDraft(): Promise<void> {
    const draft = this.draftAside;
    if (!draft) return;
    this.draftAside = null;
    this.notice = '';
    this.open(draft, null);
    this.edited = true;
    await this.reload(0);
  }

  state(): Shared {
    return { title: this.title, texts: this.texts, later: this.later };
  }

  fragment(): string | null {
    return makeFragment(this.state(), this.position);
  }

  edit(editor: EditorName, text: string): void {
    if (this.texts[editor] === text) return;
    if (this.lesson && editor === 'cluster' && isAnother(this.lesson.texts.cluster, text)) {
      this.lesson = null;
      this.title = '';
    }
    this.texts = { ...this.texts, [editor]: text };
    this.touch();
    clearTimeout(this.editTimer);
    this.editTimer = setTimeout(() => void this.reload(this.position), EDIT_DELAY_MS);
  }

  setWeight(plugin: string, weight: number): void {
    const text = writeWeight(this.texts.scheduler, plugin, weight);
    if (text !== null) this.edit('scheduler', text);
  }

  private touch(): void {
    this.edited = true;
    if (this.keepDrafts) saveDraft(this.state());
  }

  // Reads the text and starts over; the position stays where it was, as far as the new run goes.
  private async reload(step: number): Promise<void> {
    const generation = ++this.generation;
    const slow = setTimeout(() => (this.reading = generation === this.generation), 400);
    await this.reloadNow(step, generation);
    clearTimeout(slow);
    if (generation === this.generation) this.reading = false;
  }

  private async reloadNow(step: number, generation: number): Promise<void> {
    clearTimeout(this.editTimer);
    this.target = null;
    const wasPlaying = this.playing;
    this.pause();
    const name = this.lesson?.name ?? 'scenario';
    const read = await this.engine.read(this.texts, name, this.later);
    if (generation !== this.generation) return;
    if (!read.ok) {
      this.textIssues = read.issues;
      this.runIssues = [];
      this.stale = this.frame !== null;
      this.say(`${read.issues.filter((issue) => issue.severity === 'error').length} problems in the text; the board shows the last good run.`);
      return;
    }
    const checked = await this.engine.check(read.check);
    const more = await this.place(checked.issues ?? [], true);
    if (generation !== this.generation) return;
    // With such a configuration no scheduler starts: what is there stays.
    if (this.frame && checked.issues?.some(({ severity, path }) => severity === 'error' && path.startsWith('/config'))) {
      this.textIssues = unique([...read.issues, ...more.issues]);
      this.runIssues = uniqueIssues(more.rest);
      this.stale = true;
      return;
    }
    const loaded = await this.engine.load(read.scenario);
    if (generation !== this.generation) return;
    const placed = await this.place(loaded.issues ?? [], false);
    if (generation !== this.generation) return;
    this.textIssues = unique([...read.issues, ...placed.issues, ...more.issues]);
    this.runIssues = uniqueIssues([...placed.rest, ...more.rest]);
    if (!loaded.ok) {
      if (this.runIssues.length === 0 && placed.issues.length === 0) {
        this.runIssues = [{ severity: 'error', path: '', message: 'This scenario cannot be run.' }];
      }
      this.stale = this.frame !== null;
      return;
    }
    this.operations = read.operations;
    this.attempts.clear();
    this.ofThisRun = false;
    this.stale = false;
    this.steps = loaded.steps;
    this.done = loaded.done;
    const patience = performance.now() + PATIENCE_MS;
    await this.ensure(step, generation, () => performance.now() > patience);
    if (generation !== this.generation) return;
    this.instant = true;
    await this.show(Math.min(step, this.steps), 'all', generation);
    // What takes longer goes on while the page is already there.
    if (!this.done && this.steps < step) void this.goto(step);
    else void this.pump(generation);
    if (wasPlaying) this.play();
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
    this.runIssues = uniqueIssues([...this.runIssues, ...placed.rest]);
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
      this.runIssues = reply.issues ?? [];
      this.done = true;
      return false;
    }
    this.steps = reply.steps;
    this.done = reply.done;
    if (reply.issues && reply.issues.length > 0) await this.addIssues(reply.issues);
    return true;
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
      this.runIssues = frame.issues ?? [];
      this.pause();
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
    void this.inspect();
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
    const generation = this.generation;
    while (this.target !== null && generation === this.generation) {
      const wish = this.target;
      await this.ensure(wish, generation, () => this.target !== wish);
      if (this.target !== wish) continue;
      const step = Math.min(wish, this.steps);
      if (this.frame && step === this.position) {
        if (this.target === wish) this.target = null;
        continue;
      }
      const near = step === this.position + 1;
      this.instant = Math.abs(step - this.position) > 1;
      await this.show(step, near ? 'changed' : 'all', generation);
      if (this.target === wish) this.target = null;
    }
    if (generation === this.generation) void this.pump(generation);
  }

  async step(): Promise<void> {
    this.pause();
    await this.forward();
    this.saySentence();
  }

  private async forward(): Promise<void> {
    if (this.stepSize === 'change') return this.goto(this.position + 1);
    const kinds = this.stepSize === 'cycle' ? ['cycle', 'op'] : ['op'];
    for (let i = 0; i < 2000 && !this.atEnd; i++) {
      await this.goto(this.position + 1);
      if (kinds.includes(this.frame?.kind ?? '')) return;
    }
  }

  async back(): Promise<void> {
    this.pause();
    if (this.stepSize === 'change') {
      await this.goto(this.position - 1);
    } else {
      const kinds = this.stepSize === 'cycle' ? ['cycle', 'op'] : ['op'];
      for (let i = 0; i < 2000 && this.position > 0; i++) {
        await this.goto(this.position - 1);
        if (kinds.includes(this.frame?.kind ?? '')) break;
      }
    }
    this.saySentence();
  }

  async toStart(): Promise<void> {
    this.pause();
    await this.goto(0);
    this.saySentence();
  }

  async toEnd(): Promise<void> {
    this.pause();
    const generation = this.generation;
    while (!this.done && generation === this.generation) if (!(await this.compute())) break;
    await this.goto(this.steps);
    this.saySentence();
  }

  async scrub(step: number): Promise<void> {
    this.pause();
    await this.goto(step);
  }

  play(): void {
    if (this.playing || !this.frame) return;
    this.playing = true;
    const tick = async () => {
      if (!this.playing) return;
      if (this.atEnd) {
        this.pause();
        this.say(`The end. ${this.frame?.sentence ?? ''}`);
        return;
      }
      // Beyond 16 steps a second nobody can follow single ones: then several are taken at once.
      const wanted = FRAME_MS / this.speed;
      const stride = Math.max(1, Math.round(60 / wanted));
      if (stride === 1) await this.forward();
      else await this.goto(this.position + stride);
      this.playTimer = setTimeout(() => void tick(), Math.max(wanted, 60));
    };
    // From the end Play starts over, as players do.
    if (this.atEnd) void this.goto(0).then(() => (this.playTimer = setTimeout(() => void tick(), FRAME_MS / 2)));
    else void tick();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    clearTimeout(this.playTimer);
    this.saySentence();
  }

  togglePlay(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  async letTimePass(seconds: number): Promise<void> {
    this.pause();
    await this.toEnd();
    const before = this.steps;
    for (const op of [{ op: 'advance', seconds }, { op: 'settle' }] satisfies Op[]) {
      const reply = await this.engine.apply(op, 'end');
      if (!reply.ok) {
        this.runIssues = reply.issues ?? [];
        return;
      }
      this.later = [...this.later, op as JsonObject];
      this.operations = [...this.operations, op.op === 'advance' ? `let ${op.seconds} s pass` : 'schedule until nothing is left to try'];
      this.steps = reply.steps;
      this.done = reply.done;
    }
    await this.goto(before + 1);
    this.saySentence();
  }

  // Forgets the time that was let pass after the scenario's own steps.
  async takeBack(): Promise<void> {
    this.later = [];
    this.touch();
    await this.reload(this.position);
    await this.toEnd();
  }

  private saySentence(): void {
    if (this.frame) this.say(`${this.position} of ${this.steps}: ${this.frame.sentence}`);
  }

  say(text: string): void {
    this.said = text;
  }

  // Selects a node and keeps it selected if it was.
  selectNode(name: string): void {
    if (this.selected?.kind !== 'node' || this.selected.name !== name) this.select({ kind: 'node', name });
  }

  select(selection: Selection): void {
    const again = selection && this.selected?.kind === selection.kind && this.selected.name === selection.name;
    this.selected = again ? null : selection;
    this.chosenAttempt = null;
    void this.inspect();
  }

  chooseAttempt(attempt: number): void {
    if (this.attempt && !this.selected) this.selected = { kind: 'pod', name: this.attempt.pod };
    this.chosenAttempt = attempt;
    void this.inspect();
  }

  // Details of an attempt in a large cluster: the run is computed again up to it, which may take seconds.
  async computeDetails(): Promise<void> {
    const frame = this.frame;
    if (!frame) return;
    this.pause();
    this.computing = true;
    this.say('Computing the details.');
    const { generation, selected } = this;
    const pod = selected?.kind === 'pod' ? selected.name : frame.focus?.pod;
    let reply = await this.engine.attempt({ step: frame.step });
    if ((!reply.ok || (pod && reply.pod !== pod)) && pod) reply = await this.engine.attempt({ pod });
    this.computing = false;
    if (generation !== this.generation || frame !== this.frame) return;
    this.detailsOffered = !reply.ok;
    this.attempt = reply.ok ? reply : null;
    this.attemptCount = 1;
    if (!reply.ok) this.say('This step belongs to no attempt.');
    this.explanation = null;
  }

  // What the inspector shows: the selected thing, else the attempt that is going on or was the last to concern the step.
  private async inspect(): Promise<void> {
    const frame = this.frame;
    if (!frame) return;
    const { generation, selected } = this;
    const current = () => generation === this.generation && frame === this.frame && selected === this.selected;
    if (selected?.kind === 'node') {
      const explanation = await this.engine.explain({ node: selected.name });
      if (!current()) return;
      this.attempt = null;
      this.explanation = explanation.ok ? explanation : null;
      return;
    }
    if (this.nodes.length > DETAIL_NODES) {
      this.attempt = null;
      this.explanation = null;
      this.detailsOffered = true;
      return;
    }
    this.detailsOffered = false;
    const pod = selected?.name ?? frame.cycle?.pod ?? frame.focus?.pod ?? (this.ofThisRun ? this.attempt?.pod : undefined) ?? arrivalOf(frame.entry);
    const list = pod ? await this.attemptsUntil(pod, frame) : [];
    if (!current()) return;
    if (list.length === 0 && !selected && this.ofThisRun && this.attempt && this.attempt.step <= frame.step && frame.focus?.pod !== pod) return;
    const wanted = this.chosenAttempt ?? list.length;
    const attempt = list[Math.min(wanted, list.length) - 1] ?? null;
    let explanation: Explanation | null = null;
    if (!attempt && pod) {
      const reply = await this.engine.explain({ pod });
      if (!current()) return;
      explanation = reply.ok ? reply : null;
    }
    this.attemptCount = list.length;
    this.attempt = attempt;
    this.ofThisRun = true;
    this.explanation = explanation;
  }

  // A pod's attempts up to a frame, with the one that is going on: its outcome is a later step, but it has begun.
  private async attemptsUntil(pod: string, frame: Frame): Promise<Attempt[]> {
    const begun = frame.cycle?.pod === pod ? frame.cycle.attempt : 0;
    const known = this.attempts.get(pod) ?? [];
    if (!this.attempts.has(pod)) {
      this.attempts.set(pod, known);
      const oldest = this.attempts.keys().next().value;
      if (this.attempts.size > ATTEMPTS_KEPT && oldest !== undefined) this.attempts.delete(oldest);
    }
    while (known.length < 1000 && ((known.at(-1)?.step ?? -1) < frame.step || known.length < begun)) {
      const reply = await this.engine.attempt({ pod, attempt: known.length + 1 });
      if (!reply.ok) break;
      if (known.length + 1 === reply.attempt) known.push(reply);
      else break;
    }
    return known.filter((attempt) => attempt.step <= frame.step || attempt.attempt <= begun);
  }

  async explainScore(node: string, plugin: string): Promise<Explanation | null> {
    if (!this.attempt) return null;
    const reply = await this.engine.explain({ score: { step: this.attempt.step, node, plugin } });
    return reply.ok ? reply : null;
  }

  showPlace(place: Place | null): void {
    if (place) this.reveal = { ...place, nonce: ++this.nonce };
  }

  // Jumps to the line behind an object or a part of it.
  async revealObject(kind: string, key: string, path = ''): Promise<void> {
    this.showPlace(await this.engine.find(kind, key, path));
  }
}

// "spec.containers[0].image: Required value", as the API server says it.
export function withField({ path, message }: Issue): string {
  const inside = path.replace(/^\/(objects\/\d+|steps\/\d+(\/object)?|config)/, '');
  const field = inside
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((whole, segment) => (/^\d+$/.test(segment) ? `${whole}[${segment}]` : whole ? `${whole}.${segment}` : segment), '');
  return field === '' || message.includes(field) ? message : `${field}: ${message}`;
}

function same(a: Shared, b: Shared): boolean {
  return JSON.stringify([a.texts, a.later]) === JSON.stringify([b.texts, b.later]);
}

// Whether somebody has put a cluster of their own into the place of a lesson's, and not just changed it.
function isAnother(lesson: string, text: string): boolean {
  const names = (source: string) => [...source.slice(0, 200_000).matchAll(/^ +(?:name|nodeName): *(\S+)$/gm)].map((match) => match[1]);
  const there = new Set(names(text));
  return there.size > 0 && !names(lesson).some((name) => there.has(name));
}

// Errors first; of remarks that say the same about many objects one is enough.
function mostUrgent(issues: Issue[], most: number): Issue[] {
  const said = new Set<string>();
  const heard = issues.filter(({ severity, message }) => severity !== 'info' || (!said.has(message) && said.add(message)));
  const of = (severity: Issue['severity']) => heard.filter((issue) => issue.severity === severity);
  return [...of('error'), ...of('warning'), ...of('info')].slice(0, most);
}

function unique(issues: TextIssue[]): TextIssue[] {
  const seen = new Set<string>();
  return issues.filter((issue) => {
    const key = `${issue.editor} ${issue.from} ${issue.message}`;
    return !seen.has(key) && seen.add(key);
  });
}

function uniqueIssues(issues: Issue[]): Issue[] {
  const seen = new Set<string>();
  return issues.filter((issue) => !seen.has(issue.message) && seen.add(issue.message));
}

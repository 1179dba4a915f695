// The page's state. Data flows one way: text -> scenario -> run -> frame -> what is shown. Everything that a user does goes
// through a method here or in one of its rooms: the run, the player, the inspection.

import type { Op, PluginInfo, ReleaseInfo } from '../engine/door';
import type { Engine } from '../engine/client';
import { writeWeight } from '../scenario/weights';
import { joinDocuments, splitDocuments } from '../scenario/split';
import { planDocuments } from '../scenario/plan';
import type { EditorName, JsonObject, Place, Texts } from '../scenario/types';
import { LINK_LIMITS, makeFragment, readFragment, type Shared } from '../share/link';
import { Comparison } from './comparison.svelte';
import { loadDraft, saveDraft } from './draft';
import type { Fork } from './fork';
import { type Lesson, LESSONS } from './gallery';
import { Inspection } from './inspection.svelte';
import { Player } from './player.svelte';
import { Run } from './run.svelte';

// A pod or a node whose menu is open, and where.
export interface MenuTarget {
  kind: 'pod' | 'node';
  name: string;
  x: number;
  y: number;
  from: HTMLElement | null; // gets the focus back
}

export interface OpenForm {
  like: string; // of a new pod: the pod that it is to resemble
  change?: { kind: 'Pod' | 'Node'; key: string };
}

export type Loading = 'starting' | 'ready' | 'failed';

const EDIT_DELAY_MS = 350;

// What a view of one run needs to know.
export interface Viewing {
  run: Run;
  inspection: Inspection;
  revealObject?(kind: string, key: string, path?: string): Promise<void>; // absent where there is no text to jump to
}

export class Store implements Viewing {
  phase = $state<Loading>('starting');
  newest = $state('v1.37.2'); // of the releases of kube-scheduler
  releases = $state.raw<ReleaseInfo[]>([]);
  wanted = $state(''); // the release that is run, by name; "" is the newest
  comparison = $state.raw<Comparison | null>(null);

  texts = $state.raw<Texts>({ cluster: '', pods: '', scheduler: '' });
  title = $state('');
  lesson = $state.raw<Lesson | null>(null);
  later = $state.raw<JsonObject[]>([]);
  forks = $state.raw<Fork[]>([]);
  draftAside = $state.raw<Shared | null>(null); // the user's draft while something else is open

  busy = $state(false); // the text has changed, and its run is not shown yet
  notice = $state('');
  said = $state(''); // for the live region
  reveal = $state.raw<(Place & { nonce: number }) | null>(null);
  menu = $state.raw<MenuTarget | null>(null);
  form = $state.raw<OpenForm | null>(null); // for a new pod, or for what is to be changed

  readonly run: Run;
  readonly player: Player;
  readonly inspection: Inspection;

  // Whether the text is no longer that of the lesson.
  changed = $derived.by(() => {
    const { lesson, texts } = this;
    return lesson !== null && (['cluster', 'pods', 'scheduler'] as const).some((name) => texts[name] !== lesson.texts[name]);
  });
  release = $derived(this.releases.find(({ name }) => name === this.wanted)?.version ?? this.newest);
  plugins = $derived(this.pluginsOf(this.wanted));
  scorePlugins = $derived(this.plugins.filter((plugin) => plugin.scores));

  private newestPlugins = $state.raw<PluginInfo[]>([]);
  private editTimer: ReturnType<typeof setTimeout> | undefined;
  private nonce = 0;
  private edited = false;

  constructor(
    readonly engine: Engine,
    private readonly keepDrafts = true,
    private readonly makeEngine: (() => Engine) | null = null, // for comparisons
  ) {
    const say = (text: string) => this.say(text);
    this.run = new Run(engine);
    this.player = new Player(this.run, say);
    this.inspection = new Inspection(this.run, say, () => this.player.pause());
    this.run.onfail = () => this.player.pause();
  }

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
      this.newest = version.release;
      this.newestPlugins = version.plugins;
      this.releases = version.releases ?? [];
    } catch (error) {
      this.phase = 'failed';
      this.run.issues = [{ severity: 'error', path: '', message: `The simulator could not be started. ${String((error as Error).message ?? '')}` }];
      return;
    }
    await this.reload(step);
    this.phase = 'ready';
    if (link.kind === 'state' && link.state.compare) this.compare(link.state.compare);
  }

  pluginsOf(release: string): PluginInfo[] {
    return this.releases.find(({ name }) => name === release)?.plugins ?? this.newestPlugins;
  }

  findLesson(name: string): Lesson | undefined {
    return LESSONS.find((lesson) => lesson.name === name || lesson.name.replace(/^\d+-/, '') === name);
  }

  private open(state: Shared, lesson: Lesson | null): void {
    this.player.pause();
    this.texts = state.texts;
    this.title = state.title;
    this.later = state.later;
    this.forks = state.forks ?? [];
    this.wanted = state.release ?? '';
    this.comparison?.close();
    this.comparison = null;
    this.menu = null;
    this.form = null;
    this.lesson = lesson ?? LESSONS.find((l) => l.title === state.title && l.title !== '') ?? null;
    this.inspection.forget();
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

  // Empty editors, for a cluster of one's own.
  async openBlank(): Promise<void> {
    if (this.edited && this.keepDrafts) this.draftAside = this.state();
    this.edited = false;
    this.notice = '';
    this.open({ title: '', texts: { cluster: '', pods: '', scheduler: '' }, later: [] }, null);
    await this.reload(0);
    this.showPlace({ editor: 'cluster', from: 0, to: 0 });
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
    const state: Shared = { title: this.title, texts: this.texts, later: this.later };
    if (this.forks.length > 0) state.forks = this.forks;
    if (this.wanted) state.release = this.wanted;
    return state;
  }

  fragment(): string | null {
    const other = this.comparison?.right;
    const state = other ? { ...this.state(), compare: { scheduler: other.scheduler, release: other.release } } : this.state();
    return makeFragment(state, this.run.position);
  }

  edit(editor: EditorName, text: string): void {
    if (this.texts[editor] === text) return;
    if (this.lesson && editor === 'cluster' && isAnother(this.lesson.texts.cluster, text)) {
      // Who brings pods does not want those of the lesson among them.
      if (bringsPods(text)) {
        const { pods, scheduler } = this.lesson.texts;
        if (pods.trim() && this.texts.pods === pods) this.notice = 'The lesson’s own pods were taken out; the list at the top brings the lesson back.';
        this.texts = { ...this.texts, pods: this.texts.pods === pods ? '' : this.texts.pods, scheduler: this.texts.scheduler === scheduler ? '' : this.texts.scheduler };
      }
      this.lesson = null;
      this.title = '';
    }
    this.texts = { ...this.texts, [editor]: text };
    this.touch();
    this.busy = true;
    clearTimeout(this.editTimer);
    this.editTimer = setTimeout(() => void this.reload(this.run.position), EDIT_DELAY_MS);
  }

  setWeight(plugin: string, weight: number): void {
    const text = writeWeight(this.texts.scheduler, plugin, weight);
    if (text !== null) this.edit('scheduler', text);
  }

  private touch(): void {
    this.edited = true;
    if (this.keepDrafts) saveDraft(this.state());
  }

  private async reload(step: number): Promise<void> {
    clearTimeout(this.editTimer);
    const wasPlaying = this.player.playing;
    this.player.pause();
    const { texts, later, forks } = this;
    this.busy = true;
    const loaded = await this.run.load({ texts, name: this.lesson?.name ?? 'scenario', later, forks, release: this.wanted }, step);
    if (texts === this.texts) this.busy = false;
    if (loaded && wasPlaying) this.player.play();
    const problems = this.run.textIssues.filter((issue) => issue.severity === 'error').length;
    if (!loaded && this.run.stale && problems > 0) this.say(`${problems} problems in the text; the board shows the last good run.`);
  }

  // Does something at the step that is shown; what was to come goes on after it. Gives what the API server has against
  // it, or "".
  async forkHere(ops: Op[]): Promise<string> {
    this.player.pause();
    const { position } = this.run;
    const result = await this.run.fork(ops);
    if ('refused' in result) {
      await this.reload(position);
      return result.refused;
    }
    this.forks = [...this.forks, result.fork];
    this.touch();
    await this.run.showAnew(result.step);
    this.player.saySentence();
    return '';
  }

  // The same from a menu: what the API server has against it is said in the notice.
  async doHere(ops: Op[]): Promise<void> {
    this.notice = '';
    const refused = await this.forkHere(ops);
    if (refused) this.notice = `The API server refuses it: ${refused}`;
  }

  openMenu(target: MenuTarget): void {
    this.player.pause();
    this.menu = target;
  }

  // Below a button.
  openMenuAt(kind: 'pod' | 'node', name: string, from: HTMLElement): void {
    const { left, bottom } = from.getBoundingClientRect();
    this.openMenu({ kind, name, x: left, y: bottom + 2, from });
  }

  closeMenu(): void {
    const from = this.menu?.from;
    this.menu = null;
    from?.focus({ preventScroll: true });
  }

  add(like = ''): void {
    this.player.pause();
    this.form = { like };
  }

  change(kind: 'Pod' | 'Node', key: string): void {
    this.player.pause();
    this.form = { like: '', change: { kind, key } };
  }

  closeForm(): void {
    this.form = null;
  }

  async setRelease(name: string): Promise<void> {
    this.wanted = name === this.releases[0]?.name ? '' : name;
    this.touch();
    await this.reload(this.run.position);
  }

  get canCompare(): boolean {
    return this.makeEngine !== null;
  }

  // Runs the scenario a second time: by what a link says, else in another release, else by a copy of the configuration.
  compare(other?: { scheduler: string; release: string }): void {
    if (!this.makeEngine || this.run.stale || !this.run.frame) return;
    this.player.pause();
    this.closeMenu();
    const { texts, later, wanted } = this;
    const ground = { texts, name: this.lesson?.name ?? 'scenario', later, steps: this.forks.length > 0 ? this.run.current().steps : undefined };
    const comparison = new Comparison(this.makeEngine, ground, (release) => this.pluginsOf(release), (text) => this.say(text));
    const another = this.releases.find(({ name }) => name !== (wanted || this.releases[0]?.name))?.name;
    comparison.left.release = wanted;
    comparison.right.release = other?.release ?? another ?? wanted;
    comparison.right.scheduler = other?.scheduler ?? texts.scheduler;
    this.comparison = comparison;
    void comparison.compute();
  }

  closeComparison(): void {
    this.comparison?.close();
    this.comparison = null;
  }

  // Back to what the scenario says, without what was done on the way; or without the last of it.
  async unfork(which: 'all' | 'last' = 'all'): Promise<void> {
    const at = (which === 'all' ? this.forks[0] : this.forks.at(-1))?.at ?? this.run.position;
    this.forks = which === 'all' ? [] : this.forks.slice(0, -1);
    this.touch();
    await this.reload(Math.min(at, this.run.position));
    this.player.saySentence();
  }

  async letTimePass(seconds: number): Promise<void> {
    await this.player.toEnd();
    const before = this.run.steps;
    for (const op of [{ op: 'advance', seconds }, { op: 'settle' }] satisfies Op[]) {
      if (!(await this.run.append(op))) return;
      this.later = [...this.later, op as JsonObject];
    }
    await this.run.goto(before + 1);
    this.player.saySentence();
  }

  // Forgets the time that was let pass after the scenario's own steps.
  async takeBack(): Promise<void> {
    this.later = [];
    this.touch();
    await this.reload(this.run.position);
    await this.player.toEnd();
  }

  // Everything as one file. What was done on the way, or let happen later, is in its timeline.
  file(): string {
    if (this.forks.length === 0 && this.later.length === 0) return joinDocuments(this.texts);
    return planDocuments(this.run.current(), this.texts.scheduler);
  }

  say(text: string): void {
    this.said = text;
  }

  showPlace(place: Place | null): void {
    this.reveal = place && { ...place, nonce: ++this.nonce };
  }

  // Jumps to the line behind an object or a part of it.
  async revealObject(kind: string, key: string, path = ''): Promise<void> {
    this.showPlace(await this.engine.find(kind, key, path));
  }
}

function same(a: Shared, b: Shared): boolean {
  return JSON.stringify([a.texts, a.later, a.forks ?? []]) === JSON.stringify([b.texts, b.later, b.forks ?? []]);
}

function bringsPods(text: string): boolean {
  return /^[ -]*kind: *["']?Pod["']?\s*$/m.test(text) || /"kind": *"Pod"/.test(text);
}

// Whether somebody has put a cluster of their own into the place of a lesson's, and not just changed it.
function isAnother(lesson: string, text: string): boolean {
  const names = (source: string) => [...source.slice(0, 200_000).matchAll(/^ +(?:name|nodeName): *(\S+)$|"(?:name|nodeName)": *"([^"]+)"/gm)].map((match) => match[1] ?? match[2]);
  const there = new Set(names(text));
  return there.size > 0 && !names(lesson).some((name) => there.has(name));
}

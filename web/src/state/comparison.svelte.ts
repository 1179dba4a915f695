// One scenario run twice: as the page has it, and with another scheduler. Each run has a worker of its own, so that the
// page's own run stays where it is.

import type { Engine } from '../engine/client';
import type { PluginInfo } from '../engine/door';
import type { EditorName, JsonObject, Place, Texts } from '../scenario/types';
import { writeWeight } from '../scenario/weights';
import { landings, type Outcome, partingOf, summaryOf } from './compare';
import { Inspection } from './inspection.svelte';
import { Player } from './player.svelte';
import { Run } from './run.svelte';

const EDIT_DELAY_MS = 350;

export interface Ground {
  texts: Texts;
  name: string;
  later: JsonObject[];
  steps: JsonObject[] | undefined; // with the forks in, where there are any
}

export class Side {
  readonly run: Run;
  readonly inspection: Inspection;
  readonly player: Player;
  scheduler = $state('');
  release = $state('');
  outcome = $state.raw<Outcome | null>(null);
  failed = $state(false); // the run is too long to be compared
  reveal = $state.raw<(Place & { nonce: number }) | null>(null);
  private nonce = 0;

  constructor(
    readonly engine: Engine,
    private readonly ground: Ground,
    readonly pluginsOf: (release: string) => PluginInfo[],
    private readonly onedit: () => void,
    say: (text: string) => void,
  ) {
    this.run = new Run(engine);
    this.player = new Player(this.run, say);
    this.inspection = new Inspection(this.run, say, () => this.player.pause());
  }

  texts = $derived.by((): Texts => ({ ...this.ground.texts, scheduler: this.scheduler }));
  plugins = $derived.by(() => this.pluginsOf(this.release));
  scorePlugins = $derived.by(() => this.plugins.filter((plugin) => plugin.scores));

  edit(editor: EditorName, text: string): void {
    if (editor !== 'scheduler' || text === this.scheduler) return;
    this.scheduler = text;
    this.onedit();
  }
  setWeight(plugin: string, weight: number): void {
    const text = writeWeight(this.scheduler, plugin, weight);
    if (text !== null) this.edit('scheduler', text);
  }
  showPlace(place: Place | null): void {
    this.reveal = place?.editor === 'scheduler' ? { ...place, nonce: ++this.nonce } : null;
  }
  // Runs it to the end.
  async compute(): Promise<void> {
    const { texts, release, ground } = this;
    const { name, later, steps } = ground;
    const loaded = await this.run.load({ texts, name, later, forks: [], release, ...(steps ? { steps } : {}) }, 0);
    if (!loaded) return;
    const { generation } = this.run;
    await this.run.finish();
    await this.run.goto(this.run.steps);
    const decisions = await this.engine.decisions();
    if (generation !== this.run.generation) return;
    this.failed = decisions === null;
    this.outcome = decisions && { decisions, pods: this.run.pods, nodes: this.run.nodes };
  }

  // Shows a pod as it is at the end: here it was never tried.
  async showPod(pod: string): Promise<void> {
    await this.run.goto(this.run.steps);
    if (this.inspection.selected?.name !== pod) this.inspection.select({ kind: 'pod', name: pod });
  }

  // Shows one attempt of a pod; false if there is none.
  async open(pod: string, attempt: number): Promise<boolean> {
    const found = await this.engine.attempt({ pod, attempt });
    if (!found.ok) return false;
    await this.run.goto(found.step);
    this.inspection.openAttempt(pod, attempt);
    return true;
  }
}

export class Comparison {
  readonly left: Side;
  readonly right: Side;
  busy = $state(false);
  chosen = $state('');

  outcomes = $derived.by(() => {
    const [left, right] = [this.left.outcome, this.right.outcome];
    return left && right ? { left, right } : null;
  });
  landings = $derived(this.outcomes ? landings(this.outcomes.left, this.outcomes.right) : []);
  parting = $derived(this.outcomes ? partingOf(this.outcomes.left.decisions, this.outcomes.right.decisions) : null);
  failed = $derived.by(() => this.left.failed || this.right.failed);
  summary = $derived(this.outcomes ? summaryOf(this.outcomes.left, this.outcomes.right) : '');

  private timer: ReturnType<typeof setTimeout> | undefined;
  private turn = 0;

  constructor(
    makeEngine: () => Engine,
    readonly ground: Ground,
    pluginsOf: (release: string) => PluginInfo[],
    readonly say: (text: string) => void,
  ) {
    const again = () => {
      this.busy = true;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.compute([this.right]), EDIT_DELAY_MS);
    };
    this.left = new Side(makeEngine(), ground, pluginsOf, () => undefined, say);
    this.right = new Side(makeEngine(), ground, pluginsOf, again, say);
    this.left.scheduler = ground.texts.scheduler;
  }

  async compute(sides: Side[] = [this.left, this.right]): Promise<void> {
    clearTimeout(this.timer);
    const turn = ++this.turn;
    this.busy = true;
    await Promise.all(sides.map((side) => side.compute()));
    if (turn !== this.turn) return;
    this.busy = false;
    this.say(this.summary);
    await this.openParting();
  }

  setRelease(side: Side, release: string): void {
    side.release = release;
    void this.compute([side]);
  }

  // Another scheduler for the run on the right.
  setScheduler(text: string, release = this.right.release): void {
    this.right.scheduler = text;
    this.right.release = release;
    void this.compute([this.right]);
  }

  async openParting(): Promise<void> {
    const { parting } = this;
    if (!parting) return;
    const { left, right } = parting;
    // Where only one run goes on, the other shows how far it came with that pod.
    this.chosen = left?.pod ?? right?.pod ?? '';
    const show = (side: Side, decision: typeof left) => (decision ? side.open(decision.pod, decision.attempt) : this.openLast(side, this.chosen));
    await Promise.all([show(this.left, left), show(this.right, right)]);
  }

  // A pod's last attempt in a run, or what the run says of it if there is none.
  private async openLast(side: Side, pod: string): Promise<void> {
    const last = side.outcome?.decisions.filter((decision) => decision.pod === pod).at(-1);
    if (last) await side.open(pod, last.attempt);
    else await side.showPod(pod);
  }

  // The attempt of a pod at which the runs part, or its last ones.
  async openPod(pod: string): Promise<void> {
    this.chosen = pod;
    const of = (side: Side) => side.outcome?.decisions.filter((decision) => decision.pod === pod) ?? [];
    const [left, right] = [of(this.left), of(this.right)];
    const parts = left.findIndex((decision, i) => decision.host !== right[i]?.host);
    const at = parts >= 0 ? parts : Math.max(left.length, right.length) - 1;
    const show = async (side: Side, list: typeof left) => {
      const decision = list[Math.min(at, list.length - 1)];
      if (decision) await side.open(pod, decision.attempt);
      else await side.showPod(pod);
    };
    await Promise.all([show(this.left, left), show(this.right, right)]);
  }

  async toEnds(): Promise<void> {
    this.chosen = '';
    for (const side of [this.left, this.right]) side.inspection.forget();
    await Promise.all([this.left, this.right].map((side) => side.player.toEnd()));
  }

  close(): void {
    clearTimeout(this.timer);
    this.turn++;
    this.left.engine.close();
    this.right.engine.close();
  }
}

// What is looked at more closely: the selected pod or node, else the attempt that the step is about.

import { arrivalOf } from '../board/look';
import type { Attempt, Explanation, Frame } from '../engine/door';
import type { Run } from './run.svelte';

export type Selection = { kind: 'pod' | 'node'; name: string } | null;

const ATTEMPTS_KEPT = 200;
const DETAIL_NODES = 200; // above, an attempt's details are computed only when somebody asks

export class Inspection {
  selected = $state.raw<Selection>(null);
  attempt = $state.raw<Attempt | null>(null);
  attemptCount = $state(0);
  chosenAttempt = $state<number | null>(null);
  explanation = $state.raw<Explanation | null>(null);
  detailsOffered = $state(false);
  computing = $state(false);

  private attempts = new Map<string, Attempt[]>();
  private ofThisRun = false; // the attempt that is shown; one of the run before stays until the new one is known

  constructor(
    private readonly run: Run,
    private readonly say: (text: string) => void,
    private readonly pause: () => void,
  ) {
    run.onload = () => {
      this.attempts.clear();
      this.ofThisRun = false;
    };
    run.onshow = () => void this.inspect();
  }

  forget(): void {
    this.selected = null;
    this.chosenAttempt = null;
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

  // Opens one attempt of a pod, as far as the run has come to it.
  openAttempt(pod: string, attempt: number): void {
    this.selected = { kind: 'pod', name: pod };
    this.chosenAttempt = attempt;
    void this.inspect();
  }

  chooseAttempt(attempt: number): void {
    if (this.attempt && !this.selected) this.selected = { kind: 'pod', name: this.attempt.pod };
    this.chosenAttempt = attempt;
    void this.inspect();
  }

  // Details of an attempt in a large cluster: the run is computed again up to it, which may take seconds.
  async computeDetails(): Promise<void> {
    const { frame, engine, generation } = this.run;
    if (!frame) return;
    this.pause();
    this.computing = true;
    this.say('Computing the details.');
    const { selected } = this;
    const pod = selected?.kind === 'pod' ? selected.name : frame.focus?.pod;
    let reply = await engine.attempt({ step: frame.step });
    if ((!reply.ok || (pod && reply.pod !== pod)) && pod) reply = await engine.attempt({ pod });
    this.computing = false;
    if (generation !== this.run.generation || frame !== this.run.frame) return;
    this.detailsOffered = !reply.ok;
    this.attempt = reply.ok ? reply : null;
    this.attemptCount = 1;
    if (!reply.ok) this.say('This step belongs to no attempt.');
    this.explanation = null;
  }

  private async inspect(): Promise<void> {
    const { frame, engine, generation } = this.run;
    if (!frame) return;
    const { selected } = this;
    const current = () => generation === this.run.generation && frame === this.run.frame && selected === this.selected;
    if (selected?.kind === 'node') {
      const explanation = await engine.explain({ node: selected.name });
      if (!current()) return;
      this.attempt = null;
      this.explanation = explanation.ok ? explanation : null;
      return;
    }
    if (this.run.nodes.length > DETAIL_NODES) {
      this.attempt = null;
      this.explanation = null;
      this.detailsOffered = true;
      return;
    }
    this.detailsOffered = false;
    const before = this.ofThisRun ? this.attempt : null;
    const pod = selected?.name ?? frame.cycle?.pod ?? frame.focus?.pod ?? before?.pod ?? arrivalOf(frame.entry);
    const list = pod ? await this.attemptsUntil(pod, frame) : [];
    if (!current()) return;
    if (list.length === 0 && !selected && before && before.step <= frame.step && frame.focus?.pod !== pod) return;
    const wanted = this.chosenAttempt ?? list.length;
    const attempt = list[Math.min(wanted, list.length) - 1] ?? null;
    let explanation: Explanation | null = null;
    if (!attempt && pod) {
      const reply = await engine.explain({ pod });
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
      const reply = await this.run.engine.attempt({ pod, attempt: known.length + 1 });
      if (!reply.ok) break;
      if (known.length + 1 === reply.attempt) known.push(reply);
      else break;
    }
    return known.filter((attempt) => attempt.step <= frame.step || attempt.attempt <= begun);
  }

  async explainScore(node: string, plugin: string): Promise<Explanation | null> {
    if (!this.attempt) return null;
    const reply = await this.run.engine.explain({ score: { step: this.attempt.step, node, plugin } });
    return reply.ok ? reply : null;
  }
}

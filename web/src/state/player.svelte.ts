// Moving through a run: step by step, by itself, to the ends.

import type { Run } from './run.svelte';

export type StepSize = 'change' | 'cycle' | 'operation';

const FRAME_MS = 900; // of Play at speed 1
const MOST = 2000; // steps that one press may skip

export class Player {
  playing = $state(false);
  speed = $state(1);
  stepSize = $state<StepSize>('change');

  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly run: Run,
    private readonly say: (text: string) => void,
  ) {}

  async step(): Promise<void> {
    this.pause();
    await this.forward();
    this.saySentence();
  }

  private stops(): boolean {
    return this.run.frame?.kind === 'op' || (this.stepSize === 'cycle' && this.run.frame?.kind === 'cycle');
  }

  private async forward(): Promise<void> {
    if (this.stepSize === 'change') return this.run.goto(this.run.position + 1);
    for (let i = 0; i < MOST && !this.run.atEnd; i++) {
      await this.run.goto(this.run.position + 1);
      if (this.stops()) return;
    }
  }

  async back(): Promise<void> {
    this.pause();
    if (this.stepSize === 'change') {
      await this.run.goto(this.run.position - 1);
    } else {
      for (let i = 0; i < MOST && this.run.position > 0; i++) {
        await this.run.goto(this.run.position - 1);
        if (this.stops()) break;
      }
    }
    this.saySentence();
  }

  async toStart(): Promise<void> {
    this.pause();
    await this.run.goto(0);
    this.saySentence();
  }

  async toEnd(): Promise<void> {
    this.pause();
    await this.run.finish();
    await this.run.goto(this.run.steps);
    this.saySentence();
  }

  async scrub(step: number): Promise<void> {
    this.pause();
    await this.run.goto(step);
  }

  play(): void {
    if (this.playing || !this.run.frame) return;
    this.playing = true;
    const tick = async () => {
      if (!this.playing) return;
      if (this.run.atEnd) {
        this.pause();
        this.say(`The end. ${this.run.frame?.sentence ?? ''}`);
        return;
      }
      // Beyond 16 steps a second nobody can follow single ones: then several are taken at once.
      const wanted = FRAME_MS / this.speed;
      const stride = Math.max(1, Math.round(60 / wanted));
      if (stride === 1) await this.forward();
      else await this.run.goto(this.run.position + stride);
      this.timer = setTimeout(() => void tick(), Math.max(wanted, 60));
    };
    // From the end Play starts over, as players do.
    if (this.run.atEnd) void this.run.goto(0).then(() => (this.timer = setTimeout(() => void tick(), FRAME_MS / 2)));
    else void tick();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    clearTimeout(this.timer);
    this.saySentence();
  }

  togglePlay(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  saySentence(): void {
    const { frame, position, steps } = this.run;
    if (frame) this.say(`${position} of ${steps}: ${frame.sentence}`);
  }
}

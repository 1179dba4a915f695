import { expose } from 'comlink';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Engine } from '../src/engine/client';

// Workers that keep a log of what they were asked, and trap where they are told to.
class Pretend {
  static made: Pretend[] = [];
  static trapAt: (name: string, argument: string, born: number) => boolean = () => false;
  static hangAt: (name: string) => boolean = () => false;
  readonly calls: string[] = [];
  private readonly channel = new MessageChannel();
  terminated = false;

  constructor() {
    const born = Pretend.made.push(this);
    expose(
      {
        start: () => undefined,
        call: (name: string, argument: string) => {
          this.calls.push(`${name} ${argument}`);
          if (Pretend.trapAt(name, argument, born)) throw new Error('unreachable');
          const runs = this.calls.filter((call) => call.startsWith('run')).length;
          return JSON.stringify({ ok: true, issues: [], steps: runs * 3, done: false });
        },
        read: () => {
          this.calls.push('read');
          if (Pretend.hangAt('read')) return new Promise(() => undefined);
          return { ok: true };
        },
      },
      this.channel.port1 as never,
    );
    this.channel.port1.start();
    this.channel.port2.start();
  }
  worker(): Worker {
    const { port2 } = this.channel;
    return {
      postMessage: port2.postMessage.bind(port2),
      addEventListener: port2.addEventListener.bind(port2),
      removeEventListener: port2.removeEventListener.bind(port2),
      terminate: () => {
        this.terminated = true;
        port2.close();
      },
    } as unknown as Worker;
  }
}

afterEach(() => {
  for (const one of Pretend.made) if (!one.terminated) one.worker().terminate();
  Pretend.made = [];
  Pretend.trapAt = () => false;
  Pretend.hangAt = () => false;
});

const TEXTS = { cluster: '', pods: '', scheduler: '' };

describe('the engine', () => {
  it('does one thing after the other, in the order asked', async () => {
    const engine = new Engine(() => new Pretend().worker());
    await Promise.all([engine.load('{}'), engine.run({ units: 5 }), engine.seek(2)]);
    expect(Pretend.made[0]?.calls).toEqual(['load {}', 'run {"units":5}', 'seek {"step":2,"nodes":"all"}']);
  });

  it('replays the session in a new worker after a trap, and says what happened', async () => {
    Pretend.trapAt = (name, _, born) => name === 'attempt' && born === 1;
    const engine = new Engine(() => new Pretend().worker());
    await engine.read(TEXTS, 'x', []);
    await engine.load('{"name":"a"}');
    await engine.seek(1);
    await engine.seek(4);
    await engine.apply({ op: 'advance', seconds: 1 }, 'end');
    const reply = await engine.attempt({ step: 4 });
    expect(reply.ok).toBe(false);
    expect(reply.issues?.[0]?.message).toContain('unreachable');
    expect(reply.issues?.[0]?.message).toContain('started again');
    expect(Pretend.made).toHaveLength(2);
    expect(Pretend.made[0]?.terminated).toBe(true);
    expect(Pretend.made[1]?.calls).toEqual([
      'read',
      'load {"name":"a"}',
      'run {"units":20}',
      'run {"units":20}',
      'seek {"step":4,"nodes":"all"}',
      'apply {"op":"advance","seconds":1,"at":"end"}',
    ]);
    expect((await engine.seek(5)).ok).toBe(true);
    expect(engine.restarts).toBe(1);
  });

  it('gives up what takes long when somebody stops it, and takes up the run before', async () => {
    const engine = new Engine(() => new Pretend().worker());
    await engine.read(TEXTS, 'x', []);
    await engine.load('{"name":"a"}');
    Pretend.hangAt = (name) => name === 'read';
    const reading = engine.read({ ...TEXTS, cluster: 'long' }, 'x', []);
    await vi.waitFor(() => expect(Pretend.made[0]?.calls.at(-1)).toBe('read'));
    Pretend.hangAt = () => false;
    engine.interrupt();
    expect(await reading).toMatchObject({ ok: false, issues: [{ message: expect.stringContaining('stopped') }] });
    expect(Pretend.made[0]?.terminated).toBe(true);
    expect(Pretend.made[1]?.calls).toEqual(['read', 'load {"name":"a"}']);
    engine.interrupt(); // nothing is going on
    expect((await engine.seek(1)).ok).toBe(true);
  });

  it('gives up a session that traps again while it is replayed, but not the next one', async () => {
    Pretend.trapAt = (name, argument) => name === 'load' && argument.includes('bad');
    const engine = new Engine(() => new Pretend().worker());
    await engine.load('{"name":"good"}');
    expect((await engine.load('{"name":"bad"}')).ok).toBe(false);
    expect((await engine.seek(1)).ok).toBe(true);
    expect(Pretend.made[1]?.calls[0]).toBe('load {"name":"good"}');
  });
});

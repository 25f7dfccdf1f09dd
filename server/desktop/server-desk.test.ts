import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProgramOptions, StartProgram } from '../../shared/desktop/program.ts';
import { desktopWords } from '../../shared/desktop/words.ts';
import type { Answerer } from '../service/ask-service.ts';
import type { ServiceRecord } from '../service/service-record.ts';
import { STOP_LIMIT_MS, type Timing } from './kept-server.ts';
import { ServerDesk, storeToServe } from './server-desk.ts';
import { hintFor, serviceControl } from './service-control.ts';

/** Timers controlled by the test. */
class Hands implements Timing {
  #now = 0;
  #waiting: { at: number; work: () => void }[] = [];
  now(): number {
    return this.#now;
  }
  after(ms: number, work: () => void): () => void {
    const one = { at: this.#now + ms, work };
    this.#waiting.push(one);
    return () => {
      this.#waiting = this.#waiting.filter((each) => each !== one);
    };
  }
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const [next] = this.#waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#waiting = this.#waiting.filter((each) => each !== next);
      this.#now = next.at;
      next.work();
      await settled();
    }
    this.#now = until;
  }
}

const { words } = desktopWords(['en']);
const settled = () => new Promise<void>((done) => setImmediate(done));

const rig = (
  more: { installed?: ServiceRecord; answers?: Answerer; stores?: string[]; older?: string[]; control?: string } = {},
) => {
  const timing = new Hands();
  const world = {
    installed: more.installed as ServiceRecord | undefined,
    answers: more.answers ?? 'nobody',
    noted: true,
    stores: new Set(more.stores),
    hint: more.control as string | undefined,
  };
  const started: { options: ProgramOptions; end: (code: number | null) => void; told: string[]; isOver: boolean }[] =
    [];
  const start: StartProgram = (options) => {
    let end = (_code: number | null) => {};
    const ended = new Promise<number | null>((done) => (end = done));
    const one = {
      options,
      end: (code: number | null) => {
        one.isOver = true;
        end(code);
      },
      told: [] as string[],
      isOver: false,
    };
    started.push(one);
    return { send: ({ type }) => void one.told.push(type), kill: () => one.end(null), ended };
  };
  const told: string[] = [];
  const loads: string[] = [];
  const ordered: string[] = [];
  const order = (what: string) => async () => {
    ordered.push(what);
    return world.hint;
  };
  const desk: ServerDesk = new ServerDesk({
    start,
    port: 8710,
    places: { data: '/new', older: more.older ?? [] },
    isStore: (folder) => world.stores.has(folder),
    installed: () => world.installed,
    note: () => (world.noted ? { port: 8800, fingerprint: '' } : undefined),
    whoAnswers: async () => world.answers,
    addresses: (port) => [`http://10.0.0.1:${port}/`],
    control: { start: order('start'), stop: order('stop') },
    timing,
    changed: (shown, servesAnew) => void (servesAnew && loads.push(shown.origin)),
    tell: (title, text) => void told.push(`${title}: ${text}`),
    words: words.server,
  });
  const serve = (at = started.length - 1) =>
    started[at]!.options.hear({ type: 'serving', port: 8710, addresses: ['http://10.0.0.1:8710/'] });
  return { desk, timing, world, started, told, loads, ordered, serve };
};

const SERVICE = { data: '/var/lib/vitrine', port: 8710, note: '/run/vitrine/server.json' };

test('server without a service is a child process that is restarted with growing delays', async () => {
  const { desk, timing, started, told, loads, serve } = rig();
  await desk.start();
  assert.deepEqual(started[0]!.options.args, ['--port', '8710', '--data', '/new']);
  started[0]!.options.complains?.('The port is taken.\n');
  started[0]!.end(1);
  await settled();
  assert.equal(desk.shown.phase, 'failed');
  assert.deepEqual(told, ['Vitrine could not start its server: The port is taken.']);
  await timing.pass(499);
  assert.equal(started.length, 1);
  await timing.pass(1);
  started[1]!.end(1);
  await settled();
  assert.equal(told.length, 1);
  await timing.pass(1_000);
  serve();
  assert.deepEqual([desk.shown.phase, desk.shown.by, loads], ['running', 'child', ['http://localhost:8710']]);
  // Messages of an earlier child process are ignored.
  started[0]!.options.hear({ type: 'screens', online: 9, total: 9 });
  assert.equal(desk.shown.screens, undefined);

  const stopping = desk.pause();
  assert.deepEqual(started[2]!.told, ['stop']);
  await timing.pass(STOP_LIMIT_MS - 1);
  assert.equal(started[2]!.isOver, false);
  await timing.pass(1);
  await stopping;
  assert.deepEqual([started[2]!.isOver, desk.shown.phase], [true, 'paused']);
  await timing.pass(60_000);
  assert.equal(started.length, 3, 'paused is paused');
  await desk.resume();
  serve();
  const ended = desk.stop();
  started[3]!.end(0);
  await ended;
  assert.equal(started.length, 4);
});

test('server that is paused between two start attempts is not started again', async () => {
  const { desk, timing, started } = rig();
  await desk.start();
  started[0]!.end(1);
  await settled();
  await desk.pause();
  await timing.pass(120_000);
  assert.deepEqual([started.length, desk.shown.phase], [1, 'paused']);
});

test('server stops while this computer changes its role, and starts again only if the change failed', async () => {
  const { desk, timing, started } = rig();
  await desk.start();
  const change = (done: boolean) =>
    desk.resting(async () => {
      assert.equal(started.at(-1)!.isOver, true, 'nobody serves it');
      return done;
    });
  for (const done of [false, true]) {
    const changing = change(done);
    started.at(-1)!.end(0);
    assert.equal(await changing, done);
    await timing.pass(120_000);
    assert.equal(started.length, 2);
  }
  const paused = rig();
  await paused.desk.start();
  const pausing = paused.desk.pause();
  paused.started[0]!.end(0);
  await pausing;
  await paused.desk.resting(async () => false);
  assert.deepEqual([paused.started.length, paused.desk.shown.phase], [1, 'paused']);
});

test('removed service is not replaced by a child process, and a service that stays is watched again', async () => {
  const { desk, timing, started, world } = rig({ installed: SERVICE, answers: 'service' });
  await desk.start();
  await desk.resting(async () => {
    await timing.pass(60_000);
    return false;
  });
  assert.equal(desk.shown.phase, 'running');
  await desk.resting(async () => {
    world.installed = undefined;
    await timing.pass(60_000);
    return true;
  });
  await timing.pass(60_000);
  assert.equal(started.length, 0);
});

test('window waits for an installed service, starts no child process, and loads the service when it answers', async () => {
  const { desk, timing, world, started, loads } = rig({ installed: SERVICE });
  world.noted = false;
  await desk.start();
  assert.deepEqual([desk.shown.by, desk.shown.phase], ['service', 'waiting']);
  world.noted = true;
  world.answers = 'service';
  await timing.pass(3_000);
  assert.deepEqual(
    [desk.shown.phase, desk.shown.addresses, loads],
    ['running', ['http://10.0.0.1:8800/'], ['http://localhost:8800']],
  );
  await timing.pass(15_000);
  assert.equal(loads.length, 1, 'once');
  world.answers = 'nobody';
  await timing.pass(15_000);
  assert.equal(desk.shown.phase, 'waiting');
  world.answers = 'service';
  await timing.pass(3_000);
  assert.equal(loads.length, 2);
  await desk.stop();
  await timing.pass(60_000);
  assert.equal(started.length, 0);
});

test('window does not show a program that is not the service but uses the service’s port', async () => {
  const { desk, started, loads } = rig({ installed: SERVICE, answers: 'stranger' });
  await desk.start();
  assert.deepEqual([desk.shown.phase, loads, started.length], ['stranger', [], 0]);
});

test('tray icon stops and starts the service if the user has the right, and otherwise says how to do so', async () => {
  const { desk, timing, world, ordered } = rig({ installed: SERVICE, answers: 'service' });
  await desk.start();
  await desk.pause();
  world.answers = 'nobody';
  await timing.pass(30_000);
  assert.deepEqual([desk.shown.phase, ordered], ['paused', ['stop']]);
  world.answers = 'service';
  await desk.resume();
  assert.deepEqual([desk.shown.phase, ordered], ['running', ['stop', 'start']]);
  world.hint = 'In a terminal: sudo vitrine service stop';
  await desk.pause();
  assert.deepEqual([desk.shown.phase, desk.shown.hint], ['running', world.hint]);

  const calls: (readonly string[])[] = [];
  const linux = serviceControl('linux', words, async (args) => calls.push(args) === 1);
  assert.equal(await linux.stop(), undefined);
  assert.deepEqual(calls, [['stop', 'vitrine.service']]);
  assert.equal(await linux.start(), hintFor('linux', 'start', words));
  assert.match((await serviceControl('win32', words).stop())!, /administrator: vitrine service stop/);
});

test('child process starts when the service is uninstalled while the window is open', async () => {
  const { desk, timing, world, started } = rig({ installed: SERVICE, answers: 'service' });
  await desk.start();
  world.installed = undefined;
  await timing.pass(15_000);
  assert.deepEqual([desk.shown.by, started.length], ['child', 1]);
});

test('data of an earlier version is moved before the server starts, and is used in its old place if the move fails', async () => {
  const moved = rig({ older: ['/new', '/roaming'], stores: ['/roaming'] });
  const starting = moved.desk.start();
  assert.deepEqual(moved.started[0]!.options.args, ['move-data', '--from', '/roaming', '--data', '/new']);
  moved.started[0]!.end(0);
  await starting;
  assert.deepEqual(moved.started[1]!.options.args.slice(-1), ['/new']);

  const failed = rig({ older: ['/roaming'], stores: ['/roaming'] });
  const trying = failed.desk.start();
  failed.started[0]!.options.complains?.('The disk is full.');
  failed.started[0]!.end(1);
  await trying;
  assert.deepEqual(failed.started[1]!.options.args.slice(-1), ['/roaming']);
  assert.match(failed.told[0]!, /was not moved: The disk is full\./);

  assert.deepEqual(
    storeToServe({ data: '/new', older: ['/roaming'] }, (folder) => folder === '/new'),
    { data: '/new' },
  );
  assert.deepEqual(
    storeToServe({ data: '/new', older: ['/roaming'] }, () => false),
    { data: '/new' },
  );
});

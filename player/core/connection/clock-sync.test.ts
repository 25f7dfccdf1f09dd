import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Time } from '../ports.ts';
import { FakeCrypto, FakeTime, MemoryDocuments, MemoryLog } from '../testing/fakes.ts';
import { ClockSync } from './clock-sync.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Uncertainty of the clock after a sleep that no server has confirmed. */
const SLEEP_ERROR_MS = 1_000;

function rig(host: 'agent' | 'browser' = 'agent') {
  const time = new FakeTime();
  const documents = new MemoryDocuments();
  const writes: number[] = [];
  const write = documents.write.bind(documents);
  documents.write = (name, text) => {
    writes.push(time.mono());
    return write(name, text);
  };
  const [crypto, log] = [new FakeCrypto(), new MemoryLog()];
  const steps: { delta: number; first: boolean }[] = [];
  const server = { over: time.wallOffset + 4 * HOUR, answers: true, asked: 0, roundTrip: 2 };
  const inBrowser: Time = { mono: () => time.mono(), wall: () => time.wall(), after: (ms, run) => time.after(ms, run) };
  const make = () =>
    new ClockSync({
      time: host === 'agent' ? time : inBrowser,
      crypto,
      documents,
      log,
      stepped: (delta, first) => steps.push({ delta, first }),
    });
  const clock = make();
  const send = (t0: number) => {
    server.asked++;
    if (!server.answers) return;
    const heard = time.mono() + server.over + server.roundTrip / 2;
    time.after(server.roundTrip, () => clock.reply({ t0, t1: heard, t2: heard }, time.mono()));
  };
  /** Difference between the clock and the server's clock in milliseconds. */
  const error = () => Math.abs(clock.now() - (time.mono() + server.over));
  const sleep = (ms: number) => {
    time.sleep(ms);
    server.over += ms;
  };
  const saved = () =>
    JSON.parse(documents.all.get('clock') ?? '{}') as Record<
      'server_minus_wall' | 'uncertainty_ms' | 'saved_at_wall',
      number
    >;
  return { time, crypto, log, writes, clock, server, steps, send, error, sleep, saved, make };
}

type Rig = ReturnType<typeof rig>;
async function synced(kit: Rig): Promise<void> {
  await kit.clock.start();
  kit.clock.connected(kit.send);
  // Stops 1 s after an exchange with the server, and 2 s before the next check for a sleep.
  await kit.time.advance(63 * SECOND);
  assert.ok(kit.error() < 1);
  kit.steps.length = 0;
}

for (const host of ['agent', 'browser'] as const) {
  test(`after a sleep without a server (${host}), time is corrected within 5 s and counts as less certain`, async () => {
    const kit = rig(host);
    await synced(kit);
    kit.clock.disconnected();
    await kit.time.advance(20 * 60 * SECOND);
    kit.sleep(9 * HOUR);
    await kit.time.advance(5 * SECOND);
    assert.ok(kit.error() < 100);
    assert.deepEqual(kit.steps, [{ delta: 9 * HOUR, first: false }]);
    const { uncertainty = 0 } = kit.clock.estimate ?? {};
    assert.ok(uncertainty >= SLEEP_ERROR_MS && uncertainty < 1.2 * SLEEP_ERROR_MS);
    await kit.time.advance(HOUR);
    assert.equal(kit.steps.length, 1);
  });

  test(`after a measured sleep (${host}), the first answer of the server corrects the rest of the error`, async () => {
    const kit = rig(host);
    await synced(kit);
    kit.clock.disconnected();
    kit.sleep(9 * HOUR);
    kit.server.over += 200; // the hardware clock that measured the sleep counts whole seconds
    await kit.time.advance(5 * SECOND);
    assert.ok(Math.abs(kit.error() - 200) < 10);
    const { uncertainty = 0 } = kit.clock.estimate ?? {};
    assert.ok(uncertainty >= SLEEP_ERROR_MS && uncertainty < 1.2 * SLEEP_ERROR_MS);
    kit.clock.connected(kit.send);
    await kit.time.advance(10);
    assert.ok(kit.error() < 1);
    assert.ok((kit.clock.estimate?.uncertainty ?? 100) < 10);
    assert.equal(kit.steps.length, 2);
  });

  test(`after a sleep (${host}), a connected server is queried at once and its first answer is trusted`, async () => {
    const kit = rig(host);
    await synced(kit);
    kit.sleep(9 * HOUR);
    kit.server.over += 700;
    kit.server.roundTrip = 200;
    await kit.time.advance(2 * SECOND + 200);
    assert.ok(kit.error() < 1);
    const [step, ...more] = kit.steps;
    assert.ok(Math.abs((step?.delta ?? 0) - (9 * HOUR + 700)) < 1, 'by what the server says, not by what was slept');
    await kit.time.advance(60 * SECOND);
    assert.equal(more.length, 0);
    assert.equal(kit.steps.length, 1);
  });

  test(`after a sleep (${host}), ClockSync does not wait for a server that has disconnected meanwhile`, async () => {
    const kit = rig(host);
    await synced(kit);
    kit.server.answers = false;
    kit.sleep(9 * HOUR);
    await kit.time.advance(10 * SECOND);
    assert.ok(kit.error() < 100);
    await kit.time.advance(60 * SECOND);
    assert.equal(kit.steps.length, 1);
  });

  test(`sleep before the first comparison (${host}) is added without moving earlier timestamps`, async () => {
    const kit = rig(host);
    kit.server.over = kit.time.wallOffset + 50;
    await kit.clock.start();
    await kit.time.advance(20 * SECOND);
    kit.sleep(9 * HOUR);
    kit.clock.connected(kit.send);
    await kit.time.advance(10 * SECOND);
    assert.ok(kit.error() < 1);
    const moved = kit.steps.filter(({ first }) => first).reduce((sum, { delta }) => sum + delta, 0);
    assert.ok(Math.abs(moved - 50) < 1);
  });
}

for (const { host, corrections, what } of [
  {
    host: 'agent',
    corrections: [2 * HOUR, -2 * HOUR, 20 * 365 * 24 * HOUR],
    what: 'somebody who sets the wall clock, in either direction,',
  },
  {
    host: 'browser',
    corrections: [-2 * HOUR, 20 * 365 * 24 * HOUR],
    what: 'a wall clock that is set back, or on by years,',
  },
] as const)
  test(`ClockSync without a server (${host}) ignores ${what}`, async () => {
    for (const correction of corrections) {
      const kit = rig(host);
      await synced(kit);
      kit.clock.disconnected();
      kit.time.wallOffset += correction;
      await kit.time.advance(60 * SECOND);
      assert.ok(kit.error() < 10);
      assert.deepEqual(kit.steps, []);
    }
  });

test('browser with a connected server does not take a wall clock that was set ahead by hours for a sleep', async () => {
  const kit = rig('browser');
  await synced(kit);
  const { asked } = kit.server;
  kit.time.wallOffset += 2 * HOUR;
  for (let i = 0; i < 300; i++) {
    await kit.time.advance(100);
    assert.ok(kit.error() < 1);
  }
  assert.ok(kit.server.asked > asked + 8, 'it was asked');
  assert.deepEqual(kit.steps, []);
});

test('after the wall clock was set, the new offset is saved, so that a restart without a server is right', async () => {
  for (const correction of [-3 * 365 * 24 * HOUR, 2 * HOUR, 20 * 365 * 24 * HOUR]) {
    const kit = rig();
    await synced(kit);
    kit.clock.disconnected();
    kit.time.wallOffset += correction;
    await kit.time.advance(5 * SECOND);
    assert.ok(Math.abs(kit.saved().server_minus_wall - (4 * HOUR - correction)) < 10);
    const next = kit.make(); // a power cut: the last run did not stop properly
    await next.start();
    assert.ok(Math.abs(next.now() - (kit.time.mono() + kit.server.over)) < 10);
  }
});

test('after a sleep, the offset of the clock is saved', async () => {
  const kit = rig();
  await synced(kit);
  kit.clock.disconnected();
  kit.sleep(9 * HOUR);
  await kit.time.advance(5 * SECOND);
  assert.ok(Math.abs(kit.saved().server_minus_wall - 4 * HOUR) < 10);
  assert.ok(kit.time.wall() - kit.saved().saved_at_wall < 5 * SECOND);
});

test('ClockSync sends 8 requests within 2 s of connecting, then one every 10 s ± 2 s, and none when disconnected', async () => {
  const kit = rig();
  kit.crypto.next = 0.75;
  await kit.clock.start();
  const asked: number[] = [];
  for (let connections = 0; connections < 2; connections++) {
    const began = kit.time.mono();
    kit.clock.connected(() => asked.push(kit.time.mono() - began));
    await kit.time.advance(24 * SECOND);
  }
  kit.clock.disconnected();
  await kit.time.advance(60 * SECOND);
  const once = [...Array.from({ length: 8 }, (_, i) => i * 250), 12_750, 23_750];
  assert.deepEqual(asked, [...once, ...once]);
});

test('offset is saved every 5 minutes, after a jump and at the end', async () => {
  const kit = rig();
  assert.throws(() => kit.clock.now(), /before start/);
  kit.clock.reply({ t0: 0, t1: 1, t2: 1 }, 2);
  await kit.clock.start();
  const began = kit.time.mono();
  kit.clock.reply({ t0: 0, t1: 5, t2: 4 }, 2);
  assert.equal(kit.clock.read().uncertainty, null);
  kit.time.wallOffset += 900;
  await kit.time.advance(11 * 60 * SECOND);
  assert.deepEqual(
    kit.writes.map((at) => at - began),
    [300_000, 600_000],
  );
  assert.equal(kit.saved().uncertainty_ms, 15);
  kit.time.wallOffset += 1_500;
  await kit.time.advance(60 * SECOND);
  assert.equal(kit.writes.length, 3, 'somebody has set the wall clock');
  kit.clock.connected(kit.send);
  await kit.time.advance(10);
  assert.equal(kit.writes.length, 4);
  assert.ok(Math.abs(kit.saved().server_minus_wall - (kit.server.over - kit.time.wallOffset)) < 10);
  assert.ok(kit.saved().uncertainty_ms < 2);
  await kit.clock.stop();
  const { asked } = kit.server;
  await kit.time.advance(HOUR);
  assert.deepEqual([kit.writes.length, kit.server.asked], [5, asked]);
});

test('jump of the clock is reported and logged, and the uncertainty is higher while a correction is slewed', async () => {
  for (const [by, jumps, lines] of [
    [100, 0, 0],
    [900, 1, 0],
    [1_500, 1, 1],
  ] as const) {
    const kit = rig();
    await synced(kit);
    const before = kit.log.lines.length;
    kit.server.over += by;
    kit.server.roundTrip = 0;
    let most = 0;
    for (let i = 0; i < 45; i++) {
      await kit.time.advance(SECOND);
      most = Math.max(most, kit.clock.estimate?.uncertainty ?? 0);
      assert.ok((kit.clock.estimate?.uncertainty ?? 0) >= 0);
    }
    assert.deepEqual([kit.steps.length, kit.log.lines.length - before], [jumps, lines], `${by} ms`);
    if (jumps === 0) assert.ok(most > 90 && most < 110);
  }
});

test('whether the machine slept is decided only by answers to requests from after the sleep', async () => {
  const kit = rig();
  await synced(kit);
  kit.server.answers = false;
  const asked = kit.time.mono();
  kit.sleep(9 * HOUR);
  await kit.time.advance(2 * SECOND);
  const [t1, t3] = [kit.time.mono() + kit.server.over - 9 * HOUR, kit.time.mono()];
  kit.clock.reply({ t0: asked, t1, t2: t1 }, t3);
  assert.equal(kit.steps.length, 0);
  await kit.time.advance(10 * SECOND);
  assert.equal(kit.steps.length, 1);
  assert.ok(kit.error() < 100);
});

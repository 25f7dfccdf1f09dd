import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Panel } from './panel.ts';
import { FakeMachine, FakeTime, MemoryDocuments, MemoryLog, settle } from './testing/fakes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Opening hours of every day from 08:00 to `end`, UTC. */
const openUntil = (end: string) => ({
  timezone: 'UTC',
  hours: [{ days: [0, 1, 2, 3, 4, 5, 6], start: '08:00', end, start_date: null, end_date: null }],
});
type Hours = ReturnType<typeof openUntil>;

/** Creates a panel with a clock that starts at 22:13:21 UTC. */
async function start(hours?: Hours) {
  const kit = {
    time: new FakeTime(),
    documents: new MemoryDocuments(),
    machine: new FakeMachine(),
    log: new MemoryLog(),
    hours,
    sure: true,
    changes: 0,
  };
  const boot = async () => {
    const panel = new Panel({
      ...kit,
      now: () => kit.time.wall(),
      sure: () => kit.sure,
      hours: () => kit.hours,
      changed: () => kit.changes++,
    });
    await panel.update();
    assert.equal(panel.on, true, 'until it has started nothing is dark');
    await panel.start();
    await settle();
    return panel;
  };
  return Object.assign(kit, { boot, panel: await boot() });
}
const until = ({ time }: { time: FakeTime }, hour: number) =>
  time.advance((hour * HOUR - (time.wall() % (24 * HOUR)) + 24 * HOUR) % (24 * HOUR));

test('panel without opening hours is on, and at the start the opening hours decide', async () => {
  assert.deepEqual((await start()).machine.done, []);
  assert.deepEqual((await start(openUntil('23:00'))).machine.done, ['on']);
  const closed = await start(openUntil('22:00'));
  assert.deepEqual([closed.machine.done, closed.panel.on, closed.changes], [['off'], false, 1]);
});

test('panel switches at the minute of the opening hours, once each time, and not after a stop', async () => {
  const kit = await start(openUntil('22:30'));
  await until(kit, 22.5 - 1 / 3_600);
  assert.equal(kit.panel.on, true);
  await until(kit, 22.5);
  assert.deepEqual([kit.panel.on, kit.machine.done], [false, ['on', 'off']]);
  await kit.time.advance(9 * HOUR);
  assert.equal(kit.panel.on, false);
  await until(kit, 8);
  assert.deepEqual([kit.panel.on, kit.machine.done, kit.changes], [true, ['on', 'off', 'on'], 2]);
  assert.equal(kit.time.waits, 1);
  kit.panel.stop();
  assert.equal(kit.time.waits, 0);
  await kit.panel.update();
  assert.equal(kit.time.waits, 0);
});

test('opening hours are checked every hour, so that the panel follows a corrected clock', async () => {
  const kit = await start(openUntil('22:00'));
  kit.time.wallOffset += 10 * HOUR;
  await kit.time.advance(HOUR - 1);
  assert.equal(kit.panel.on, false);
  await kit.time.advance(1);
  assert.equal(kit.panel.on, true);
});

test('operator order is valid until the opening hours next begin or end, also after a restart', async () => {
  const kit = await start(openUntil('22:00'));
  await kit.panel.order(true);
  assert.equal(kit.panel.on, true);
  kit.panel.stop();
  const again = await kit.boot();
  assert.equal(again.on, true);
  await until(kit, 9);
  assert.deepEqual([again.on, [...kit.documents.all]], [true, []]);
  await until(kit, 22);
  assert.equal(again.on, false, 'the order of the night before is over');
  await again.order(false);
  await until(kit, 8);
  assert.equal(again.on, true, 'it opens though somebody had turned it off at night');
});

test('operator order without opening hours is valid until the next order, and new opening hours end it', async () => {
  const kit = await start();
  await kit.panel.order(false);
  await kit.time.advance(1_000 * HOUR);
  kit.sure = false;
  kit.panel.stop();
  const again = await kit.boot();
  assert.deepEqual([again.on, kit.machine.done], [false, ['off', 'off']], 'it may have been switched on by hand');
  kit.hours = openUntil('23:59');
  await again.update();
  kit.hours = undefined;
  await again.update();
  assert.equal(again.on, true);
});

test('clock that was not compared with a server keeps the panel on, and ends no operator order', async () => {
  const kit = await start(openUntil('22:00'));
  kit.sure = false;
  await kit.panel.update();
  assert.equal(kit.panel.on, true);
  kit.hours = openUntil('23:00');
  kit.sure = true;
  await kit.panel.update();
  await kit.panel.order(false);
  kit.sure = false;
  kit.panel.stop();
  const again = await kit.boot();
  assert.equal(again.on, true);
  kit.time.wallOffset += 10 * HOUR;
  await again.update();
  kit.time.wallOffset -= 10 * HOUR;
  kit.sure = true;
  await again.update();
  assert.equal(again.on, false, 'the clock is sure again, and the hours are the same');
});

test('operator order is sent to the panel even if it repeats the last one, because the panel has its own buttons', async () => {
  const kit = await start();
  for (const on of [true, true, false, false]) await kit.panel.order(on);
  assert.deepEqual(kit.machine.done, ['on', 'on', 'off', 'off']);
  await kit.panel.update();
  assert.equal(kit.machine.done.length, 4);
});

test('failed switch of the panel is retried each minute, and each reason is logged once', async () => {
  const kit = await start();
  const warnings = () => kit.log.lines.filter((line) => line.includes('did not switch')).length;
  kit.machine.outcome = { status: 'failed', error: 'the television is busy' };
  await kit.panel.order(false);
  assert.equal(kit.panel.on, false, 'the page is black in any case');
  await kit.time.advance(2.5 * MINUTE);
  assert.deepEqual([kit.machine.done, warnings()], [['off', 'off', 'off'], 1]);
  kit.machine.outcome = { status: 'failed', error: 'it is gone' };
  await kit.time.advance(MINUTE);
  assert.equal(warnings(), 2);
  kit.machine.outcome = { status: 'done' };
  await kit.panel.order(true);
  await kit.time.advance(10 * MINUTE);
  assert.deepEqual(kit.machine.done.slice(4), ['on']);
  kit.machine.outcome = { status: 'unsupported', error: 'no such line' };
  await kit.panel.order(false);
  kit.machine.screen = async () => {
    throw new Error('the cable is out');
  };
  await kit.panel.order(false);
  assert.equal(warnings(), 3);
  kit.machine.screen = new FakeMachine().screen;
  kit.panel.stop();
});

test('two orders are carried out one after the other, and only the second is retried', async () => {
  const kit = await start();
  const told: boolean[] = [];
  const waiting: (() => void)[] = [];
  kit.machine.screen = async (on) => {
    told.push(on);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { status: 'failed', error: 'busy' };
  };
  const orders = [kit.panel.order(false), kit.panel.order(true)];
  await settle();
  assert.deepEqual(told, [false]);
  waiting[0]?.();
  await settle();
  assert.deepEqual(told, [false, true]);
  assert.equal(kit.time.waits, 1, 'the first is not what is wanted any more');
  waiting[1]?.();
  await Promise.all(orders);
  await kit.time.advance(MINUTE);
  assert.deepEqual(told, [false, true, true]);
  kit.panel.stop();
  waiting[2]?.();
  await settle();
  assert.equal(kit.time.waits, 0, 'nobody tries on after the stop');
});

test('operator order is carried out on a full disk, and unpairing removes it and turns the panel on', async () => {
  const kit = await start();
  const { write } = kit.documents;
  kit.documents.write = () => Promise.reject(new Error('disk full'));
  await kit.panel.order(false);
  assert.equal(kit.panel.on, false);
  assert.match(kit.log.lines.join(), /could not be saved/);
  kit.documents.write = write;
  await kit.panel.order(false);
  assert.deepEqual([...kit.documents.all.keys()], ['panel']);
  await kit.panel.forget();
  assert.deepEqual([kit.panel.on, kit.documents.all.size, kit.machine.done.at(-1)], [true, 0, 'on']);
});

test('`order` and `forget` resolve after the change is written to disk', async () => {
  const kit = await start();
  let write = () => {};
  kit.documents.write = kit.documents.remove = () => new Promise((resolve) => (write = resolve));
  for (const ask of [() => kit.panel.order(false), () => kit.panel.forget()]) {
    let over = false;
    void ask().then(() => (over = true));
    await settle();
    assert.equal(over, false);
    write();
    await settle();
    assert.equal(over, true);
  }
});

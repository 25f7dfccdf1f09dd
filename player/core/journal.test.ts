import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JournalRow, rowHash } from '../../shared/protocol/journal-chain.ts';
import { Journal, type OpenPlay } from './journal.ts';
import { FakeCrypto, FakeTime, MemoryJournal, MemoryLog, sha256 } from './testing/fakes.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 2, 1, 12);

/** A disk that fills up when told: then it can be read, and nothing else. */
class FillingDisk extends MemoryJournal {
  full = false;
  #room(): void {
    if (this.full) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  }
  override async saveOpen(play: OpenPlay) {
    this.#room();
    await super.saveOpen(play);
  }
  override async beat(at: number) {
    this.#room();
    await super.beat(at);
  }
  override async append(row: JournalRow) {
    this.#room();
    this.rows = this.rows.filter(({ seq }) => seq !== row.seq);
    await super.append(row);
  }
  override async rewrite(rows: readonly JournalRow[]) {
    this.#room();
    await super.rewrite(rows);
  }
}

/** A player's runs on one disk, with a clock that is set when told. */
const rig = async ({ mostWaiting = 2_000 } = {}) => {
  const clock: { now: number; uncertainty: number | null } = { now: NOON, uncertainty: 1 };
  const store = new FillingDisk();
  const log = new MemoryLog();
  let [boots, appended] = [0, 0];
  const time = new FakeTime();
  const boot = async () => {
    const journal = new Journal({
      store,
      time,
      crypto: new FakeCrypto(),
      log,
      bootId: `boot-${++boots}`,
      signingKey: () => 'key',
      clock: () => ({ ...clock }),
      appended: () => void appended++,
      mostWaiting,
    });
    await journal.start();
    return journal;
  };
  const journal = await boot();
  const step = (delta: number, first = false) => {
    clock.now += delta;
    return journal.clockStepped(delta, { first });
  };
  return { clock, store, log, boot, journal, step, appended: () => appended };
};

const shown = (turn: string, started_at: number, { ms = 10_000, zone = null as string | null } = {}) => ({
  turn,
  item_id: 1,
  playlist_id: 'playlist-1',
  content_id: 'content-1',
  widget_id: null,
  zone_id: zone,
  content_name: 'photo.jpg',
  started_at,
  planned_end: started_at + ms,
});

const lengths = ({ rows }: MemoryJournal) =>
  rows.map(({ started_at, ended_at, completed }) => [ended_at - started_at, completed]);

const isChain = (rows: readonly JournalRow[]) => {
  assert.ok(rows.every((row) => row.hash === rowHash(sha256, row)));
  assert.ok(rows.slice(1).every((row, i) => row.prev === rows[i]?.hash));
};

for (const jump of [HOUR, -HOUR, 3 * 365 * 24 * HOUR]) {
  test(`a clock that is set by ${jump / HOUR} h moves what is on screen in each zone, and neither its length nor what is over`, async () => {
    const { clock, store, journal, step } = await rig();
    await journal.shown(shown('before', clock.now, { ms: 3_000 }));
    clock.now += 3_000;
    await journal.ended({ turn: 'before', ended_at: clock.now, completed: true });
    const began = clock.now;
    for (const zone of ['left', 'right']) await journal.shown(shown(zone, began, { ms: 3_000, zone }));
    clock.now += 1_400;
    await step(jump);
    // The screen tells the end by the clock by which it told the beginning.
    clock.now += 100;
    for (const zone of ['left', 'right'])
      await journal.ended({ turn: zone, ended_at: began + 1_500, completed: false });
    assert.deepEqual(lengths(store), [
      [3_000, true],
      [1_500, false],
      [1_500, false],
    ]);
    assert.deepEqual(
      store.rows.map(({ started_at }) => started_at),
      [NOON, began + jump, began + jump],
    );
  });

  test(`a page that goes away after a jump of ${jump / HOUR} h, a panel that goes off, and an agent that is killed leave plays as long as they were seen`, async () => {
    for (const end of ['page', 'panel', 'killed'] as const) {
      const { clock, store, journal, step, boot } = await rig();
      await journal.shown(shown('a', clock.now, { ms: 10 * HOUR }));
      clock.now += 60_000;
      await journal.alive(clock.now);
      // Told of the new time before the jump has reached the disk.
      const moved = step(jump);
      await journal.alive(clock.now);
      await moved;
      clock.now += 60_000;
      await journal.alive(clock.now);
      if (end === 'page') await journal.closeOpen();
      else if (end === 'panel') await journal.endOpen(clock.now);
      else await boot();
      assert.deepEqual(lengths(store), [[120_000, false]], end);
    }
  });

  test(`a turn that the screen begins by the clock of before a jump of ${jump / HOUR} h is put where it was seen`, async () => {
    const { clock, store, journal, step } = await rig();
    await step(jump);
    const now = clock.now;
    await journal.shown(shown('a', now - jump + 20, { ms: 3_000 }));
    clock.now += 1_000;
    await journal.alive(clock.now);
    await journal.closeOpen();
    assert.deepEqual(lengths(store), [[980, false]]);
    assert.equal(store.rows[0]?.started_at, now + 20);
  });
}

test('what was stamped before the first comparison is moved once, also what ends while the clock jumps', async () => {
  const { clock, store, journal, step } = await rig();
  clock.uncertainty = null;
  await journal.shown(shown('a', clock.now));
  await journal.ended({ turn: 'a', ended_at: clock.now + 10_000, completed: true });
  clock.now += 10_000;
  await journal.shown(shown('b', clock.now));
  const ended = journal.ended({ turn: 'b', ended_at: clock.now + 10_000, completed: true });
  clock.uncertainty = 1;
  await Promise.all([ended, step(HOUR, true)]);
  await journal.shown(shown('c', clock.now + 10_000));
  await journal.ended({ turn: 'c', ended_at: clock.now + 20_000, completed: true });
  assert.deepEqual(
    store.rows.map(({ started_at, ended_at }) => [started_at - NOON - HOUR, ended_at - started_at]),
    [0, 10_000, 20_000].map((since) => [since, 10_000]),
  );
  isChain(store.rows);
});

test('an open play that nobody ends is closed at its planned end, however long the page paints on', async () => {
  const { clock, store, journal } = await rig();
  await journal.shown(shown('lost', clock.now));
  for (let n = 0; n < 100; n++) {
    clock.now += 60_000;
    await journal.alive(clock.now);
    await journal.shown(shown(`t${n}`, clock.now));
  }
  assert.deepEqual(lengths(store), [[10_000, true]]);
});

test('plays shown while the disk is full are written once it is not: each once, in order, as long as they were seen', async () => {
  const { clock, store, log, journal, appended } = await rig();
  await journal.shown(shown('t0', clock.now));
  clock.now += 5_000;
  store.full = true;
  clock.now += 5_000;
  for (let n = 1; n <= 1_080; n++) {
    await journal.ended({ turn: `t${n - 1}`, ended_at: clock.now, completed: true });
    await journal.shown(shown(`t${n}`, clock.now));
    for (let second = 0; second < 10; second++) await journal.alive((clock.now += 1_000));
  }
  assert.deepEqual([store.rows.length, appended()], [0, 0]);
  store.full = false;
  // Some at a time, with what is written anyway.
  for (let second = 0; second < 300; second++) await journal.alive((clock.now += 1_000));
  const wanted = Array.from({ length: 1_080 }, (_, n) => NOON + n * 10_000);
  assert.deepEqual(
    store.rows.map(({ started_at }) => started_at),
    wanted,
  );
  assert.deepEqual(lengths(store), Array(1_080).fill([10_000, true]));
  assert.deepEqual(
    [store.rows[0]?.seq, store.rows.at(-1)?.seq, new Set(store.rows.map(({ id }) => id)).size, appended()],
    [1, 1_080, 1_080, 1_080],
  );
  isChain(store.rows);
  // What is on screen now is on disk too.
  assert.deepEqual(
    store.open.map(({ turn, alive_at }) => [turn, clock.now - alive_at < 5_000]),
    [['t1080', true]],
  );
  assert.equal(log.lines.length, 2, log.lines.join('\n'));
  assert.match(log.lines[1] ?? '', /1080 had to wait/);
});

test('a write that failed although it was done makes no second play', async () => {
  const { clock, store, journal } = await rig();
  await journal.shown(shown('a', clock.now));
  const { append } = store;
  store.append = async (row) => {
    await append.call(store, row);
    throw new Error('the disk failed behind the last byte');
  };
  await journal.ended({ turn: 'a', ended_at: clock.now + 10_000, completed: true });
  const [first] = store.rows;
  store.append = append;
  await journal.shown(shown('b', clock.now + 10_000));
  await journal.ended({ turn: 'b', ended_at: clock.now + 20_000, completed: true });
  assert.deepEqual([store.rows[0], store.rows.length], [first, 2]);
  isChain(store.rows);
});

test('a stop writes what still waits, and says how much is lost when the disk is still full', async () => {
  for (const full of [false, true]) {
    const { clock, store, log, journal } = await rig();
    store.full = true;
    for (let n = 0; n < 120; n++) {
      await journal.shown(shown(`t${n}`, clock.now));
      await journal.ended({ turn: `t${n}`, ended_at: (clock.now += 10_000), completed: true });
    }
    store.full = full;
    await journal.stop();
    assert.equal(store.rows.length, full ? 0 : 120);
    assert.match(log.lines.at(-1) ?? '', full ? /120 plays could not be written/ : /120 had to wait/);
  }
});

test('of more plays than memory may hold the oldest are given up: it is said once how many, their numbers stay empty, and no message spans the gap', async () => {
  const { clock, store, log, journal } = await rig({ mostWaiting: 1_000 });
  const play = async (n: number) => {
    await journal.shown(shown(`t${n}`, NOON + n * 10_000));
    await journal.ended({ turn: `t${n}`, ended_at: NOON + (n + 1) * 10_000, completed: true });
  };
  await play(0);
  store.full = true;
  for (let n = 1; n <= 1_007; n++) await play(n);
  store.full = false;
  clock.now += 1_008 * 10_000;
  await journal.stop();
  assert.deepEqual(
    [store.rows.length, store.rows[1]?.seq, store.rows[1]?.started_at, store.rows.at(-1)?.seq],
    [1_001, 9, NOON + 80_000, 1_008],
  );
  isChain(store.rows);
  assert.deepEqual(
    log.lines.filter((line) => line.includes('given up')),
    ['plays can be written again: 1007 had to wait, the oldest 7 of them were given up'],
  );
  assert.deepEqual(
    (await journal.pending(500)).map(({ seq }) => seq),
    [1],
  );
  await journal.forget(1);
  assert.deepEqual([(await journal.pending(500))[0]?.seq, (await journal.pending(500)).length], [9, 500]);
});

test('with a full disk nothing is delivered by a clock that was wrong: what is on disk is moved first', async () => {
  const { clock, store, journal, step } = await rig();
  clock.uncertainty = null;
  await journal.shown(shown('a', clock.now));
  await journal.ended({ turn: 'a', ended_at: (clock.now += 10_000), completed: true });
  await journal.shown(shown('b', clock.now));
  store.full = true;
  await journal.ended({ turn: 'b', ended_at: (clock.now += 10_000), completed: true });
  clock.uncertainty = 1;
  await step(-HOUR, true);
  assert.deepEqual(await journal.pending(10), []);
  await journal.shown(shown('c', clock.now));
  await journal.ended({ turn: 'c', ended_at: (clock.now += 10_000), completed: true });
  store.full = false;
  await journal.alive(clock.now);
  const rows = await journal.pending(10);
  assert.deepEqual(
    rows.map(({ seq, started_at, ended_at }) => [seq, started_at - NOON + HOUR, ended_at - started_at]),
    [1, 2, 3].map((seq) => [seq, (seq - 1) * 10_000, 10_000]),
  );
  isChain(rows);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { genesis, type JournalRow, rowHash, sealText } from '../../../shared/protocol/journal-chain.ts';
import { FakeCrypto, FakeTime, MemoryJournal, MemoryLog, settle, sha256 } from '../testing/fakes.ts';
import { Journal, type JournalStore, type OpenPlay } from './journal.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 2, 1, 12);

/** A disk that a test can fill. While the disk is full, reads work and writes fail. */
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

/** Starts runs of a player on one disk, with a clock that the test sets. */
const rig = async ({ mostWaiting = 2_000, signs = true, ticks = false, runs = false } = {}) => {
  const clock: { now: number; uncertainty: number | null } = { now: NOON, uncertainty: 1 };
  const store: FillingDisk & { tick?: NonNullable<JournalStore['tick']> } = new FillingDisk();
  const marks: { boot_id: string; alive_at: number }[] = [];
  if (ticks) store.tick = async (mark) => void marks.push(mark);
  const log = new MemoryLog();
  let [boots, appended] = [0, 0];
  const time = new FakeTime();
  /** Time of the clock. The time changes only when a test changes it, or with the timers. */
  const now = () => clock.now + (runs ? time.mono() : 0);
  const make = () =>
    new Journal({
      store,
      time,
      crypto: new FakeCrypto(),
      log,
      bootId: `boot-${++boots}`,
      signingKey: () => (signs ? 'key' : null),
      clock: () => ({ ...clock, now: now() }),
      appended: () => void appended++,
      mostWaiting,
    });
  const boot = async () => {
    const journal = make();
    await journal.start();
    return journal;
  };
  const journal = await boot();
  const step = (delta: number, first = false) => {
    clock.now += delta;
    return journal.clockStepped(delta, { first });
  };
  /** Records the names of the writes that reach the disk from now on. */
  const watch = () => {
    const done: string[] = [];
    for (const name of ['beat', 'saveOpen', 'append', 'rewrite'] as const) {
      const write = store[name].bind(store) as (value: never) => Promise<void>;
      store[name] = (value: never) => {
        done.push(name);
        return write(value);
      };
    }
    return done;
  };
  return { clock, now, time, store, marks, log, make, boot, journal, step, watch, appended: () => appended };
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
  test(`clock jump of ${jump / HOUR} h shifts the open play of each zone, and no finished play`, async () => {
    const { clock, store, journal, step } = await rig();
    await journal.shown(shown('before', clock.now, { ms: 3_000 }));
    clock.now += 3_000;
    await journal.ended({ turn: 'before', ended_at: clock.now, completed: true });
    const began = clock.now;
    for (const zone of ['left', 'right']) await journal.shown(shown(zone, began, { ms: 3_000, zone }));
    clock.now += 1_400;
    await step(jump);
    // The screen still reports the end by the clock before the jump, which also gave the start.
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

  test(`play over a clock jump of ${jump / HOUR} h keeps its real length, whether page, panel or agent ends it`, async () => {
    for (const end of ['page', 'panel', 'killed'] as const) {
      const { clock, store, journal, step, boot } = await rig();
      await journal.shown(shown('a', clock.now, { ms: 10 * HOUR }));
      clock.now += 60_000;
      await journal.alive(clock.now);
      // The page reports that it paints, by the new time, before the jump is saved on disk.
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

  test(`play reported by the clock from before a jump of ${jump / HOUR} h gets its time on the new clock`, async () => {
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

test('first clock comparison corrects the times of earlier plays once, also of a play that ends at this moment', async () => {
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

test('Journal closes an open play at its planned end when no end report comes', async () => {
  const { clock, store, journal } = await rig();
  await journal.shown(shown('lost', clock.now));
  for (let n = 0; n < 100; n++) {
    clock.now += 60_000;
    await journal.alive(clock.now);
    await journal.shown(shown(`t${n}`, clock.now));
  }
  assert.deepEqual(lengths(store), [[10_000, true]]);
});

test('plays that a full disk refused are written later, once, in order and with their real length', async () => {
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
  // Each report that the page paints writes one batch of waiting plays.
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
  // The open play is saved on the disk, too.
  assert.deepEqual(
    store.open.map(({ turn, alive_at }) => [turn, clock.now - alive_at < 5_000]),
    [['t1080', true]],
  );
  assert.equal(log.lines.length, 2, log.lines.join('\n'));
  assert.match(log.lines[0] ?? '', /wait in memory, at most 2000/);
  assert.match(log.lines[1] ?? '', /1080 had to wait/);
});

test('play is stored once although the disk reported an error after it had written the play', async () => {
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

test('stop writes the waiting plays, and on a full disk logs how many plays are lost', async () => {
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

test('beyond the memory limit, the oldest plays are dropped, their numbers stay unused, and this is logged once', async () => {
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

test('rows whose times still have to be corrected are not delivered while the disk is full', async () => {
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

test('open play is saved once, then only its `alive_at` every 5 s, and all of it again after a clock jump', async () => {
  const { clock, store, journal, step, watch } = await rig();
  const done = watch();
  await journal.shown(shown('a', clock.now, { ms: 60_000 }));
  await journal.shown(shown('b', clock.now + 400, { zone: 'right' }));
  assert.deepEqual(done, ['beat', 'saveOpen', 'saveOpen']);
  done.length = 0;
  for (let second = 0; second <= 20; second++) await journal.alive(clock.now + second * 1_000);
  assert.deepEqual(done, Array(5).fill('beat'), 'every 5 s');
  assert.deepEqual(store.open[0]?.alive_at, NOON + 20_000);
  done.length = 0;
  await step(HOUR);
  assert.deepEqual(done, ['saveOpen', 'saveOpen', 'beat']);
  assert.equal(store.open[0]?.started_at, NOON + HOUR);
  const later = clock.now + 100_000;
  await journal.shown(shown('c', later, { zone: 'left' }));
  await journal.alive(clock.now + 60_000);
  assert.equal(store.open[0]?.alive_at, later, 'the last sign of life of whatever is open');
  await journal.closeOpen();
  done.length = 0;
  for (let second = 0; second <= 20; second++) await journal.alive(clock.now + second * 60_000);
  await journal.stop();
  assert.deepEqual(done, [], 'nothing is open');
});

test('open play is saved again after a jump during the save, and plays of other runs are not shifted', async () => {
  const { clock, store, journal, make, step } = await rig();
  const save = store.saveOpen.bind(store);
  store.saveOpen = async (play) => {
    await settle();
    await save(play);
  };
  const showing = journal.shown(shown('a', clock.now));
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([showing, step(HOUR)]);
  assert.equal(store.open[0]?.started_at, NOON + HOUR);
  await journal.shown(shown('b', clock.now, { zone: 'right' }));
  const append = store.append.bind(store);
  store.append = async (row) => {
    await settle();
    await append(row);
  };
  const next = make();
  const started = next.start();
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([started, next.clockStepped(HOUR, { first: false })]);
  assert.deepEqual(
    store.rows.map(({ started_at }) => started_at),
    [NOON + HOUR, NOON + HOUR],
  );
});

test('`alive_at` of open plays is updated twice a second, until 1.5 s after the last paint', async () => {
  const { now, time, store, marks, journal, watch } = await rig({ ticks: true, runs: true });
  await journal.alive(now());
  assert.deepEqual(marks, [], 'nothing is open');
  const began = now();
  await journal.shown(shown('a', began, { ms: 60_000 }));
  await journal.shown(shown('b', began + 50, { ms: 60_000, zone: 'right' }));
  const done = watch();
  await journal.alive(now());
  await time.advance(100);
  await journal.alive(now());
  await time.advance(30_000);
  assert.deepEqual(
    marks.map(({ boot_id, alive_at }) => `${boot_id} ${alive_at - began}`),
    [50, 100, 600, 1_100, 1_600].map((at) => `boot-1 ${at}`),
  );
  for (let second = 0; second <= 20; second++) await journal.alive(now() + second * 1_000);
  assert.deepEqual(done, [], 'the disk is not asked for what is there');
  await journal.alive(now());
  await time.advance(200);
  journal.unseen();
  await time.advance(30_000);
  assert.equal(marks.length, 27);
  store.full = true;
  await journal.shown(shown('c', now(), { zone: 'left' }));
  store.full = false;
  await journal.alive(now());
  assert.deepEqual([store.open.at(-1)?.turn, done.at(-1)], ['c', 'saveOpen']);
  store.full = true;
  await journal.closeOpen();
  store.full = false;
  await time.advance(5_000);
  await journal.alive(now());
  assert.equal(store.rows.length, 3, 'and for what it has refused');
  await journal.shown(shown('d', now()));
  await journal.alive(now());
  await journal.stop();
  assert.equal(time.waits, 0);
});

test('after a stop or a lost page, open plays count as visible until then if the page painted in the last 1.5 s', async () => {
  for (const [painted, length] of [
    [500, 2_500],
    [1_500, 3_500],
    [1_501, 2_000],
  ] as const)
    for (const end of ['stop', 'leave'] as const) {
      const { now, time, store, journal, boot } = await rig({ runs: true });
      await journal.shown(shown('a', now(), { ms: 60_000 }));
      await time.advance(2_000);
      await journal.alive(now());
      await time.advance(painted);
      if (end === 'leave') {
        journal.unseen();
        await time.advance(500);
      }
      await journal.stop();
      await time.advance(1_000);
      await boot();
      assert.deepEqual(lengths(store), [[length, false]]);
    }
});

test('repeated report of a play is ignored, also of the last 500 ended plays, and a repaint is a new play', async () => {
  const { clock, store, journal } = await rig();
  const play = async (n: number) => {
    await journal.shown(shown(`t${n}`, NOON + n * 10_000));
    await journal.shown(shown(`t${n}`, NOON + n * 10_000));
    assert.ok(store.open.length <= 1);
    await journal.ended({ turn: `t${n}`, ended_at: NOON + (n + 1) * 10_000, completed: true });
  };
  for (let n = 0; n < 501; n++) await play(n);
  for (let n = 1; n < 501; n++) await play(n);
  assert.equal(store.rows.length, 501);
  await play(0);
  assert.equal(store.rows.length, 502);
  await journal.shown(shown('again', clock.now));
  await journal.alive(clock.now + 4_000);
  await journal.shown(shown('again', clock.now + 6_000));
  assert.deepEqual(lengths(store).at(-1), [4_000, false]);
  await journal.ended({ turn: 'again', ended_at: clock.now + 16_000, completed: true });
  assert.deepEqual(lengths(store).at(-1), [10_000, true]);
});

test('play is completed if it was visible until its planned end', async () => {
  for (const [seen, completed] of [
    [9_999, false],
    [10_000, true],
  ] as const)
    for (const end of ['page', 'panel'] as const) {
      const { clock, store, journal } = await rig();
      await journal.shown(shown('a', clock.now));
      await journal.alive(clock.now + seen);
      await (end === 'page' ? journal.closeOpen() : journal.endOpen(clock.now + seen));
      assert.deepEqual(lengths(store), [[seen, completed]]);
    }
});

test('time from around a clock jump is read by the old or the new clock, whichever gives the nearer time', async () => {
  for (const [jump, over, moved] of [
    [HOUR, -HOUR / 2, false],
    [HOUR, -HOUR / 2 - 1, true],
    [-HOUR, HOUR / 2, false],
    [-HOUR, HOUR / 2 + 1, true],
  ] as const) {
    const { clock, store, journal, step } = await rig();
    await step(jump);
    await journal.shown(shown('a', clock.now + over));
    assert.equal(store.open[0]?.started_at, clock.now + over + (moved ? jump : 0));
  }
});

test('names and numbers are stored in the form in which the server stores them', async () => {
  const { clock, store, journal } = await rig();
  clock.uncertainty = 0.44;
  await journal.shown({ ...shown('a', clock.now), content_name: `x\n\u007f\u0080\u0085${'y'.repeat(3_000)}` });
  clock.uncertainty = 0;
  await journal.shown(shown('b', clock.now, { zone: 'right' }));
  await journal.closeOpen();
  const [{ content_name, uncertainty_ms }, b] = store.rows as [JournalRow, JournalRow];
  assert.deepEqual(
    [content_name.slice(0, 6), content_name.length, uncertainty_ms, b.uncertainty_ms],
    ['x  \u0080\u0085y', 2_000, 0.4, 0],
  );
});

test('hash chain of the journal begins at the key, continues after a restart, and begins again after unpairing', async () => {
  for (const [signs, begins] of [
    [true, 'public'],
    [false, null],
  ] as const) {
    const { clock, store, boot, journal, step } = await rig({ signs });
    const play = async (on: Journal, turn: string) => {
      await on.shown(shown(turn, clock.now));
      await on.ended({ turn, ended_at: clock.now + 10_000, completed: true });
    };
    await play(journal, 'a');
    const next = await boot();
    await play(next, 'b');
    assert.deepEqual(
      store.rows.map(({ seq }) => seq),
      [1, 2],
    );
    isChain(store.rows);
    const row = store.rows[0]!;
    assert.equal(row.prev, genesis(sha256, begins));
    assert.equal(next.seal(row), signs ? `signed ${sealText(row)}` : undefined);
    clock.uncertainty = null;
    store.full = true;
    await play(next, 'c');
    await next.shown(shown('d', clock.now));
    await step(HOUR, true);
    store.full = false;
    await next.clear();
    await next.closeOpen();
    await next.alive(clock.now);
    assert.deepEqual([store.rows, store.open], [[], []]);
    await play(next, 'b');
    assert.deepEqual([store.rows.length, store.rows[0]?.seq, store.rows[0]?.prev], [1, 1, row.prev]);
  }
});

test('every 500 rows, the journal is cut to 2 GB, and to 90 days if the clock is certain', async () => {
  const { clock, store, log, journal } = await rig();
  const asked: object[] = [];
  const dropped = [0, 1];
  store.trim = async (bounds?: object) => {
    asked.push(bounds ?? {});
    return dropped.shift() ?? 0;
  };
  for (let n = 0; n < 1_000; n++) {
    clock.uncertainty = n < 600 ? 1 : null;
    await journal.shown(shown(`t${n}`, NOON + n * 10_000));
    await journal.ended({ turn: `t${n}`, ended_at: NOON + (n + 1) * 10_000, completed: true });
    assert.equal(asked.length, Math.floor((n + 1) / 500));
  }
  assert.deepEqual(asked, [
    { endedBefore: NOON - 90 * 24 * HOUR, maxBytes: 2_147_483_648 },
    { endedBefore: Number.NEGATIVE_INFINITY, maxBytes: 2_147_483_648 },
  ]);
  assert.deepEqual(log.lines, ['the journal is full: the oldest 1 plays were given up']);
});

test('refused writes are logged once, and so is the end, after all waiting plays were written, 50 at a time', async () => {
  const { clock, store, log, journal, step, appended } = await rig();
  const play = async (n: number) => {
    await journal.shown(shown(`t${n}`, clock.now));
    await journal.ended({ turn: `t${n}`, ended_at: clock.now + 10_000, completed: true });
  };
  const alive = () => journal.alive((clock.now += 10_000));
  store.full = true;
  await journal.shown(shown('a', clock.now, { ms: HOUR }));
  for (let n = 0; n < 3; n++) await alive();
  assert.equal(log.lines.length, 1);
  await journal.ended({ turn: 'a', ended_at: clock.now, completed: false });
  for (let n = 1; n < 101; n++) await play(n);
  store.full = false;
  const written: number[] = [];
  for (let n = 0; n < 3; n++) {
    await alive();
    written.push(store.rows.length, log.lines.length);
  }
  assert.deepEqual(written, [50, 1, 100, 1, 101, 2]);
  store.full = true;
  await play(200);
  store.full = false;
  await alive();
  assert.match(log.lines.slice(2).join(), /cannot be written.*,plays can be written again: 1 had to wait$/s);
  // Only rows with an uncertain time are written again, as soon as their time is known.
  const before = store.rows.at(-1)?.started_at;
  store.rewrite = () => assert.fail();
  await step(HOUR, true);
  assert.equal(store.rows.at(-1)?.started_at, before);
  const told = appended();
  assert.ok(told > 102);
});

test('times of uncertain rows are corrected before any other write, and then these rows are delivered', async () => {
  const { clock, store, journal, step, appended } = await rig();
  const play = async (turn: string) => {
    await journal.shown(shown(turn, clock.now));
    await journal.ended({ turn, ended_at: (clock.now += 10_000), completed: true });
  };
  clock.uncertainty = null;
  for (const turn of ['a', 'b', 'c']) await play(turn);
  const rewrite = store.rewrite.bind(store);
  store.rewrite = async () => assert.fail('the disk');
  clock.uncertainty = 1;
  await step(HOUR, true);
  await play('d');
  const told = appended();
  assert.deepEqual([store.rows.length, await journal.pending(10)], [3, []]);
  await journal.closeOpen();
  store.rewrite = rewrite;
  await journal.alive(clock.now);
  assert.deepEqual(
    store.rows.map(({ started_at }) => started_at - NOON - HOUR),
    [0, 10_000, 20_000, 30_000],
  );
  assert.equal(appended(), told + 2);
  isChain(store.rows);
});

test('times of uncertain rows are corrected at the next report that the page paints, without any play', async () => {
  const { clock, store, journal, step } = await rig();
  clock.uncertainty = null;
  await journal.shown(shown('a', clock.now));
  await journal.ended({ turn: 'a', ended_at: (clock.now += 10_000), completed: true });
  store.full = true;
  clock.uncertainty = 1;
  await step(HOUR, true);
  store.full = false;
  await journal.alive((clock.now += 5_000));
  assert.equal((await journal.pending(1))[0]?.started_at, NOON + HOUR);
});

test('Journal numbers plays from 1 after unpairing, also after dropped plays', async () => {
  const { clock, store, journal } = await rig({ mostWaiting: 1 });
  const play = async (turn: string) => {
    await journal.shown(shown(turn, clock.now));
    await journal.ended({ turn, ended_at: (clock.now += 10_000), completed: true });
  };
  store.full = true;
  for (const turn of ['a', 'b', 'c']) await play(turn);
  store.full = false;
  await journal.clear();
  await play('d');
  assert.equal(store.rows[0]?.seq, 1);
});

test('clock comparison corrects only the times of unsent plays of this run whose clock was uncertain', async () => {
  const { clock, store, journal, make } = await rig();
  clock.uncertainty = null;
  await journal.shown(shown('before', clock.now));
  store.full = true;
  const next = make();
  await next.start();
  clock.uncertainty = 1;
  await next.shown(shown('sure', clock.now));
  await next.ended({ turn: 'sure', ended_at: clock.now + 10_000, completed: true });
  clock.uncertainty = null;
  await next.shown(shown('not', clock.now));
  await next.ended({ turn: 'not', ended_at: clock.now + 10_000, completed: true });
  clock.now += HOUR;
  await next.clockStepped(HOUR, { first: true });
  store.full = false;
  await next.stop();
  assert.deepEqual(
    store.rows.map(({ started_at }) => started_at - NOON),
    [0, 0, HOUR],
  );
});

test('log counts plays that were lost at a stop together with plays that were dropped before', async () => {
  for (const [plays, mostWaiting] of [
    [15, 10],
    [1, 10],
  ] as const) {
    const { clock, store, log, journal } = await rig({ mostWaiting });
    store.full = true;
    for (let n = 0; n < plays; n++) {
      await journal.shown(shown(`t${n}`, clock.now));
      await journal.ended({ turn: `t${n}`, ended_at: clock.now + 10_000, completed: true });
    }
    await journal.stop();
    assert.match(log.lines.at(-1) ?? '', new RegExp(`^${plays} plays could not be written`));
  }
});

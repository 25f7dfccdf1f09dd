/**
 * Tests headquarters with a PostgreSQL that is unreachable, killed, frozen, restored, unsuitable or owned by another
 * headquarters. Also tests the answers to stores in these cases.
 */
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../../shared/contract/errors.ts';
import { noPostgres, Postgres } from '../../../test/chain/postgres.ts';
import { freePort } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { openPg } from '../testing/pg.ts';
import { epochOf, openHq, playOf, segmentOf } from '../testing/rig.ts';
import { Unfit } from './pg-schema.ts';

const WAIT_MS = 30_000;
const EPOCH = epochOf(1);
const LENGTH = 10;
const skip = noPostgres;

const endings: (() => unknown)[] = [];
let postgres: Postgres;
before(async () => {
  if (!noPostgres) postgres = await Postgres.open({ after: (work) => endings.push(work) });
});
after(async () => {
  for (const end of endings) await end();
});

/** Opens headquarters with plays in PostgreSQL, and a store that retries after each refusal. */
const openHqAt = async (t: TestContext, url: string) => {
  const pg = openPg(t, url);
  const hq = openHq(t, () => pg.warehouse);
  const mill = hq.addStore('mill');
  const plays = Array.from({ length: 4_000 }, (_, i) => playOf(i + 1, i + 1));
  const through = async (): Promise<number> =>
    (await hq.writer.through(mill, [{ epoch: EPOCH, first: 1 }])).cursors[0]!.through;
  /** Sends one segment that begins at the cursor. Its length is random, as with a real store. */
  const send = async (): Promise<string> => {
    try {
      const from = (await through()) + 1;
      const last = from + Math.floor(Math.random() * LENGTH);
      return await hq.take(mill, segmentOf(mill.of, 'mill', { epoch: EPOCH, first: from, last, plays }).file);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  const totals = () =>
    hq.warehouse.totals({ stores: [mill], from: 0, to: 100_000, content: undefined, campaign: undefined });
  /**
   * Checks that sums and single plays contain each play up to the cursor exactly once. Returns the cursor (number of
   * the last stored play).
   */
  const requireWhole = async (): Promise<number> => {
    const end = await through();
    assert.equal((await totals()).plays, end, 'sums');
    const numbers = (await hq.all()).map(({ number }) => number);
    assert.deepEqual(
      numbers,
      plays.slice(0, end).map(({ number }) => number),
    );
    return end;
  };
  return { ...pg, hq, mill, send, through, totals, requireWhole };
};

const statusOf = (asked: Promise<unknown>): Promise<number | string> =>
  asked.then(
    () => 'well',
    (error: unknown) => (error instanceof ApiError ? error.status : String(error)),
  );
const refusalOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'well',
    (error: Error) => error.message,
  );

test('headquarters has every play once after PostgreSQL was killed repeatedly during writes', { skip }, async (t) => {
  const own = await Postgres.open(t);
  const { send, requireWhole, said } = await openHqAt(t, own.urlOf('postgres'));
  const answers = new Map<string, number>();
  for (let kills = 0; kills < 2; kills++) {
    let isDown = false;
    const killed = pause(300 + Math.random() * 300).then(() => own.kill().then(() => void (isDown = true)));
    while (!isDown) {
      const answer = await send();
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      await pause(0);
    }
    await killed;
    assert.equal(await send(), 'busy', 'plays stay in the store');
    await own.start();
    await until('it is reached again', WAIT_MS, async () => (await send()) === 'taken');
  }
  const end = await requireWhole();
  t.diagnostic(`${end} plays; ${JSON.stringify(Object.fromEntries(answers))}`);
  assert.ok(end > 20);
  const away = said.filter((line) => line.includes('is not used'));
  assert.ok(away.length >= 2 && away.length <= 6, `said when it changes: ${away.join('\n')}`);
});

test('headquarters answers 503 within ten seconds when PostgreSQL freezes, and stores no play twice afterwards', {
  skip,
}, async (t) => {
  const own = await Postgres.open(t);
  const { send, requireWhole, totals, hq, mill } = await openHqAt(t, own.urlOf('postgres'));
  // Each case is the load when PostgreSQL freezes: many requests at once; only one report, which may take a minute on a
  // working database; so many requests that new connections are being opened beside an idle connection.
  for (const { sends, asks } of [
    { sends: true, asks: 50 },
    { sends: false, asks: 0 },
    { sends: false, asks: 12 },
  ]) {
    for (let i = 0; i < 5; i++) assert.equal(await send(), 'taken');
    await totals();
    const sending = sends ? send() : Promise.resolve('busy');
    await pause(Math.random() * 4);
    own.freeze();
    const at = performance.now();
    const others = Array.from({ length: asks }, () => statusOf(hq.warehouse.cursors(mill)));
    const [taken, read, ...said] = await Promise.all([sending, statusOf(totals()), ...others]);
    const ms = Math.round(performance.now() - at);
    assert.deepEqual([...new Set(said)], asks > 0 ? [503] : []);
    assert.ok(ms < 9_000, `${ms} ms`);
    t.diagnostic(`said after ${ms} ms`);
    assert.ok(['taken', 'busy'].includes(taken), taken);
    assert.equal(read, 503);
    const asked = performance.now();
    assert.equal(await send(), 'busy');
    assert.ok(performance.now() - asked < 1_000, 'and at once from then on');
    own.thaw();
    await until('it goes on', WAIT_MS, async () => (await send()) === 'taken');
  }
  await requireWhole();
});

test('quick() queues any number of queries until a connection is free', { skip }, async (t) => {
  const { line } = openPg(t, await postgres.database());
  const sleep = () => statusOf(line.quick({ text: 'SELECT pg_sleep(0.3)', values: [] }));
  const answers = await Promise.all(Array.from({ length: 220 }, sleep));
  assert.deepEqual([...new Set(answers)], ['well']);
});

test('PostgreSQL that is restored to its state of yesterday gets each missing play again once', { skip }, async (t) => {
  const own = await Postgres.open(t);
  const { send, requireWhole, through } = await openHqAt(t, own.urlOf('postgres'));
  for (let i = 0; i < 10; i++) assert.equal(await send(), 'taken');
  await own.kill();
  own.keep();
  await own.start();
  await until('it is there again', WAIT_MS, async () => (await send()) === 'taken');
  for (let i = 0; i < 10; i++) assert.equal(await send(), 'taken');
  const before = await through();
  await own.kill();
  own.putBack();
  await own.start();
  const after = await until('it is there again', WAIT_MS, () => through().catch(() => undefined));
  assert.ok(after < before, `${after} < ${before}`);
  while ((await through()) < before) assert.equal(await send(), 'taken');
  await requireWhole();
});

test('headquarters answers 507 while the disk of PostgreSQL is full, and accepts plays when there is room', {
  skip,
}, async (t) => {
  const url = await postgres.database();
  const { send, through, requireWhole, hq, mill } = await openHqAt(t, url);
  assert.equal(await send(), 'taken');
  const before = await through();
  // PostgreSQL fails with this error when a table cannot grow.
  await postgres.ask(
    `CREATE FUNCTION grow() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE disk_full USING MESSAGE = 'could not extend file "base/1/2": No space left on device'; END $$;
     CREATE TRIGGER grow BEFORE INSERT ON vitrine.sums EXECUTE FUNCTION grow();
     CREATE TRIGGER grow BEFORE INSERT ON vitrine.cursors EXECUTE FUNCTION grow()`,
    url,
  );
  assert.equal(await send(), 'busy', 'plays stay in the store');
  await assert.rejects(hq.warehouse.begin(mill, { epoch: epochOf(2), first: 9_000 }, ''), {
    status: 507,
    message: /^The disk of the database of plays is full\. Nothing was changed\. Free some space there/,
  });
  assert.equal(await requireWhole(), before);
  await postgres.ask('DROP FUNCTION grow CASCADE', url);
  assert.equal(await send(), 'taken');
  await requireWhole();
});

test('headquarters starts without PostgreSQL, logs this once, and accepts plays later', { skip }, async (t) => {
  const own = await Postgres.open(t);
  await own.kill();
  const { send, totals, said, requireWhole } = await openHqAt(t, own.urlOf('postgres'));
  assert.equal(await statusOf(totals()), 503);
  await pause(3_500);
  assert.equal(await send(), 'busy');
  assert.equal(said.length, 1, said.join('\n'));
  await own.start();
  await until('it takes plays', WAIT_MS, async () => (await send()) === 'taken');
  await requireWhole();
});

test('second headquarters with the same database waits until the first headquarters ends, then stores plays there', {
  skip,
}, async (t) => {
  const url = await postgres.database();
  const first = await openHqAt(t, url);
  assert.equal(await first.send(), 'taken');
  const second = await openHqAt(t, url);
  assert.equal(await second.send(), 'busy');
  assert.match(await refusalOf(second.totals()), /Another headquarters is using the database of plays/);
  assert.equal(await first.send(), 'taken');
  const before = await first.through();
  await first.line.stop();
  await until(
    'the other takes over',
    WAIT_MS,
    async () => (await second.totals().catch(() => undefined)) !== undefined,
  );
  assert.equal(await second.through(), before);
  assert.equal(second.said.filter((line) => line.includes('Another headquarters')).length, 1);
});

test('query that continues after its connection was lost is ended before the next connection sends queries', {
  skip,
}, async (t) => {
  const url = await postgres.database();
  const first = await openHqAt(t, url);
  assert.equal(await first.send(), 'taken');
  // Simulates a lost connection whose write is still running in the database.
  const pending = statusOf(first.line.quick({ text: 'SELECT pg_sleep(7), count(*) FROM vitrine.cursors', values: [] }));
  await until('it is on its way', WAIT_MS, async () => (await sleeping()) === 1);
  const [lock] = await postgres.ask(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'vitrine: lock' AND datname = '${new URL(url).pathname.slice(1)}'`,
  );
  assert.ok(lock);
  assert.equal(await pending, 503);
  await until('it is used again', WAIT_MS, async () => (await first.send()) === 'taken');
  assert.equal(await sleeping(), 0);
});
const sleeping = async (): Promise<number> =>
  (
    await postgres.ask(
      `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active' AND application_name = 'vitrine'`,
    )
  ).length;

test('database that belongs to another headquarters or a newer version, or has another encoding, is refused', {
  skip,
}, async (t) => {
  const url = await postgres.database();
  const first = openPg(t, url);
  assert.equal(await statusOf(first.warehouse.endOf('x')), 'well');
  // The owner of the database is checked even while the first headquarters has the lock on it.
  const other = openPg(t, url, { fingerprint: 'EF:01' });
  assert.match(
    await refusalOf(other.warehouse.endOf('x')),
    /another headquarters, whose key has the fingerprint AB:CD/,
  );
  await first.line.stop();
  await postgres.ask('UPDATE vitrine.about SET version = version + 1', url);
  assert.match(
    await refusalOf(openPg(t, url).warehouse.endOf('x')),
    /A newer version of Vitrine has changed the database/,
  );

  await postgres.ask(`CREATE DATABASE latin ENCODING 'SQL_ASCII' TEMPLATE template0`);
  assert.match(await refusalOf(openPg(t, postgres.urlOf('latin')).warehouse.endOf('x')), /Its encoding is SQL_ASCII/);

  const unwanted = () => {
    throw new Unfit('It is another one.');
  };
  const refused = openPg(t, await postgres.database(), { admit: unwanted });
  assert.match(await refusalOf(refused.warehouse.endOf('x')), /not used\. It is another one\./);
});

test('tables are created once, even in a schema made by an administrator for a user without the right to do so', {
  skip,
}, async (t) => {
  const url = await postgres.database();
  await postgres.ask('CREATE ROLE narrow LOGIN; CREATE SCHEMA vitrine AUTHORIZATION narrow', url);
  const narrow = url.replace('vitrine@', 'narrow@');
  for (let i = 0; i < 2; i++) {
    const { warehouse, line } = openPg(t, narrow);
    assert.equal(await statusOf(warehouse.endOf('x')), 'well');
    await line.stop();
  }
});

test('password does not appear in errors or logs, whatever is wrong with the address of PostgreSQL', {
  skip,
}, async (t) => {
  const port = await freePort();
  for (const url of [
    `postgres://me:very-secret@127.0.0.1:${port}/plays`,
    `postgres://me:very-secret@127.0.0.1:${postgres.port}/nothing`,
    `postgres://me:very-secret%zz@127.0.0.1:${port}/plays`,
    `postgres://127.0.0.1:${port}/plays?user=me&password=very-secret`,
  ]) {
    const { warehouse, said } = openPg(t, url);
    assert.match(await refusalOf(warehouse.endOf('x')), /The database of plays cannot be reached/);
    assert.ok(said.length > 0 && said.every((line) => !line.includes('very-secret')), said.join('\n'));
  }
});

test('headquarters logs each PostgreSQL setting that can lose plays', { skip }, async (t) => {
  const own = await Postgres.open(t, ['fsync=off', 'synchronous_commit=off']);
  const { warehouse, line, said } = openPg(t, own.urlOf('postgres'));
  await warehouse.endOf('x');
  assert.match(said.join('\n'), /fsync is off: a power cut can lose plays/);
  const [row] = await line.quick<{ on: string }>({
    text: `SELECT current_setting('synchronous_commit') AS on`,
    values: [],
  });
  assert.equal(row!.on, 'on');
});

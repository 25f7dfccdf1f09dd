import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { closeSync, cpSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { firstUser, type Site, startSite, TestClock, tempFolder } from '../../../test/harness.ts';
import { connectPlayer, DEVICE, pairPlayer, reconnect } from '../../../test/player-client.ts';
import { TaskFailed, UpkeepProcess } from '../tasks/process.ts';
import { newestCheck } from './database-check.ts';
import { DatabaseWatch } from './database-watch.ts';

const WEEK_MS = 7 * 86_400_000;
const PAGE = 4096;

/** Makes the database so large that the start does not check it. */
const grown = (file: string): void => {
  const raw = new BetterSqlite3(file);
  const put = raw.prepare('INSERT INTO settings (key, value) VALUES (?, ?)');
  raw.transaction(() => {
    for (let i = 0; i < 72; i++) put.run(`ballast ${i}`, JSON.stringify('x'.repeat(1024 * 1024)));
  })();
  raw.close();
};
/** Overwrites some pages in the middle of the database file. */
const rotten = (file: string): void => {
  const handle = openSync(file, 'r+');
  const pages = statSync(file).size / PAGE;
  for (let i = 1; i <= 20; i++) writeSync(handle, randomBytes(PAGE), 0, PAGE, Math.floor((pages * i) / 22) * PAGE);
  closeSync(handle);
};

const problems = async (site: Site, token: string): Promise<{ code: string; text: string }[]> =>
  (await site.call('GET', '/api/server/status', { token })).body.problems;

/** Connects a screen that is not in the database. Returns the server's answer. */
const answerToStranger = async (t: TestContext, site: Site) => {
  const player = await connectPlayer(t, site);
  player.say({
    type: 'hello',
    protocol: 1,
    device_id: 'nobody',
    secret: randomBytes(32).toString('hex'),
    device: DEVICE,
  });
  const { code } = await player.closed;
  return { code, unpaired: player.heard.some(({ type }) => type === 'unpaired') };
};
const COME_BACK = { code: 1013, unpaired: false };
const FORGET = { code: 4401, unpaired: true };

const isKnownDamaged = (data: string): boolean => typeof newestCheck(data)?.damage === 'string';

test('large database is checked after the start, and no screen is called unknown before the check succeeds', {
  timeout: 60_000,
}, async (t) => {
  const data = tempFolder(t);
  const first = await startSite(t, { data });
  const { token } = await firstUser(first);
  const paired = await pairPlayer(t, first, token);
  assert.deepEqual(await answerToStranger(t, first), FORGET);
  await first.app.stop();
  grown(join(data, 'vitrine.db'));
  const sound = tempFolder(t);
  cpSync(data, sound, { recursive: true });
  rotten(join(data, 'vitrine.db'));

  const bad = await startSite(t, { data });
  assert.deepEqual(await answerToStranger(t, bad), COME_BACK);
  await bad.app.upkeep.database.runDue();
  const [problem] = await problems(bad, token);
  assert.equal(problem!.code, 'database_damaged');
  assert.match(
    problem!.text,
    /^The database is damaged \([^*]+\)\. Screens keep playing, and older backups are kept\./,
  );
  assert.deepEqual(await answerToStranger(t, bad), COME_BACK);
  assert.equal(isKnownDamaged(data), true);
  const player = await reconnect(t, bad, paired);
  player.socket.terminate();
  await bad.app.stop();
  // The server is started again and reports the damage at once.
  const again = await startSite(t, { data });
  assert.equal((await problems(again, token))[0]!.code, 'database_damaged');
  await again.app.stop();

  const good = await startSite(t, { data: sound });
  assert.deepEqual(await answerToStranger(t, good), COME_BACK);
  await good.app.upkeep.database.runDue();
  assert.deepEqual(await answerToStranger(t, good), FORGET);
  assert.ok(!(await problems(good, token)).some(({ code }) => code === 'database_damaged'));
  assert.equal(newestCheck(sound)?.damage, null);
});

test('check is repeated every week, damage is reported once, and a check that could not run is retried', async (t) => {
  const data = tempFolder(t);
  const mono = new TestClock(0);
  const told: string[] = [];
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  let answer: string | null | Error = null;
  const process = new UpkeepProcess();
  let asked = 0;
  t.mock.method(process, 'run', async () => {
    asked++;
    if (answer instanceof Error) throw answer;
    return { damage: answer };
  });
  const watchOf = (isChecked: boolean) =>
    new DatabaseWatch({
      data,
      isChecked,
      process,
      clock: new TestClock(),
      mono: () => mono.now(),
      log,
      notices: { databaseDamaged: (sentence) => told.push(sentence) },
    });
  const watch = watchOf(true);
  watch.start();
  t.after(() => watch.stop());
  assert.equal(watch.isWhole, true);
  await watch.runDue();
  assert.equal(asked, 0, 'the start has read it');
  mono.advance(WEEK_MS);
  await watch.runDue();
  await watch.runDue();
  assert.equal(asked, 1);
  mono.advance(WEEK_MS);
  answer = 'page 7: bad';
  await watch.runDue();
  mono.advance(WEEK_MS);
  await watch.runDue();
  assert.deepEqual([asked, watch.isWhole, told.length], [3, false, 1]);
  assert.match(told[0]!, /page 7: bad/);
  assert.match(watch.damage!, /page 7: bad/);

  const next = watchOf(false);
  next.start();
  t.after(() => next.stop());
  assert.match(next.damage!, /page 7: bad/, 'remembered');
  answer = new TaskFailed('It was interrupted');
  await next.runDue();
  assert.deepEqual([next.isWhole, isKnownDamaged(data)], [false, true]);
  answer = null;
  await next.runDue();
  assert.deepEqual([next.isWhole, next.damage, isKnownDamaged(data)], [true, null, false]);
});

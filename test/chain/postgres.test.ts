/** Headquarters with its plays in PostgreSQL: a real process, a real database, a real store. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { plays as filesOfPlays } from '../../server/cli/hq-doctor/plays.ts';
import { postgresAt } from '../../server/cli/hq-doctor/plays-in.ts';
import { gone, launch, type NotStarted, ROOT } from '../faults/data-server.ts';
import { callerOf, firstUser, freePort, tempFolder } from '../harness.ts';
import { callAs, must } from '../people.ts';
import { until } from '../until.ts';
import { noPostgres, Postgres } from './postgres.ts';
import { enrol, openScreen, openStore, type Server } from './rig.ts';

const WAIT_MS = 30_000;

class Hq {
  readonly data: string;
  readonly httpsPort: number;
  token = '';
  #origin = '';
  #child: ReturnType<typeof launch>['child'] | undefined;

  constructor(data: string, httpsPort: number) {
    this.data = data;
    this.httpsPort = httpsPort;
  }

  async start(postgres?: string): Promise<void> {
    const { child, up } = launch(this.data, {
      VITRINE_CHAIN_ROLE: 'hq',
      VITRINE_HTTPS_PORT: String(this.httpsPort),
      ...(postgres !== undefined && { VITRINE_POSTGRES: postgres }),
    });
    this.#child = child;
    this.#origin = await up;
    if (this.token === '') this.token = (await firstUser({ call: callerOf(this.#origin) } as never)).token;
  }

  async stop(): Promise<void> {
    this.#child!.kill('SIGTERM');
    await gone(this.#child!);
  }

  get call() {
    return callAs({ origin: this.#origin, call: callerOf(this.#origin) }, this.token);
  }
}

const vitrine = (...args: string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, ['server/cli/main.ts', ...args], { cwd: ROOT, encoding: 'utf8' });

const setUp = async (t: TestContext) => {
  const postgres = await Postgres.open(t);
  const hq = new Hq(tempFolder(t), await freePort());
  t.after(() => hq.stop().catch(() => {}));
  return { postgres, url: await postgres.database(), hq };
};

const enrolAt = async (t: TestContext, hq: Hq) => {
  const store = await openStore(t);
  await enrol(hq as unknown as Server, store, { name: 'Mill' });
  return { store, screen: await openScreen(t, store, 'Till') };
};

const CAMPAIGN_PLAYLIST = '0199aaaa-0000-7000-8000-000000000001-playlist';

/** Waits until headquarters has this number of plays in its report, and the store has nothing left to send. */
const arrived = (hq: Hq, store: Server, plays: number): Promise<boolean> =>
  until(`${plays} plays are in the report`, WAIT_MS, async () => {
    store.site.app.chain.hurry();
    const { status, body } = await hq.call('GET', '/api/stores/plays/totals');
    return status === 200 && body.plays === plays;
  });

test('headquarters with PostgreSQL reports the plays of a store, also after it was killed', {
  skip: noPostgres,
}, async (t) => {
  const { postgres, url, hq } = await setUp(t);
  await hq.start(url);
  const { store, screen } = await enrolAt(t, hq);
  await screen.show(30);
  await arrived(hq, store, 30);
  await postgres.kill();
  await screen.show(10, 'SALE.JPG');
  const away = await until('it is noticed', WAIT_MS, async () => {
    const answer = await hq.call('GET', '/api/stores/plays/totals');
    return answer.status === 503 && answer;
  });
  assert.match(away.body.error, /The database of plays cannot be reached/);
  must(await hq.call('GET', '/api/stores/counts'));
  const { id } = must(await hq.call('POST', '/api/stores', { name: 'Dock' }), 201);
  assert.equal((await hq.call('DELETE', `/api/stores/${id}`)).status, 503);
  await postgres.start();
  await arrived(hq, store, 40);
  must(await hq.call('DELETE', `/api/stores/${id}`));
  const sums = must(await hq.call('GET', '/api/stores/plays/sums?by=screen'));
  assert.deepEqual(
    sums.map(({ name, plays }: { name: string; plays: number }) => [name, plays]),
    [['Till', 40]],
  );
  assert.equal(must(await hq.call('GET', '/api/stores/plays?content=sale.jpg')).length, 40);

  await hq.stop();
  await assert.rejects(hq.start(), (error: NotStarted) => {
    assert.equal(error.code, 1);
    assert.match(error.said, /^The plays of this headquarters are in PostgreSQL: start it with --postgres/m);
    return true;
  });
});

test('plays in the data folder are moved to PostgreSQL, new plays follow there, and each play is counted once', {
  skip: noPostgres,
}, async (t) => {
  const { postgres, url, hq } = await setUp(t);
  await hq.start();
  const { store, screen } = await enrolAt(t, hq);
  await screen.show(25);
  await screen.show(5, 'Sale.jpg', CAMPAIGN_PLAYLIST);
  await arrived(hq, store, 30);
  const before = must(await hq.call('GET', '/api/stores/plays/sums?by=content'));
  const byCampaign = async () =>
    must(await hq.call('GET', '/api/stores/plays/sums?by=campaign')).map(({ plays }: { plays: number }) => plays);
  assert.deepEqual(await byCampaign(), [25, 5]);
  const running = vitrine('hq', 'move', '--postgres', url, '--data', hq.data);
  assert.equal(running.status, 1);
  assert.match(running.stderr, /^A Vitrine server is running with the data folder/);
  await hq.stop();

  await hq.start(url);
  const { body } = await hq.call('GET', '/api/stores/plays/totals');
  assert.match(body.error, /still in its data folder\. Stop headquarters, then move the plays: vitrine hq move$/);
  await screen.show(10);
  await hq.stop();

  const unreachable = vitrine('hq', 'move', '--postgres', 'postgres://me:secret@127.0.0.1:1/x', '--data', hq.data);
  assert.equal(unreachable.status, 1);
  assert.match(unreachable.stderr, /^Nothing was moved\. The database at 127\.0\.0\.1:1\/x: .*ECONNREFUSED/);
  assert.doesNotMatch(unreachable.stderr + unreachable.stdout, /secret/);
  const moved = vitrine('hq', 'move', '--postgres', url, '--data', hq.data, '--json');
  assert.equal(moved.status, 0, moved.stderr);
  const { stores, plays } = JSON.parse(moved.stdout);
  assert.deepEqual([stores, plays], [1, 30]);
  const again = vitrine('hq', 'move', '--postgres', url, '--data', hq.data);
  assert.equal(again.status, 1);
  assert.match(again.stderr, /are in that database already\. Start it with --postgres\.$/m);

  await hq.start(url);
  await arrived(hq, store, 40);
  const after = must(await hq.call('GET', '/api/stores/plays/sums?by=content'));
  assert.deepEqual([before[0].plays, after[0].plays, after.length], [30, 40, before.length]);
  assert.deepEqual(await byCampaign(), [35, 5]);
  assert.equal(must(await hq.call('GET', '/api/stores/plays')).length, 40);
  await hq.stop();

  const said = async (at?: string) =>
    [...(await postgresAt(hq, at)), ...(await filesOfPlays(hq, at))].map(({ level, text }) => `${level} ${text}`);
  const well = await said(url);
  assert.deepEqual(
    well.filter((line) => !line.startsWith('ok ')),
    [],
  );
  assert.match(well.join('\n'), /is this headquarters’, and of this version.*1 files of plays in .* are there/s);
  assert.match((await said())[0]!, /^bad The plays of this headquarters are in PostgreSQL, and nobody has said where/);
  const [away] = await postgresAt(hq, 'postgres://me:secret@127.0.0.1:1/x');
  assert.match(away!.text, /^PostgreSQL at 127\.0\.0\.1:1\/x cannot be asked: .*ECONNREFUSED/);
  assert.match((await said(await postgres.database()))[2]!, /^warn There is nothing of Vitrine in this database/);

  // From now on, the address of another database is used.
  await hq.start(await postgres.database());
  const wrong = await hq.call('GET', '/api/stores/plays/totals');
  assert.match(wrong.body.error, /is not the one that contains the plays/);
});

test('move to PostgreSQL compares all plays, and moves nothing if they differ', { skip: noPostgres }, async (t) => {
  const { postgres, url, hq } = await setUp(t);
  await hq.start();
  const { store, screen } = await enrolAt(t, hq);
  await screen.show(5);
  await arrived(hq, store, 5);
  await hq.stop();
  // A first run creates the tables. A rule then makes the database drop some of the rows.
  const empty = tempFolder(t);
  const first = vitrine('hq', 'move', '--postgres', url, '--data', empty);
  assert.equal(first.status, 1);
  assert.match(first.stderr, /vitrine\.db is missing/);
  await postgres.ask(
    `CREATE FUNCTION less() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
       IF to_regclass('vitrine.screen_sums') IS NOT NULL THEN
         CREATE OR REPLACE RULE less AS ON INSERT TO vitrine.screen_sums DO INSTEAD NOTHING;
       END IF; END $$;
     CREATE EVENT TRIGGER less ON ddl_command_end WHEN TAG IN ('CREATE TABLE', 'CREATE INDEX') EXECUTE FUNCTION less()`,
    url,
  );
  const moved = vitrine('hq', 'move', '--postgres', url, '--data', hq.data);
  assert.equal(moved.status, 1, moved.stdout);
  assert.match(moved.stderr, /^Nothing was moved\. .*there are 0 rows of screen_sums, not 1$/m);
  assert.equal((await postgres.ask('SELECT FROM vitrine.stores', url)).length, 0);
  // Headquarters still works without PostgreSQL.
  await hq.start();
  await arrived(hq, store, 5);
});

/** Runs the checks of `vitrine hq doctor` against a real PostgreSQL that has the problem that the check must find. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { type PostgresClient, postgres } from './warehouse.ts';

const BIN = globSync('/usr/lib/postgresql/*/bin').sort().at(-1);
const skip = BIN === undefined && 'THERE IS NO PostgreSQL ON THIS COMPUTER: what the doctor says of it is not tested';
if (skip) process.stderr.write(`${skip}\n`);

/** PostgreSQL refuses to run as root, so the test runs it as another user. */
const userOf = (name: string) => {
  const id = (what: string) => Number(execFileSync('id', [what, name], { encoding: 'utf8' }));
  return process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
};

/** Starts a PostgreSQL server for this test, restarts it with other settings, and opens a connection. */
const openPostgres = async (t: TestContext) => {
  // The data folder is in /tmp, because only root may have access to the folder of the tests.
  const [folder, port, user] = [mkdtempSync('/tmp/vitrine-'), await freePort(), userOf('postgres')];
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  execFileSync(join(BIN!, 'initdb'), ['-D', join(folder, 'data'), '-A', 'trust', '-U', 'vitrine', '--no-sync'], {
    ...user,
    stdio: 'ignore',
  });
  const psql = ['-X', '-q', '--csv', '-h', folder, '-p', String(port), '-U', 'vitrine', '-d', 'postgres'];
  return async (...settings: readonly string[]): Promise<PostgresClient> => {
    const options = [`port=${port}`, `unix_socket_directories=${folder}`, 'listen_addresses=', ...settings];
    const args = ['-D', join(folder, 'data'), ...options.flatMap((each) => ['-c', each])];
    const server = spawn(join(BIN!, 'postgres'), args, { ...user, stdio: 'ignore' });
    const stopped = new Promise((done) => server.once('exit', done));
    const stop = async () => {
      server.kill('SIGINT');
      await stopped;
      rmSync(folder, { recursive: true, force: true });
    };
    t.after(stop);
    await until('it is up', 30_000, () => {
      try {
        return execFileSync(join(BIN!, 'psql'), [...psql, '-c', 'SELECT 1'], { stdio: 'pipe' }).length > 0;
      } catch {
        return false;
      }
    });
    const child = spawn(join(BIN!, 'psql'), psql, { stdio: ['pipe', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
    t.after(() => child.kill());
    return {
      query: async (sql, values = []) => {
        said = '';
        const text = sql.replace(/\$(\d)/g, (_, n) => `'${String(values[Number(n) - 1]).replaceAll("'", "''")}'`);
        child.stdin.write(`${text};\n\\echo THAT IS ALL\n`);
        await until('it answers', 10_000, () => said.includes('THAT IS ALL'), 1);
        const [head = '', ...lines] = said.trim().split('\n').slice(0, -1);
        const names = head.split(',');
        return { rows: lines.map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i], value]))) };
      },
    };
  };
};

const OURS = { schema: 3, headquarters: 'ours' };
const of = async (client: PostgresClient, found: typeof OURS | undefined) =>
  (await postgres(client, { ...OURS, read: () => Promise.resolve(found) })).map(
    ({ level, text }) => `${level} ${text}`,
  );
const ask = (client: PostgresClient) => of(client, OURS);
const has = (checks: readonly string[], pattern: RegExp) =>
  assert.ok(
    checks.some((check) => pattern.test(check)),
    `${pattern} is not among\n${checks.join('\n')}`,
  );

test('default PostgreSQL passes the checks, and doctor names each safety setting that is turned off', {
  skip,
}, async (t) => {
  const start = await openPostgres(t);
  const client = await start();
  const well = await ask(client);
  for (const pattern of [
    /^ok PostgreSQL \d+/,
    /^ok What PostgreSQL has committed is on its disk/,
    /^ok The database of PostgreSQL is this headquarters’, and of this version/,
    /^(ok|warn) PostgreSQL commits in [\d.]+ ms; the database has \d+ MB/,
  ])
    has(well, pattern);
  assert.ok(!well.some((line) => line.startsWith('bad')));
  await client.query('SET synchronous_commit = off');
  has(await ask(client), /^bad PostgreSQL runs with synchronous_commit = off/);
});

test('doctor reports a PostgreSQL that does not fsync, is slow, or is too old', { skip }, async (t) => {
  const start = await openPostgres(t);
  const client = await start('fsync=off', 'full_page_writes=off');
  const checks = await ask(client);
  has(checks, /^bad PostgreSQL runs with fsync = off: a power cut may lose/);
  has(checks, /^bad PostgreSQL runs with full_page_writes = off/);
  // A slow disk and an old version are simulated by a wrapper around the client.
  const late: PostgresClient = {
    query: async (sql, values) => {
      if (sql.includes('emit_message')) await new Promise((next) => setTimeout(next, 30));
      const answer = await client.query(sql, values);
      return values?.[0] === 'server_version_num' ? { rows: [{ value: '140009' }] } : answer;
    },
  };
  has(await ask(late), /^warn PostgreSQL commits in \d\d\.\d ms.*: slow\./);
  has(await ask(late), /^bad PostgreSQL \S+.* is too old\. Headquarters needs 15 or newer/);
});

test('doctor reports a database that belongs to another headquarters, has another version, or has no tables', {
  skip,
}, async (t) => {
  const start = await openPostgres(t);
  const client = await start();
  has(await of(client, undefined), /^warn There is nothing of Vitrine in this database of PostgreSQL yet/);
  has(
    await of(client, { ...OURS, headquarters: 'another' }),
    /^bad This database of PostgreSQL belongs to another headquarters/,
  );
  has(await of(client, { ...OURS, schema: 4 }), /^bad .*newer version of Vitrine/);
  has(await of(client, { ...OURS, schema: 2 }), /^warn .*of an older version/);
});

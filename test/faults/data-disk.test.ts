/**
 * The server on a full, read-only or damaged disk: it prints a clear message, serves screens, and overwrites nothing.
 */
// Suite: long
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { picture } from '../api/media.ts';
import { tempFolder } from '../harness.ts';
import { DEVICE, PlayerClient, playOf } from '../player-client.ts';
import {
  ask,
  callTo,
  claimScreen,
  formWith,
  type NotStarted,
  type Screen,
  showPicture,
  startOwned,
  startServer,
  vitrine,
} from './data-server.ts';
import { fill, smallDisk, whyNoMounts } from './hooks/small-disk.ts';

/** Checks that a screen that is switched on gets its complete program and all its files. */
const screenIsServed = async (t: TestContext, origin: string, screen: Screen): Promise<PlayerClient> => {
  const player = new PlayerClient(origin);
  t.after(() => player.socket.terminate());
  await player.opened;
  player.say({ type: 'hello', protocol: 1, device_id: screen.id, secret: screen.secret, device: DEVICE });
  await player.next('welcome');
  const { url } = await player.next('program');
  const headers = { Authorization: `Bearer ${screen.id}.${screen.secret}` };
  const program = (await (await fetch(origin + url, { headers })).json()) as { assets: { sha256: string }[] };
  assert.ok(program.assets.length > 0);
  for (const { sha256 } of program.assets) {
    const bytes = Buffer.from(await (await fetch(`${origin}/api/player/assets/${sha256}`, { headers })).arrayBuffer());
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
  }
  return player;
};

/** Starts a server with an owner, and a screen that plays a picture. */
const furnish = async (t: TestContext, data: string) => {
  const owned = await startOwned(t, data);
  const { screen, player } = await claimScreen(owned.server.origin, owned.call);
  const content = await showPicture(owned.call, screen.id);
  player.socket.terminate();
  return { ...owned, screen, content };
};

test('server on a full disk serves screens, refuses changes with 507, and recovers once there is room', {
  skip: whyNoMounts,
  timeout: 60_000,
}, async (t) => {
  const data = smallDisk(t, 64);
  const { server, call, screen } = await furnish(t, data);
  const makeRoom = fill(data);
  const add = (name: string) => call('POST', '/api/playlists', { name });

  for (let i = 0; i < 20; i++) if ((await add(`list ${i} ${'x'.repeat(150)}`)).status !== 201) break;
  const refused = await add('one more');
  assert.equal(refused.status, 507);
  assert.match(refused.body.error, /disk is full/);
  assert.equal((await call('POST', '/api/content', formWith('b.gif', picture('b')))).status, 507);
  assert.equal((await call('GET', '/api/content')).body.length, 1);
  const player = await screenIsServed(t, server.origin, screen);
  player.say({ type: 'plays', first: 1, plays: [playOf({ id: 'one' })] });
  await new Promise((next) => setTimeout(next, 500));
  assert.deepEqual(
    player.heard.filter(({ type }) => type === 'plays.ack'),
    [],
  );
  const status = (await call('GET', '/api/server/status')).body;
  assert.equal(status.storage.level, 'full');
  assert.ok(status.problems.some((problem: { code: string }) => problem.code === 'disk_full'));
  assert.equal(server.child.exitCode, null);

  makeRoom();
  assert.equal((await add('after')).status, 201);
  player.say({ type: 'plays', first: 1, plays: [playOf({ id: 'one' })] });
  assert.equal((await player.next('plays.ack'))['through'], 1);
  assert.equal((await call('POST', '/api/content', formWith('b.gif', picture('b')))).status, 201);
  assert.equal(await server.stop(), 0);
});

test('server that starts on a full disk serves screens', { skip: whyNoMounts, timeout: 60_000 }, async (t) => {
  // Uses a disk that is large enough for the server to keep a reserve file on it.
  const data = smallDisk(t, 256);
  const { server, screen } = await furnish(t, data);
  writeFileSync(join(data, 'reserve'), Buffer.alloc(16 * 1024 * 1024));
  await server.kill();
  fill(data);
  const again = await startServer(t, data);
  await screenIsServed(t, again.origin, screen);
  // The start takes the space that it needs from the reserve, and leaves the rest of the reserve for sign-ins and
  // deletions.
  assert.equal(statSync(join(data, 'reserve')).size, 12 * 1024 * 1024);
});

test('server continues while its log cannot be written to a full disk, and logs again once there is room', {
  skip: whyNoMounts,
  timeout: 60_000,
}, async (t) => {
  const data = smallDisk(t, 64);
  const server = await startServer(t, data, { VITRINE_LOG_LEVEL: 'debug' });
  const makeRoom = fill(data);
  for (let i = 0; i < 200; i++) await ask(server.origin, 'GET', `/api/nothing/${i}`);
  makeRoom();
  const before = readFileSync(join(data, 'logs', 'server.log')).length;
  // The log retries after 1 s.
  await new Promise((next) => setTimeout(next, 1_100));
  for (let i = 0; i < 5; i++) await ask(server.origin, 'GET', `/api/nothing/after/${i}`);
  assert.equal(await server.stop(), 0);
  assert.ok(readFileSync(join(data, 'logs', 'server.log')).length > before);
});

const refusedStart = async (t: TestContext, data: string): Promise<string> => {
  const error = await startServer(t, data).then(
    () => assert.fail('it started'),
    (failed: NotStarted) => failed,
  );
  assert.equal(error.code, 1);
  // The server must print a sentence without a stack trace.
  assert.doesNotMatch(error.said, /\n\s+at /);
  return error.said;
};

const restoreFrom = (said: string): string[] => {
  const command = /vitrine (restore [^\n]+)/.exec(said);
  assert.ok(command, said);
  return command[1]!.trim().split(' ');
};

test('start refuses and keeps a damaged database, and names the newest good backup, which restores everything', {
  timeout: 90_000,
}, async (t) => {
  const data = tempFolder(t);
  const { server, call, screen } = await furnish(t, data);
  assert.equal((await call('POST', '/api/server/backups', {})).status, 201);
  await server.stop();
  // A newer file that is no backup must not be named.
  writeFileSync(join(data, 'backups', 'vitrine-2999-01-01-000000.vitrine'), 'no backup at all');

  const file = join(data, 'vitrine.db');
  const bytes = readFileSync(file);
  randomBytes(bytes.length - 4096 * 4).copy(bytes, 4096 * 4);
  writeFileSync(file, bytes);
  const said = await refusedStart(t, data);
  assert.match(said, /is damaged/);
  assert.deepEqual(readFileSync(file), bytes);

  const restored = await vitrine(restoreFrom(said));
  assert.equal(restored.code, 0, restored.stderr);
  const aside = readdirSync(data).find((name) => name.startsWith('set-aside'))!;
  assert.deepEqual(readFileSync(join(data, aside, 'vitrine.db')), bytes);
  const again = await startServer(t, data);
  await screenIsServed(t, again.origin, screen);
});

test('server does not replace a lost key, and a backup restores it', { timeout: 90_000 }, async (t) => {
  const data = tempFolder(t);
  const { server, token, call, screen } = await furnish(t, data);
  assert.equal((await call('POST', '/api/server/backups', {})).status, 201);
  const { fingerprint } = (await call('GET', '/api/server/status')).body;
  await server.stop();
  rmSync(join(data, 'keys', 'server.json'));

  const said = await refusedStart(t, data);
  assert.match(said, /key, is missing/);
  assert.equal(existsSync(join(data, 'keys', 'server.json')), false);
  const restored = await vitrine(restoreFrom(said));
  assert.equal(restored.code, 0, restored.stderr);
  const again = await startServer(t, data);
  assert.equal((await callTo(again.origin, token)('GET', '/api/server/status')).body.fingerprint, fingerprint);
  await screenIsServed(t, again.origin, screen);
});

test('without a backup, a lost key is reported, and a new key is made only on request', {
  timeout: 60_000,
}, async (t) => {
  const data = tempFolder(t);
  await (await startServer(t, data)).stop();
  writeFileSync(join(data, 'keys', 'server.json'), '{"id": "half');
  assert.match(await refusedStart(t, data), /cannot be read as the server's key/);
  assert.equal(readFileSync(join(data, 'keys', 'server.json'), 'utf8'), '{"id": "half');
  rmSync(join(data, 'keys', 'server.json'));
  assert.match(await refusedStart(t, data), /vitrine new-key/);
  assert.equal((await vitrine(['new-key', '--data', data])).code, 0);
  await (await startServer(t, data)).stop();
});

test('server with an old key and backups does not create a new database', {
  timeout: 60_000,
}, async (t) => {
  const data = tempFolder(t);
  const { server, call } = await furnish(t, data);
  assert.equal((await call('POST', '/api/server/backups', {})).status, 201);
  await server.stop();
  renameSync(join(data, 'vitrine.db'), join(data, 'elsewhere.db'));
  assert.match(await refusedStart(t, data), /is missing, but .* has backups/);
  assert.equal(existsSync(join(data, 'vitrine.db')), false);
});

test('start that cannot write to the data folder names the folder', {
  skip: whyNoMounts,
  timeout: 30_000,
}, async (t) => {
  const data = smallDisk(t, 16);
  await (await startServer(t, data)).stop();
  execFileSync('mount', ['-o', 'remount,ro', data]);
  const said = await refusedStart(t, data);
  assert.match(said, /cannot be written/);
});

test('doctor reports a damaged media file, a player keeps its good copy, and a new upload repairs the file', {
  timeout: 60_000,
}, async (t) => {
  const data = tempFolder(t);
  const { server, call, screen, content } = await furnish(t, data);
  const path = join(data, 'media', content.sha256.slice(0, 2), content.sha256);
  truncateSync(path, 10);
  const doctor = await vitrine(['doctor', '--data', data, '--json']);
  assert.equal(doctor.code, 3);
  const bad = JSON.parse(doctor.stdout).checks.filter(
    (check: { level: string; area: string }) => check.level === 'bad' && check.area === 'media',
  );
  assert.match(bad[0].text, /a\.gif is damaged/);
  assert.equal((await call('POST', '/api/content', formWith('a.gif', picture('a')))).status, 201);
  await screenIsServed(t, server.origin, screen);
});

test('a second server never uses the data folder of a running server', { timeout: 30_000 }, async (t) => {
  const data = tempFolder(t);
  await startServer(t, data);
  assert.match(await refusedStart(t, data), /is running with the data folder/);
  const restored = await vitrine(['restore', join(data, 'vitrine.db'), '--data', data]);
  assert.equal(restored.code, 1);
});

/**
 * What a server does on a bad disk: full, read-only, damaged. A clear sentence, screens served, nothing overwritten.
 */
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
import { DEVICE, hashOf, PlayerClient, playOf } from '../player-client.ts';
import { ask, formWith, type NotStarted, type RunningServer, startServer, vitrine } from './data-server.ts';
import { fill, smallDisk, whyNoMounts } from './hooks/small-disk.ts';

interface Store {
  readonly token: string;
  readonly content: { readonly id: string; readonly sha256: string };
  readonly device: { readonly id: string; readonly secret: string };
}

/** A server with a user, a content in a published playlist, and a screen that plays it. */
const furnish = async ({ origin }: RunningServer): Promise<Store> => {
  const { token } = (
    await ask(origin, 'POST', '/api/auth/register', {
      body: { email: 'owner@store.test', password: 'correct horse', name: 'Owner' },
    })
  ).body;
  const content = (await ask(origin, 'POST', '/api/content', { token, body: formWith('a.gif', picture('a')) })).body;
  const playlist = (await ask(origin, 'POST', '/api/playlists', { token, body: { name: 'P' } })).body;
  await ask(origin, 'POST', `/api/playlists/${playlist.id}/items`, { token, body: { content_id: content.id } });
  await ask(origin, 'POST', `/api/playlists/${playlist.id}/publish`, { token });
  const secret = randomBytes(32).toString('hex');
  const player = new PlayerClient(origin);
  await player.opened;
  player.say({ type: 'hello', protocol: 1, secret_hash: hashOf(secret), device: DEVICE });
  const { code } = await player.next('pairing');
  const device = (await ask(origin, 'POST', '/api/devices/pair', { token, body: { code, name: 'Till' } })).body;
  await ask(origin, 'POST', `/api/playlists/${playlist.id}/assign`, { token, body: { device_id: device.id } });
  player.socket.terminate();
  return { token, content, device: { id: device.id, secret } };
};

/** As a screen that was switched on: gets its program and the files in it, whole. */
const screenIsServed = async (t: TestContext, origin: string, { device }: Store): Promise<PlayerClient> => {
  const player = new PlayerClient(origin);
  t.after(() => player.socket.terminate());
  await player.opened;
  player.say({ type: 'hello', protocol: 1, device_id: device.id, secret: device.secret, device: DEVICE });
  await player.next('welcome');
  const { url } = await player.next('program');
  const headers = { Authorization: `Bearer ${device.id}.${device.secret}` };
  const program = (await (await fetch(origin + url, { headers })).json()) as { assets: { sha256: string }[] };
  assert.ok(program.assets.length > 0);
  for (const { sha256 } of program.assets) {
    const bytes = Buffer.from(await (await fetch(`${origin}/api/player/assets/${sha256}`, { headers })).arrayBuffer());
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
  }
  return player;
};

test('on a full disk screens are served, changes are refused with 507, and all is well again once there is room', {
  skip: whyNoMounts,
  timeout: 60_000,
}, async (t) => {
  const data = smallDisk(t, 64);
  const server = await startServer(data);
  t.after(() => server.kill());
  const store = await furnish(server);
  const { origin } = server;
  const makeRoom = fill(data);

  for (let i = 0; i < 20; i++) {
    const refused = await ask(origin, 'POST', '/api/playlists', {
      token: store.token,
      body: { name: `list ${i} ${'x'.repeat(150)}` },
    });
    if (refused.status !== 201) break;
  }
  const refused = await ask(origin, 'POST', '/api/playlists', { token: store.token, body: { name: 'one more' } });
  assert.equal(refused.status, 507);
  assert.match(refused.body.error, /disk is full/);
  assert.equal(
    (await ask(origin, 'POST', '/api/content', { token: store.token, body: formWith('b.gif', picture('b')) })).status,
    507,
  );
  assert.equal((await ask(origin, 'GET', '/api/content', { token: store.token })).body.length, 1);
  const player = await screenIsServed(t, origin, store);
  player.say({ type: 'plays', first: 1, plays: [playOf({ id: 'one' })] });
  await new Promise((next) => setTimeout(next, 500));
  assert.deepEqual(
    player.heard.filter(({ type }) => type === 'plays.ack'),
    [],
  );
  const status = (await ask(origin, 'GET', '/api/server/status', { token: store.token })).body;
  assert.equal(status.storage.level, 'full');
  assert.ok(status.problems.some((problem: { code: string }) => problem.code === 'disk_full'));
  assert.equal(server.child.exitCode, null);

  makeRoom();
  assert.equal(
    (await ask(origin, 'POST', '/api/playlists', { token: store.token, body: { name: 'after' } })).status,
    201,
  );
  player.say({ type: 'plays', first: 1, plays: [playOf({ id: 'one' })] });
  assert.equal((await player.next('plays.ack'))['through'], 1);
  assert.equal(
    (await ask(origin, 'POST', '/api/content', { token: store.token, body: formWith('b.gif', picture('b')) })).status,
    201,
  );
  assert.equal(await server.stop(), 0);
});

test('a server that is started on a full disk serves screens', { skip: whyNoMounts, timeout: 60_000 }, async (t) => {
  // Large enough that the server keeps a reserve for this.
  const data = smallDisk(t, 256);
  const first = await startServer(data);
  const store = await furnish(first);
  writeFileSync(join(data, 'reserve'), Buffer.alloc(16 * 1024 * 1024));
  await first.kill();
  fill(data);
  const again = await startServer(data);
  t.after(() => again.kill());
  await screenIsServed(t, again.origin, store);
  assert.equal(statSync(join(data, 'reserve')).size, 0);
});

test('a log on a full disk harms nobody, and goes on once there is room', {
  skip: whyNoMounts,
  timeout: 60_000,
}, async (t) => {
  const data = smallDisk(t, 64);
  const server = await startServer(data, { VITRINE_LOG_LEVEL: 'debug' });
  t.after(() => server.kill());
  const makeRoom = fill(data);
  for (let i = 0; i < 200; i++) await ask(server.origin, 'GET', `/api/nothing/${i}`);
  makeRoom();
  const before = readFileSync(join(data, 'logs', 'server.log')).length;
  // It is tried again after a second.
  await new Promise((next) => setTimeout(next, 1_100));
  for (let i = 0; i < 5; i++) await ask(server.origin, 'GET', `/api/nothing/after/${i}`);
  assert.equal(await server.stop(), 0);
  assert.ok(readFileSync(join(data, 'logs', 'server.log')).length > before);
});

const refusedStart = async (data: string): Promise<string> => {
  const error = await startServer(data).then(
    async (server) => {
      await server.kill();
      return assert.fail('it started');
    },
    (failed: NotStarted) => failed,
  );
  assert.equal(error.code, 1);
  // A sentence, no stack.
  assert.doesNotMatch(error.said, /\n\s+at /);
  return error.said;
};

const restoreFrom = (said: string): string[] => {
  const command = /vitrine (restore [^\n]+)/.exec(said);
  assert.ok(command, said);
  return command[1]!.trim().split(' ');
};

test('a damaged database is refused and left as it is; the newest good backup is named, and brings everything back', {
  timeout: 90_000,
}, async (t) => {
  const data = tempFolder(t);
  const first = await startServer(data);
  const store = await furnish(first);
  assert.equal((await ask(first.origin, 'POST', '/api/server/backups', { token: store.token, body: {} })).status, 201);
  await first.stop();
  // A newer backup that is worth nothing must not be the one that is named.
  writeFileSync(join(data, 'backups', 'vitrine-2999-01-01-000000.vitrine'), 'no backup at all');

  const file = join(data, 'vitrine.db');
  const bytes = readFileSync(file);
  randomBytes(bytes.length - 4096 * 4).copy(bytes, 4096 * 4);
  writeFileSync(file, bytes);
  const said = await refusedStart(data);
  assert.match(said, /is damaged/);
  assert.deepEqual(readFileSync(file), bytes);

  const restored = await vitrine(restoreFrom(said));
  assert.equal(restored.code, 0, restored.stderr);
  const aside = readdirSync(data).find((name) => name.startsWith('set-aside'))!;
  assert.deepEqual(readFileSync(join(data, aside, 'vitrine.db')), bytes);
  const again = await startServer(data);
  t.after(() => again.kill());
  await screenIsServed(t, again.origin, store);
});

test('a lost key is not replaced by another; it comes back from the backup', { timeout: 90_000 }, async (t) => {
  const data = tempFolder(t);
  const first = await startServer(data);
  const store = await furnish(first);
  assert.equal((await ask(first.origin, 'POST', '/api/server/backups', { token: store.token, body: {} })).status, 201);
  const { fingerprint } = (await ask(first.origin, 'GET', '/api/server/status', { token: store.token })).body;
  await first.stop();
  rmSync(join(data, 'keys', 'server.json'));

  const said = await refusedStart(data);
  assert.match(said, /key, is missing/);
  assert.equal(existsSync(join(data, 'keys', 'server.json')), false);
  const restored = await vitrine(restoreFrom(said));
  assert.equal(restored.code, 0, restored.stderr);
  const again = await startServer(data);
  t.after(() => again.kill());
  assert.equal(
    (await ask(again.origin, 'GET', '/api/server/status', { token: store.token })).body.fingerprint,
    fingerprint,
  );
  await screenIsServed(t, again.origin, store);
});

test('without any backup a lost key is named, and a new one is only made when asked for', {
  timeout: 60_000,
}, async (t) => {
  const data = tempFolder(t);
  await (await startServer(data)).stop();
  writeFileSync(join(data, 'keys', 'server.json'), '{"id": "half');
  assert.match(await refusedStart(data), /cannot be read as the server's key/);
  assert.equal(readFileSync(join(data, 'keys', 'server.json'), 'utf8'), '{"id": "half');
  rmSync(join(data, 'keys', 'server.json'));
  assert.match(await refusedStart(data), /vitrine new-key/);
  assert.equal((await vitrine(['new-key', '--data', data])).code, 0);
  await (await startServer(data)).stop();
});

test('a database that is gone is not made anew under the old key while there are backups', {
  timeout: 60_000,
}, async (t) => {
  const data = tempFolder(t);
  const first = await startServer(data);
  const store = await furnish(first);
  assert.equal((await ask(first.origin, 'POST', '/api/server/backups', { token: store.token, body: {} })).status, 201);
  await first.stop();
  renameSync(join(data, 'vitrine.db'), join(data, 'elsewhere.db'));
  assert.match(await refusedStart(data), /is missing, but .* has backups/);
  assert.equal(existsSync(join(data, 'vitrine.db')), false);
});

test('a data folder that cannot be written is named', { skip: whyNoMounts, timeout: 30_000 }, async (t) => {
  const data = smallDisk(t, 16);
  await (await startServer(data)).stop();
  execFileSync('mount', ['-o', 'remount,ro', data]);
  const said = await refusedStart(data);
  assert.match(said, /cannot be written/);
});

test('a damaged media file: doctor names it, the player that holds it keeps it, uploading it again heals it', {
  timeout: 60_000,
}, async (t) => {
  const data = tempFolder(t);
  const server = await startServer(data);
  t.after(() => server.kill());
  const store = await furnish(server);
  const path = join(data, 'media', store.content.sha256.slice(0, 2), store.content.sha256);
  truncateSync(path, 10);
  const doctor = await vitrine(['doctor', '--data', data, '--json']);
  assert.equal(doctor.code, 3);
  const bad = JSON.parse(doctor.stdout).checks.filter(
    (check: { level: string; area: string }) => check.level === 'bad' && check.area === 'media',
  );
  assert.match(bad[0].text, /a\.gif is damaged/);
  assert.equal(
    (await ask(server.origin, 'POST', '/api/content', { token: store.token, body: formWith('a.gif', picture('a')) }))
      .status,
    201,
  );
  await screenIsServed(t, server.origin, store);
});

test('two servers never share a data folder', { timeout: 30_000 }, async (t) => {
  const data = tempFolder(t);
  const server = await startServer(data);
  t.after(() => server.kill());
  assert.match(await refusedStart(data), /is running with the data folder/);
  const restored = await vitrine(['restore', join(data, 'vitrine.db'), '--data', data]);
  assert.equal(restored.code, 1);
});

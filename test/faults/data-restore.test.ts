/** A store that moves to another computer as one file, and the commands for this. */
// Suite: faults
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { picture } from '../api/media.ts';
import { tempFolder } from '../harness.ts';
import { connectPlayer, DEVICE, playOf } from '../player-client.ts';
import { until } from '../until.ts';
import { ask, claimScreen, showPicture, startOwned, startServer, vitrine } from './data-server.ts';

const play = (n: number) =>
  playOf({ id: `play-${n}`, started_at: Date.now() - 100_000 + n * 1000, ended_at: Date.now() - 99_000 + n * 1000 });
const plays = (from: number, to: number) => ({
  type: 'plays',
  first: from,
  plays: Array.from({ length: to - from + 1 }, (_, i) => play(from + i)),
});

test('running store is saved into one file, and restored on an empty computer with its players', {
  timeout: 90_000,
}, async (t) => {
  const [old, usb, fresh] = [tempFolder(t), tempFolder(t), join(tempFolder(t), 'new')];
  const { server: first, token, call } = await startOwned(t, old);
  const { screen, player, server } = await claimScreen(first.origin, call);
  t.after(() => player.socket.terminate());
  await showPicture(call, screen.id);
  player.say(plays(1, 5));
  await player.next('plays.ack');

  const file = join(usb, 'store.vitrine');
  const saved = await vitrine(['backup', '--to', file, '--data', old, '--json']);
  assert.equal(saved.code, 0, saved.stdout);
  assert.equal(JSON.parse(saved.stdout).media_kept, 'inside');
  const checked = await vitrine(['verify', file, '--json']);
  assert.equal(checked.code, 0, checked.stdout);
  await first.kill();
  // The export needs a running server, so the command starts one for it.
  const zip = join(usb, 'store.zip');
  const exported = await vitrine(['export', zip, '--data', old]);
  assert.equal(exported.code, 0, exported.stderr);

  const restored = await vitrine(['restore', file, '--data', fresh, '--json']);
  assert.equal(restored.code, 0, restored.stdout);
  assert.equal(JSON.parse(restored.stdout).set_aside, null);
  const second = await startServer(t, fresh);
  const again = await connectPlayer(t, second);
  again.say({ type: 'hello', protocol: 1, device_id: screen.id, secret: screen.secret, device: DEVICE });
  const welcome = await again.next('welcome');
  assert.equal(welcome['server'].id, server.id);
  assert.equal(welcome['server'].fingerprint, server.fingerprint);
  const { url } = await again.next('program');
  const headers = { Authorization: `Bearer ${screen.id}.${screen.secret}` };
  const program = (await (await fetch(second.origin + url, { headers })).json()) as { assets: { sha256: string }[] };
  const asset = await fetch(`${second.origin}/api/player/assets/${program.assets[0]!.sha256}`, { headers });
  assert.deepEqual(Buffer.from(await asset.arrayBuffer()), picture('a'));
  // Some plays were acknowledged after the backup was made. The restored server lacks these plays, so the player sends
  // them again.
  again.say(plays(4, 8));
  assert.equal((await again.next('plays.ack'))['through'], 8);
  const report = (await ask(second.origin, 'GET', '/api/reports/plays', { token })).body;
  assert.equal(report.length, 8);
  assert.equal(await second.stop(), 0);
});

test('restore over a store sets the old store aside, and a broken file changes nothing', {
  timeout: 60_000,
}, async (t) => {
  const [data, usb] = [tempFolder(t), tempFolder(t)];
  const { server } = await startOwned(t, data);
  const file = join(usb, 'store.vitrine');
  assert.equal((await vitrine(['backup', '--to', file, '--data', data])).code, 0);
  const over = await vitrine(['backup', '--to', file, '--data', data]);
  assert.equal(over.code, 1);
  assert.match(over.stderr, /already exists and is not overwritten/);
  const running = await vitrine(['restore', file, '--data', data]);
  assert.equal(running.code, 1);
  assert.match(running.stderr, /server is running/);
  await server.stop();

  const before = readFileSync(join(data, 'vitrine.db'));
  const bytes = readFileSync(file);
  for (const [what, wrong] of Object.entries({
    short: bytes.subarray(0, bytes.length - 3000),
    flipped: Buffer.concat([bytes.subarray(0, 5000), Buffer.from([bytes[5000]! ^ 1]), bytes.subarray(5001)]),
    empty: Buffer.alloc(0),
  })) {
    const bad = join(usb, `${what}.vitrine`);
    writeFileSync(bad, wrong);
    assert.equal((await vitrine(['verify', bad])).code, 3, what);
    assert.equal((await vitrine(['restore', bad, '--data', data])).code, 1, what);
    assert.deepEqual(readFileSync(join(data, 'vitrine.db')), before, what);
  }
  const restored = await vitrine(['restore', file, '--data', data, '--json']);
  assert.equal(restored.code, 0, restored.stderr);
  assert.deepEqual(readFileSync(join(JSON.parse(restored.stdout).set_aside, 'vitrine.db')), before);
});

test('running server tests and restores a backup, restarts, and saves the replaced state as another backup', {
  timeout: 120_000,
}, async (t) => {
  const data = tempFolder(t);
  const { server, call } = await startOwned(t, data);
  await call('POST', '/api/playlists', { name: 'Autumn' });
  const { name } = (await call('POST', '/api/server/backups', {})).body;
  await call('POST', '/api/playlists', { name: 'Winter' });
  const path = `/api/server/backups/${name}`;
  const tried = await call('POST', `${path}/test`);
  assert.equal(tried.status, 200, JSON.stringify(tried.body));
  assert.deepEqual(tried.body.differences, [{ kind: 'playlists', added: 1, changed: 0, removed: 0 }]);
  assert.equal((await call('POST', `${path}/restore`, { password: 'a wrong horse' })).status, 401);
  for (const act of ['test', 'restore'])
    assert.equal((await call('POST', `/api/server/backups/none.vitrine/${act}`, {})).status, 404);
  writeFileSync(join(data, 'backups', 'torn.vitrine'), readFileSync(join(data, 'backups', name)).subarray(0, 9000));
  for (const act of ['test', 'restore']) {
    const torn = await call('POST', `/api/server/backups/torn.vitrine/${act}`, { password: 'correct horse' });
    assert.equal(torn.status, 409, act);
    assert.match(torn.body.error, /torn\.vitrine is incomplete/);
  }
  const answer = await call('POST', `${path}/restore`, { password: 'correct horse' });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const again = await call('POST', `${path}/restore`, { password: 'correct horse' });
  assert.ok([0, 409, 503].includes(again.status), 'once at a time');
  const { safety, watch } = answer.body;
  const seen = new Set<string>();
  const refused: string[] = [];
  const done = await until('the server is back', 30_000, async () => {
    // This endpoint needs no session, since the session may not exist in the restored store.
    const { status, body } = await ask(server.origin, 'GET', `/api/server/restores/${watch}`);
    if (status === 200 && body.work) seen.add(body.work.what);
    const other = await ask(server.origin, 'GET', '/api/playlists');
    if (other.status === 503) refused.push(other.body.error);
    return (status === 200 && body.outcome) || undefined;
  });
  assert.ok(seen.has('restore'), 'it tells how far it is while there is no server');
  assert.ok(refused.some((sentence) => /is being restored/.test(sentence)));
  assert.equal((await ask(server.origin, 'GET', '/api/server/restores/none')).status, 404);
  assert.deepEqual([done.differences, done.plays], [tried.body.differences, 0], 'what was lost is remembered');
  assert.deepEqual((await call('GET', '/api/server/backups')).body.last_restore, done);
  assert.deepEqual([done.backup, done.error, done.by, done.safety], [name, null, 'owner@store.test', safety]);
  const names = (await call('GET', '/api/playlists')).body.map((playlist: { name: string }) => playlist.name);
  assert.deepEqual(names, ['Autumn']);
  const back = await call('POST', `/api/server/backups/${safety}/test`);
  assert.deepEqual(back.body.differences, [{ kind: 'playlists', added: 0, changed: 0, removed: 1 }]);
  assert.equal(server.child.exitCode, null, 'it is the same process, which no service manager has to start');
  assert.equal(await server.stop(), 0);
});

test('server that is killed during the import of a backup leaves no part of the backup behind', {
  timeout: 60_000,
}, async (t) => {
  const data = tempFolder(t);
  const { server, token } = await startOwned(t, data);
  const left = () => readdirSync(join(data, 'backups')).filter((name) => name.includes('brought-in'));
  const upload = request(`${server.origin}/api/server/backups/brought-in`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'multipart/form-data; boundary=b' },
  });
  upload.on('error', () => {});
  upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.vitrine"\r\n\r\n');
  upload.write(Buffer.alloc(1024 * 1024));
  await until('some of it is on the disk', 30_000, () => existsSync(join(data, 'backups')) && left().length > 0);
  await server.kill();
  await until('nothing is left', 10_000, () => left().length === 0);
});

test('command line resets a password while the server runs, and ends the old sessions', {
  timeout: 60_000,
}, async (t) => {
  const data = tempFolder(t);
  const { server, call } = await startOwned(t, data);
  assert.equal((await call('GET', '/api/playlists')).status, 200);
  const reset = await vitrine(['reset-password', 'Owner@store.test', '--data', data, '--json']);
  assert.equal(reset.code, 0, reset.stdout);
  const { password } = JSON.parse(reset.stdout);
  await until('the old session ends', 5_000, async () => (await call('GET', '/api/playlists')).status === 401);
  assert.equal(
    (await ask(server.origin, 'POST', '/api/auth/login', { body: { email: 'owner@store.test', password } })).status,
    200,
  );
  const nobody = await vitrine(['reset-password', 'nobody@store.test', '--data', data, '--json']);
  assert.equal(nobody.code, 1);
  assert.match(JSON.parse(nobody.stdout).error, /owner@store\.test/);
});

test('command line describes its commands and names wrong arguments', {
  timeout: 120_000,
}, async (t) => {
  const data = tempFolder(t);
  const help = await vitrine(['--help']);
  assert.equal(help.code, 0);
  for (const word of [
    'serve',
    'player',
    'backup',
    'restore',
    'verify',
    'import',
    'export',
    'reset-password',
    'doctor',
    'install-service',
    'remove-service',
    'service',
    'move-data',
  ]) {
    assert.match(help.stdout, new RegExp(`^  ${word} `, 'm'));
    assert.equal((await vitrine([word, '--help'])).code, 0, word);
  }
  assert.match((await vitrine(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
  for (const wrong of [
    [],
    ['nonsense'],
    ['backup', 'too', 'many'],
    ['backup', '--nonsense'],
    ['restore'],
    ['install-service', 'everything'],
    ['remove-service', 'everything'],
    ['service', 'restart'],
    ['move-data'],
  ])
    assert.equal((await vitrine(wrong)).code, 2, wrong.join(' '));
  assert.equal((await vitrine(['backup', '--data', data])).code, 1);
  assert.equal(existsSync(join(data, 'vitrine.db')), false);
  for (const role of ['server', 'player'])
    assert.match((await vitrine(['install-service', role, '--print', '--for', 'linux'])).stdout, /\[Service\]/);
  assert.match(
    (await vitrine(['install-service', 'server', '--print', '--for', 'darwin'])).stdout,
    /<key>KeepAlive<\/key>/,
  );
  assert.match((await vitrine(['install-service', 'server', '--print', '--for', 'win32'])).stdout, /<BootTrigger>/);
});

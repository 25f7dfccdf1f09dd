/**
 * A completely full disk: users who can make room can sign in and delete, and users who only read are not disturbed.
 */
// Suite: long
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rightful, send } from '../api/examples.ts';
import { picture } from '../api/media.ts';
import { startStore } from '../api/site.ts';
import { login, must } from '../people.ts';
import { upload } from '../uploads.ts';
import { ask, startOwned, startServer } from './data-server.ts';
import { fill, keepFilling, smallDisk, whyNoMounts } from './hooks/small-disk.ts';

const MB = 1024 * 1024;
const noise = (megabytes: number) => Buffer.concat([picture(`${megabytes} MB`), Buffer.alloc(megabytes * MB)]);

test('on a full disk, reads never fail because of failing writes, and users can sign in and delete, which makes room', {
  skip: whyNoMounts,
  timeout: 120_000,
}, async (t) => {
  const data = smallDisk(t, 192);
  const store = await startStore(t, { data });
  const { site, a, people } = store;
  const large = must(await upload(site, people.owner.token, noise(40), 'large.gif'), 201).id;
  const reserve = join(data, 'reserve');

  // Without a reserve, nothing can be saved and everything can be read.
  let makeRoom = fill(data);
  const write = () => a.call('POST', '/api/playlists', { name: 'x'.repeat(90) });
  while ((await write()).status === 201);
  // Starts another write transaction in each turn of the event loop. Each of them fails.
  const { db } = site.app;
  let failed = 0;
  const others = () => {
    db.write(() =>
      db.raw
        .prepare('INSERT INTO settings (key, value) VALUES (?, ?)')
        .run(`other ${failed} ${performance.now()}`, JSON.stringify('x'.repeat(9_000))),
    );
    db.durable()?.catch(() => failed++);
    turn = setImmediate(others);
  };
  let turn = setImmediate(others);
  const reads = await Promise.all(
    Array.from({ length: 200 }, (_, i) => a.call('GET', i % 2 ? '/api/content' : `/api/playlists/${a.playlist}`)),
  );
  clearImmediate(turn);
  assert.deepEqual([...new Set(reads.map(({ status }) => status))], [200]);
  assert.ok(failed > 20, `${failed} writes failed beside them`);

  makeRoom();
  await site.app.upkeep.disk.check();
  assert.equal(statSync(reserve).size, 16 * MB);
  makeRoom = fill(data);
  // The first writes succeed, because they fit into the existing write-ahead log. Then a write that is not essential
  // gets no space from the reserve and is refused.
  let refused = await write();
  while (refused.status === 201) refused = await write();
  assert.equal(refused.status, 507);
  assert.match(refused.body.error, /disk is full/);
  assert.equal(statSync(reserve).size, 16 * MB);
  // Twenty sign-ins take their space from the reserve, in steps.
  for (let i = 0; i < 20; i++) assert.equal((await login(site, people.owner.email)).status, 200);
  const left = statSync(reserve).size;
  assert.ok(left < 16 * MB && left > 12 * MB, `${left} bytes of the reserve are left`);
  assert.equal((await write()).status, 507);
  assert.equal((await upload(site, people.owner.token, noise(1), 'b.gif')).status, 507);
  const before = statSync(join(data, 'vitrine.db-wal')).size;
  a.player.client.say({ type: 'plays', first: 1000, plays: [] });
  for (let i = 0; i < 50; i++) a.player.client.say({ type: 'heartbeat', telemetry: { cpu_usage: i } });
  await a.call('GET', '/api/content');
  assert.equal(statSync(join(data, 'vitrine.db-wal')).size, before, 'what screens say is not what the reserve is for');

  const problems: string[] = [];
  for (const endpoint of store.site.app.endpoints.filter(
    ({ method, access, path }) => method === 'GET' && access.kind !== 'device' && path !== '/api/auth/verify-email',
  )) {
    const [answer] = await Promise.all([send(store, endpoint, { token: rightful(store, endpoint) }), write(), write()]);
    if (answer.status >= 500)
      problems.push(`${endpoint.path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  assert.deepEqual(problems, []);

  must(await store.staff('PUT', '/api/server/upkeep', { plays_days: 30 }));
  must(await a.call('DELETE', `/api/widgets/${a.widget}`));
  must(await a.call('DELETE', `/api/content/${large}`));
  // The file of the deleted content is removed at once, and the disk is no longer full.
  const end = performance.now() + 5_000;
  while ((await write()).status !== 201) assert.ok(performance.now() < end, 'there is room again');
  assert.equal((await upload(site, people.owner.token, noise(1), 'b.gif')).status, 201);
  const said = must(await a.call('GET', '/api/activity')) as { action: string }[];
  assert.ok(
    said.some(({ action }) => action === 'bin.made_room'),
    'that the bin gave it up',
  );
  makeRoom();
  await site.app.upkeep.disk.check();
  assert.equal(statSync(reserve).size, 16 * MB, 'it is kept anew');
});

test('owner signs in and deletes while another program takes every free byte, and the reserve is restored afterwards', {
  skip: whyNoMounts,
  timeout: 180_000,
}, async (t) => {
  const data = smallDisk(t, 256);
  const { site, a, people, staff } = await startStore(t, { data });
  const large = must(await upload(site, people.owner.token, noise(40), 'large.gif'), 201);
  const reserve = join(data, 'reserve');
  await site.app.upkeep.disk.check();
  assert.equal(statSync(reserve).size, 16 * MB);

  const endFilling = await keepFilling(t, data);
  const write = () => a.call('POST', '/api/playlists', { name: 'x'.repeat(90) });
  while ((await write()).status === 201);
  for (let i = 0; i < 30; i++) assert.equal((await write()).status, 507);
  assert.equal(statSync(reserve).size, 16 * MB, 'refused writes release nothing');

  for (let i = 0; i < 50; i++) {
    assert.equal((await login(site, people.owner.email)).status, 200, `sign-in ${i}`);
    assert.equal((await write()).status, 507);
  }
  must(await staff('PUT', '/api/server/upkeep', { plays_days: 30 }));
  must(await a.call('DELETE', `/api/widgets/${a.widget}`));
  must(await a.call('DELETE', `/api/content/${large.id}`));
  const file = join(data, 'media', large.sha256.slice(0, 2), large.sha256);
  for (const end = performance.now() + 20_000; existsSync(file); ) {
    assert.ok(performance.now() < end, 'the file of the deleted content is gone');
    await new Promise((next) => setTimeout(next, 20));
  }
  assert.equal(statSync(reserve).size, 16 * MB, 'the reserve is whole before the other program gets anything');
  // The other program takes the rest of the space, and the disk is full again.
  while ((await write()).status === 201);
  for (let i = 0; i < 50; i++) assert.equal((await login(site, people.owner.email)).status, 200, `sign-in ${i}`);

  await endFilling();
  assert.equal((await write()).status, 201);
  assert.equal((await upload(site, people.owner.token, noise(1), 'b.gif')).status, 201);
  await site.app.upkeep.disk.check();
  assert.equal(statSync(reserve).size, 16 * MB);
});

test('server on a full disk stops without a stack trace, and has all saved data at the next start', {
  skip: whyNoMounts,
  timeout: 60_000,
}, async (t) => {
  const data = smallDisk(t, 96);
  const { server, token, call } = await startOwned(t, data);
  const makeRoom = fill(data);
  // No byte of the disk is free, not even in existing database pages, and some saved data are only in the write-ahead
  // log.
  let saved = 0;
  const save = () => call('POST', '/api/playlists', { name: `list ${saved}`, description: 'x'.repeat(900) });
  while ((await save()).status === 201) saved++;
  assert.equal(await server.stop(), 0);
  assert.doesNotMatch(server.said(), /\n\s+at |SqliteError/);

  makeRoom();
  const again = await startServer(t, data);
  const { body } = await ask(again.origin, 'GET', '/api/playlists?limit=1000', { token });
  assert.equal(body.length, saved);
  assert.equal(await again.stop(), 0);
});

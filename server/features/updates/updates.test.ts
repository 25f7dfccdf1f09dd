import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Site, startSite, TestClock } from '../../../test/harness.ts';
import { must, type Person, person } from '../../../test/people.ts';
import { connectPlayer, DEVICE, type PairedPlayer, type PlayerClient, pairPlayer } from '../../../test/player-client.ts';
import { upload } from '../../../test/uploads.ts';
import { updaterList } from './artefact.ts';

const BYTES = Buffer.from('a new version '.repeat(5_000));
const SHA256 = createHash('sha256').update(BYTES).digest('hex');
const SHA512 = createHash('sha512').update(BYTES).digest('base64');
const NAME = 'Vitrine-2.0.0-linux-x64.tar.gz';

interface Shop {
  readonly site: Site;
  readonly clock: TestClock;
  readonly admin: Person;
  readonly call: (method: string, path: string, body?: unknown) => ReturnType<Site['call']>;
  readonly release: (bytes?: Buffer, name?: string) => ReturnType<typeof upload>;
}

const open = async (t: TestContext): Promise<Shop> => {
  const clock = new TestClock();
  const site = await startSite(t, { clock });
  const admin = await person(site, 'owner@store.test');
  return {
    site,
    clock,
    admin,
    call: (method, path, body) => site.call(method, path, { token: admin.token, body }),
    release: (bytes = BYTES, name = NAME) => upload(site, admin.token, bytes, name, { path: '/api/updates/releases' }),
  };
};

const offered = async ({ site }: Shop, player: PairedPlayer, platform = 'linux') =>
  must(await site.call('GET', `/api/updates/offer?platform=${platform}&arch=x64`, { token: player.credential })).update;
const fetchAs = ({ site }: Shop, player: PairedPlayer, path: string, headers: Record<string, string> = {}) =>
  fetch(`${site.origin}${path}`, { headers: { Authorization: `Bearer ${player.credential}`, ...headers } });

/** Answers the command with a status, as a player does that has taken the version in. */
const obey = async (client: PlayerClient, status = 'done') => {
  const command = await client.next('command');
  client.say({ type: 'command.result', id: command['id'], status });
  return command;
};

/** Comes back with another version, and stays for a heartbeat, as do the others: 45 s without one is offline. */
const comeBack = async (t: TestContext, shop: Shop, player: PairedPlayer, version: string, others: readonly PlayerClient[] = []): Promise<PlayerClient> => {
  const client = await connectPlayer(t, shop.site);
  client.say({ type: 'hello', protocol: 1, device_id: player.deviceId, secret: player.secret, device: { ...DEVICE, version } });
  const { id } = await client.next('program');
  client.say({ type: 'program.ready', id });
  shop.site.app.updates.rollouts.look();
  shop.clock.advance(25_000);
  for (const each of [client, ...others]) {
    each.say({ type: 'heartbeat' });
    await each.next('heartbeat.ack');
  }
  shop.site.app.updates.rollouts.look();
  return client;
};

const rolloutUntil = async (shop: Shop, id: string, is: (rollout: any) => boolean) => {
  for (let i = 0; i < 500; i++) {
    const rollout = must(await shop.call('GET', `/api/updates/rollouts/${id}`));
    if (is(rollout)) return rollout;
    await new Promise((next) => setTimeout(next, 20));
  }
  throw new Error('the rollout did not come so far');
};

test('a release is made of the files that are uploaded, hashed and kept once', async (t) => {
  const shop = await open(t);
  const first = must(await shop.release(), 201);
  assert.deepEqual([first.version, first.files.length, first.screens], ['2.0.0', 1, 0]);
  assert.deepEqual(first.files[0], { name: NAME, platform: 'linux', arch: 'x64', kind: 'tar.gz', size: BYTES.length, sha256: SHA256, sha512: SHA512 });
  const second = must(await shop.release(Buffer.from('for windows'), 'Vitrine-player-2.0.0-win-x64.zip'), 201);
  assert.deepEqual([second.id, second.files.length], [first.id, 2]);
  assert.equal(readdirSync(join(shop.site.data, 'updates')).length, 2);
  must(await shop.call('DELETE', `/api/updates/releases/${first.id}`));
  assert.deepEqual(readdirSync(join(shop.site.data, 'updates')), []);
  assert.equal((await shop.call('DELETE', `/api/updates/releases/${first.id}`)).status, 404);
});

test('a file whose name does not say what it is is refused and leaves nothing', async (t) => {
  const shop = await open(t);
  for (const name of ['setup.exe', 'latest.yml', 'Vitrine-2.0-linux-x64.zip', '../../Vitrine-2.0.0-beos-x64.zip']) {
    const { status, body } = await shop.release(BYTES, name);
    assert.deepEqual([status, /^file: the name/.test(body.error)], [400, true], name);
  }
  assert.deepEqual(readdirSync(join(shop.site.data, 'updates')), []);
});

test('one screen first, then its groups, then all: each sees the release when it is its turn', async (t) => {
  const shop = await open(t);
  const release = must(await shop.release(), 201);
  const [till, door, yard] = [
    await pairPlayer(t, shop.site, shop.admin.token, 'Till'),
    await pairPlayer(t, shop.site, shop.admin.token, 'Door'),
    await pairPlayer(t, shop.site, shop.admin.token, 'Yard'),
  ];
  const group = must(await shop.call('POST', '/api/groups', { name: 'Front' }), 201).id;
  must(await shop.call('POST', `/api/groups/${group}/devices`, { device_id: door.deviceId }), 201);
  assert.equal(await offered(shop, till), null);

  const rollout = must(await shop.call('POST', '/api/updates/rollouts', { release_id: release.id, first_device_id: till.deviceId, group_ids: [group] }), 201);
  assert.deepEqual([rollout.status, rollout.stage, rollout.version], ['running', 'first', '2.0.0']);
  assert.deepEqual((await obey(till.client))['payload'], { version: '2.0.0' });
  assert.deepEqual([(await offered(shop, till)).version, await offered(shop, door), await offered(shop, till, 'mac')], ['2.0.0', null, null]);
  assert.equal((await shop.call('POST', '/api/updates/rollouts', { release_id: release.id, first_device_id: door.deviceId })).status, 409);
  assert.equal((await shop.call('DELETE', `/api/updates/releases/${release.id}`)).status, 409);
  assert.equal((await shop.release(Buffer.from('other bytes'))).status, 409);

  const [path, at] = [`/api/updates/files/${SHA256}`, rollout.id];
  const part = await fetchAs(shop, till, path, { Range: 'bytes=2-4' });
  assert.deepEqual([part.status, await part.text()], [206, 'new']);
  assert.deepEqual(Buffer.from(await (await fetchAs(shop, till, path)).arrayBuffer()), BYTES);
  assert.equal((await fetchAs(shop, door, path)).status, 404);

  const tillNow = await comeBack(t, shop, till, '2.0.0', [door.client, yard.client]);
  await obey(door.client);
  assert.equal((await rolloutUntil(shop, at, ({ stage }) => stage === 'groups')).healthy, 1);
  assert.ok(await offered(shop, door));
  const doorNow = await comeBack(t, shop, door, '2.0.0', [tillNow, yard.client]);
  await obey(yard.client);
  await comeBack(t, shop, yard, '2.0.0', [tillNow, doorNow]);
  const done = await rolloutUntil(shop, at, ({ status }) => status === 'done');
  assert.deepEqual(
    done.devices.map(({ name, stage, status, version }: any) => [name, stage, status, version]),
    [
      ['Till', 'first', 'healthy', '2.0.0'],
      ['Door', 'groups', 'healthy', '2.0.0'],
      ['Yard', 'everyone', 'healthy', '2.0.0'],
    ],
  );
  assert.equal(await offered(shop, till), null);
  const told = must(await shop.call('GET', '/api/activity')).map(({ action }: any) => action);
  assert.equal(told.filter((action: string) => action === 'device.version_installed').length, 3);
});

test('a screen that does not come up stops the rollout, and is told of', async (t) => {
  const shop = await open(t);
  const release = must(await shop.release(), 201);
  const till = await pairPlayer(t, shop.site, shop.admin.token, 'Till');
  const rollout = must(await shop.call('POST', '/api/updates/rollouts', { release_id: release.id, first_device_id: till.deviceId, minutes: 5 }), 201);
  await obey(till.client);
  shop.clock.advance(5 * 60_000);
  till.client.say({ type: 'heartbeat' });
  await till.client.next('heartbeat.ack');
  shop.site.app.updates.rollouts.look();
  const stopped = await rolloutUntil(shop, rollout.id, ({ status }) => status === 'stopped');
  assert.match(stopped.reason, /^Till did not come up with 2\.0\.0: it /);
  assert.equal(await offered(shop, till), null);
  const activity = must(await shop.call('GET', '/api/activity'));
  assert.ok(activity.some(({ action, device_id }: any) => action === 'device.version_failed' && device_id === till.deviceId));

  const again = must(await shop.call('POST', `/api/updates/rollouts/${rollout.id}/resume`));
  assert.equal(again.status, 'running');
  await obey(till.client);
  assert.equal(must(await shop.call('POST', `/api/updates/rollouts/${rollout.id}/pause`)).status, 'paused');
  assert.equal((await shop.call('POST', `/api/updates/rollouts/${rollout.id}/pause`)).status, 409);
  assert.equal(must(await shop.call('POST', `/api/updates/rollouts/${rollout.id}/abort`)).status, 'aborted');
  must(await shop.call('DELETE', `/api/updates/releases/${release.id}`));
});

test('a screen run from a checkout says that it cannot update itself', async (t) => {
  const shop = await open(t);
  const release = must(await shop.release(), 201);
  const till = await pairPlayer(t, shop.site, shop.admin.token, 'Till');
  const rollout = must(await shop.call('POST', '/api/updates/rollouts', { release_id: release.id, first_device_id: till.deviceId }), 201);
  await obey(till.client, 'unsupported');
  const stopped = await rolloutUntil(shop, rollout.id, ({ status }) => status === 'stopped');
  assert.equal(stopped.reason, 'Till cannot update itself: choose another first screen.');
});

test('electron-updater finds its list and its file at /updates, with the screen’s credential only', async (t) => {
  const shop = await open(t);
  const release = must(await shop.release(), 201);
  must(await shop.release(BYTES, 'Vitrine-2.0.0-linux-x64.AppImage'), 201);
  const till = await pairPlayer(t, shop.site, shop.admin.token, 'Till');
  assert.equal((await fetchAs(shop, till, '/updates/latest/latest-linux.yml')).status, 404);
  must(await shop.call('POST', '/api/updates/rollouts', { release_id: release.id, first_device_id: till.deviceId }), 201);
  await obey(till.client);
  const list = await fetchAs(shop, till, '/updates/latest/latest-linux.yml');
  assert.equal(list.status, 200);
  assert.match(
    await list.text(),
    new RegExp(`^version: "2\\.0\\.0"\nfiles:\n {2}- url: "Vitrine-2\\.0\\.0-linux-x64\\.AppImage"\n {4}sha512: "${SHA512.replace(/[+/=]/g, '\\$&')}"\n`),
  );
  const file = await fetchAs(shop, till, '/updates/latest/Vitrine-2.0.0-linux-x64.AppImage', { Range: 'bytes=0-4' });
  assert.deepEqual([file.status, await file.text()], [206, 'a new']);
  assert.equal((await fetch(`${shop.site.origin}/updates/latest/latest-linux.yml`)).status, 401);
  assert.equal((await fetchAs(shop, till, '/updates/latest/..%2f..%2fvitrine.db')).status, 404);
});

test('there is no list for a platform without a file', () => {
  assert.equal(updaterList('latest-mac.yml', { version: '1.0.0', created_at: 0, files: [] }), undefined);
  assert.equal(updaterList('toString', { version: '1.0.0', created_at: 0, files: [] }), undefined);
});

test('after a restore, which brings no releases along, their files are gone from the list', async (t) => {
  const shop = await open(t);
  must(await shop.release(), 201);
  const { rmSync } = await import('node:fs');
  rmSync(join(shop.site.data, 'updates', SHA256));
  assert.ok(!existsSync(join(shop.site.data, 'updates', SHA256)));
  for (const part of shop.site.app.updates.parts) if (part.name === 'releases') await part.start();
  assert.deepEqual(must(await shop.call('GET', '/api/updates/releases'))[0].files, []);
});

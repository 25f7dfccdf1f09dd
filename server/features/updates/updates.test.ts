import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeNotes } from '../../../build/release-signing.ts';
import { type Site, startSite, TestClock, tempFolder } from '../../../test/harness.ts';
import { must, type Person, person } from '../../../test/people.ts';
import {
  connectPlayer,
  DEVICE,
  type PairedPlayer,
  type PlayerClient,
  pairPlayer,
} from '../../../test/player-client.ts';
import { newPublisher, type TestPublisher } from '../../../test/publisher.ts';
import { upload } from '../../../test/uploads.ts';

const BYTES = Buffer.from('a new version '.repeat(5_000));
const SHA256 = createHash('sha256').update(BYTES).digest('hex');
const SHA512 = createHash('sha512').update(BYTES).digest('base64');
const NAME = 'Vitrine-2.0.0-linux-x64.tar.gz';

interface Shop {
  readonly site: Site;
  readonly clock: TestClock;
  readonly admin: Person;
  readonly call: (method: string, path: string, body?: unknown) => ReturnType<Site['call']>;
  readonly publisher: TestPublisher;
  /** Uploads a file of a release, and its signature, valid or not. */
  readonly release: (bytes?: Buffer, name?: string) => ReturnType<typeof upload>;
  readonly sign: (name?: string, signature?: string) => ReturnType<typeof upload>;
  /** Uploads a file and its signature. */
  readonly signed: (bytes?: Buffer, name?: string) => ReturnType<typeof upload>;
}

const open = async (
  t: TestContext,
  { isDevelopment = false, data }: { isDevelopment?: boolean; data?: string } = {},
): Promise<Shop> => {
  const clock = new TestClock();
  const publisher = newPublisher();
  const site = await startSite(t, {
    clock,
    releaseKeys: isDevelopment ? [] : [newPublisher().publicKey, publisher.publicKey],
    ...(data !== undefined && { data }),
  });
  const admin = await person(site, 'owner@store.test');
  const send = (bytes: Buffer, name: string) =>
    upload(site, admin.token, bytes, name, { path: '/api/updates/releases' });
  const shop: Shop = {
    site,
    clock,
    admin,
    call: (method, path, body) => site.call(method, path, { token: admin.token, body }),
    publisher,
    release: (bytes = BYTES, name = NAME) => send(bytes, name),
    sign: (name = NAME, signature = publisher.sign(name, BYTES)) => send(Buffer.from(`${signature}\n`), `${name}.sig`),
    signed: async (bytes = BYTES, name = NAME) => {
      must(await shop.release(bytes, name), 201);
      return shop.sign(name, publisher.sign(name, bytes));
    },
  };
  return shop;
};

const offered = async ({ site }: Shop, player: PairedPlayer, platform = 'linux') =>
  must(await site.call('GET', `/api/updates/offer?platform=${platform}&arch=x64`, { token: player.credential })).update;
const fetchAs = ({ site }: Shop, player: PairedPlayer, path: string, headers: Record<string, string> = {}) =>
  fetch(`${site.origin}${path}`, { headers: { Authorization: `Bearer ${player.credential}`, ...headers } });

/** Answers the command with a status, as a player that has installed the version. */
const obey = async (client: PlayerClient, status = 'done') => {
  const command = await client.next('command');
  client.say({ type: 'command.result', id: command['id'], status });
  return command;
};

/**
 * The player comes back with another version and sends a heartbeat. The other players send heartbeats too, because a
 * screen without a heartbeat is offline after 45 s.
 */
const comeBack = async (
  t: TestContext,
  shop: Shop,
  player: PairedPlayer,
  version: string,
  others: readonly PlayerClient[] = [],
): Promise<PlayerClient> => {
  const client = await connectPlayer(t, shop.site);
  client.say({
    type: 'hello',
    protocol: 1,
    device_id: player.deviceId,
    secret: player.secret,
    device: { ...DEVICE, version },
  });
  const { id } = await client.next('program');
  client.say({ type: 'program.ready', id });
  shop.site.app.updates.rollouts.runDue();
  shop.clock.advance(25_000);
  for (const each of [client, ...others]) {
    each.say({ type: 'heartbeat' });
    await each.next('heartbeat.ack');
  }
  shop.site.app.updates.rollouts.runDue();
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

test('an uploaded file becomes a release, is hashed, and is stored once', async (t) => {
  const shop = await open(t);
  const first = must(await shop.release(), 201);
  assert.deepEqual([first.version, first.files.length, first.screens], ['2.0.0', 1, 0]);
  assert.deepEqual(first.files[0], {
    name: NAME,
    platform: 'linux',
    arch: 'x64',
    kind: 'tar.gz',
    size: BYTES.length,
    sha256: SHA256,
    sha512: SHA512,
    signature: null,
  });
  const second = must(await shop.release(Buffer.from('for windows'), 'Vitrine-player-2.0.0-win-x64.zip'), 201);
  assert.deepEqual([second.id, second.files.length], [first.id, 2]);
  assert.equal(readdirSync(join(shop.site.data, 'updates')).length, 2);
  must(await shop.call('DELETE', `/api/updates/releases/${first.id}`));
  assert.deepEqual(readdirSync(join(shop.site.data, 'updates')), []);
  assert.equal((await shop.call('DELETE', `/api/updates/releases/${first.id}`)).status, 404);
});

test('notes are shown only if the publisher signed them for this version, and are deleted with the release', async (t) => {
  const shop = await open(t);
  const folder = tempFolder(t);
  const name = writeNotes(folder, '2.0.0', '## 2.0.0\n<b>Brighter</b> screens', shop.publisher)!;
  const bytes = readFileSync(join(folder, name));
  const notesNow = async () => must(await shop.call('GET', '/api/updates/releases'))[0].notes;
  assert.equal((await shop.release(bytes, name)).status, 409, 'of a version that is not here');
  must(await shop.signed(), 201);
  assert.equal(await notesNow(), null);
  const changed = (change: object) => Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), ...change }));
  must(await shop.signed(BYTES, 'Vitrine-2.1.0-linux-x64.tar.gz'), 201);
  for (const [what, file] of [
    ['of nobody', changed({ signature: 'ab'.repeat(64) })],
    ['of another text', changed({ notes: 'Brighter' })],
    ['of another version', changed({ version: '2.1.0' })],
    ['with what a terminal would obey', changed({ notes: 'a\u001b[2J' })],
    ['no notes', Buffer.from('{"notes":')],
  ] as const)
    assert.equal((await shop.release(file, name)).status, 400, what);
  assert.equal((await shop.release(Buffer.alloc(200_000), name)).status, 413);
  assert.equal(must(await shop.release(bytes, name), 201).notes, '<b>Brighter</b> screens');
  writeFileSync(join(shop.site.data, 'updates', '2.0.0.notes.json'), changed({ notes: 'Other' }));
  const [, first] = must(await shop.call('GET', '/api/updates/releases'));
  assert.deepEqual([first.version, first.notes], ['2.0.0', null], 'what lies on the disk is not believed');
  must(await shop.call('DELETE', `/api/updates/releases/${first.id}`));
  assert.equal(existsSync(join(shop.site.data, 'updates', '2.0.0.notes.json')), false);
});

test('a file with an invalid name is refused and leaves no files', async (t) => {
  const shop = await open(t);
  for (const name of ['setup.exe', 'latest.yml', 'Vitrine-2.0-linux-x64.zip', '../../Vitrine-2.0.0-beos-x64.zip']) {
    const { status, body } = await shop.release(BYTES, name);
    assert.deepEqual([status, /^file: the name/.test(body.error)], [400, true], name);
  }
  assert.deepEqual(readdirSync(join(shop.site.data, 'updates')), []);
});

test('an unsigned build is not accepted as a release', async (t) => {
  const shop = await open(t);
  for (const name of [
    'Vitrine-dev-unsigned-2.0.0-linux-x64.tar.gz',
    'Vitrine-player-dev-unsigned-2.0.0-linux-x64.tar.gz.sig',
  ]) {
    const { status, body } = await shop.release(Buffer.from('a'.repeat(128)), name);
    assert.deepEqual([status, /is an unsigned development build/.test(body.error)], [400, true], name);
  }
});

test('a signature is accepted only from the publisher and for the stored file', async (t) => {
  const shop = await open(t);
  const { publisher } = shop;
  const windows = 'Vitrine-player-2.0.0-win-x64.zip';
  assert.equal((await shop.sign()).status, 409, 'not before its file');
  must(await shop.release(), 201);
  assert.equal((await shop.sign(windows)).status, 409, 'nor for another');
  const wrong: Record<string, [number, string]> = {
    'no signature': [400, 'hello'],
    'an empty one': [400, ''],
    'capital letters': [400, publisher.sign(NAME, BYTES).toUpperCase()],
    'half of one': [400, publisher.sign(NAME, BYTES).slice(64)],
    'another publisher’s': [400, newPublisher().sign(NAME, BYTES)],
    'of other bytes': [400, publisher.sign(NAME, Buffer.from('other bytes'))],
    'of another version': [400, publisher.sign(NAME, BYTES, { version: '2.0.1' })],
    'of another system': [400, publisher.sign(NAME, BYTES, { platform: 'mac' })],
    'of another architecture': [400, publisher.sign(NAME, BYTES, { arch: 'arm64' })],
    'of another kind': [400, publisher.sign(NAME, BYTES, { kind: 'AppImage' })],
    'of another part': [400, publisher.sign(NAME, BYTES, { part: 'both' })],
    'of another size': [400, publisher.sign(NAME, BYTES, { size: 1 })],
    'more than one can be': [413, 'a'.repeat(2_000)],
  };
  for (const [what, [status, signature]] of Object.entries(wrong)) {
    const answer = await shop.sign(NAME, signature);
    assert.deepEqual([answer.status, typeof answer.body.error], [status, 'string'], what);
  }
  assert.equal((await shop.sign('setup.exe')).status, 400);
  assert.equal(must(await shop.call('GET', '/api/updates/releases'))[0].files[0].signature, null);
  assert.deepEqual(readdirSync(join(shop.site.data, 'updates')), [SHA256], 'nothing of them is kept');
  const signed = must(await shop.sign(), 201);
  assert.deepEqual([signed.files[0].signature, signed.signatures_checked], [publisher.sign(NAME, BYTES), true]);
});

test('uploading the same file again keeps its signature, and uploading other bytes under the same name removes the signature', async (t) => {
  const shop = await open(t);
  const { signature } = must(await shop.signed(), 201).files[0];
  assert.equal(must(await shop.release(), 201).files[0].signature, signature);
  assert.equal(must(await shop.release(Buffer.from('other bytes')), 201).files[0].signature, null);
  assert.equal((await shop.sign(NAME, signature)).status, 400, 'it was of the bytes before');
});

test('a release without a signed file for screens cannot be rolled out', async (t) => {
  const shop = await open(t);
  const { id } = must(await shop.release(), 201);
  const till = await pairPlayer(t, shop.site, shop.admin.token, 'Till');
  const begin = () => shop.call('POST', '/api/updates/rollouts', { release_id: id, first_device_id: till.deviceId });
  assert.deepEqual(
    [(await begin()).status, /^No file of 2\.0\.0 for screens has a signature/.test((await begin()).body.error)],
    [409, true],
  );
  must(await shop.signed(Buffer.from('an installer'), 'Vitrine-2.0.0-linux-x64.deb'), 201);
  must(await shop.signed(Buffer.from('a server'), 'Vitrine-server-2.0.0-linux-x64.tar.gz'), 201);
  assert.equal((await begin()).status, 409, 'those are for people');
  must(await shop.signed(Buffer.from('for windows'), 'Vitrine-2.0.0-win-x64.zip'), 201);
  must(await begin(), 201);
  await obey(till.client);
  assert.deepEqual(
    [await offered(shop, till), (await offered(shop, till, 'win')).file.name],
    [null, 'Vitrine-2.0.0-win-x64.zip'],
  );
  assert.equal((await fetchAs(shop, till, `/api/updates/files/${SHA256}`)).status, 404);
  must(await shop.sign(), 201);
  assert.equal((await offered(shop, till)).file.signature, shop.publisher.sign(NAME, BYTES));
  assert.equal((await fetchAs(shop, till, `/api/updates/files/${SHA256}`)).status, 200);
});

test('a development server accepts any signature and says so, and a packaged server hides those of other publishers', async (t) => {
  const data = tempFolder(t);
  const shop = await open(t, { isDevelopment: true, data });
  const good = 'Vitrine-2.0.0-win-x64.zip';
  must(await shop.signed(BYTES, good), 201);
  must(await shop.release(), 201);
  const release = must(await shop.sign(NAME, 'ab'.repeat(64)), 201);
  assert.deepEqual(
    [release.signatures_checked, release.files.map(({ signature }: any) => signature !== null)],
    [false, [true, true]],
  );
  assert.equal((await shop.sign(NAME, 'hello')).status, 400);
  await shop.site.app.stop();
  const packaged = await startSite(t, { clock: shop.clock, data, releaseKeys: [shop.publisher.publicKey] });
  const [after] = must(await packaged.call('GET', '/api/updates/releases', { token: shop.admin.token }));
  assert.deepEqual(
    [after.signatures_checked, Object.fromEntries(after.files.map((file: any) => [file.name, file.signature]))],
    [true, { [good]: shop.publisher.sign(good, BYTES), [NAME]: null }],
  );
});

test('releases are served only as offers to screens, and electron-updater lists are 404', async (t) => {
  const shop = await open(t);
  const release = must(await shop.signed(), 201);
  const till = await pairPlayer(t, shop.site, shop.admin.token, 'Till');
  must(
    await shop.call('POST', '/api/updates/rollouts', { release_id: release.id, first_device_id: till.deviceId }),
    201,
  );
  await obey(till.client);
  for (const path of ['latest-linux.yml', 'latest.yml', NAME])
    assert.equal((await fetchAs(shop, till, `/updates/latest/${path}`)).status, 404, path);
});

test('a rollout goes to the first screen, its groups and all screens, and each screen gets the release in its stage', async (t) => {
  const shop = await open(t);
  const release = must(await shop.signed(), 201);
  const [till, door, yard] = [
    await pairPlayer(t, shop.site, shop.admin.token, 'Till'),
    await pairPlayer(t, shop.site, shop.admin.token, 'Door'),
    await pairPlayer(t, shop.site, shop.admin.token, 'Yard'),
  ];
  const group = must(await shop.call('POST', '/api/groups', { name: 'Front' }), 201).id;
  must(await shop.call('POST', `/api/groups/${group}/devices`, { device_id: door.deviceId }), 201);
  assert.equal(await offered(shop, till), null);

  const rollout = must(
    await shop.call('POST', '/api/updates/rollouts', {
      release_id: release.id,
      first_device_id: till.deviceId,
      group_ids: [group],
    }),
    201,
  );
  assert.deepEqual([rollout.status, rollout.stage, rollout.version], ['running', 'first', '2.0.0']);
  assert.deepEqual((await obey(till.client))['payload'], { version: '2.0.0' });
  assert.deepEqual(
    [(await offered(shop, till)).version, await offered(shop, door), await offered(shop, till, 'mac')],
    ['2.0.0', null, null],
  );
  assert.equal(
    (await shop.call('POST', '/api/updates/rollouts', { release_id: release.id, first_device_id: door.deviceId }))
      .status,
    409,
  );
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

test('a screen that does not come back online after its update stops the rollout and causes a notice', async (t) => {
  const shop = await open(t);
  const release = must(await shop.signed(), 201);
  const till = await pairPlayer(t, shop.site, shop.admin.token, 'Till');
  const rollout = must(
    await shop.call('POST', '/api/updates/rollouts', {
      release_id: release.id,
      first_device_id: till.deviceId,
      minutes: 5,
    }),
    201,
  );
  await obey(till.client);
  shop.clock.advance(5 * 60_000);
  till.client.say({ type: 'heartbeat' });
  await till.client.next('heartbeat.ack');
  shop.site.app.updates.rollouts.runDue();
  const stopped = await rolloutUntil(shop, rollout.id, ({ status }) => status === 'stopped');
  assert.match(stopped.reason, /^Till did not come up with 2\.0\.0: it /);
  assert.equal(await offered(shop, till), null);
  const activity = must(await shop.call('GET', '/api/activity'));
  assert.ok(
    activity.some(({ action, device_id }: any) => action === 'device.version_failed' && device_id === till.deviceId),
  );

  const again = must(await shop.call('POST', `/api/updates/rollouts/${rollout.id}/resume`));
  assert.equal(again.status, 'running');
  await obey(till.client);
  assert.equal(must(await shop.call('POST', `/api/updates/rollouts/${rollout.id}/pause`)).status, 'paused');
  assert.equal((await shop.call('POST', `/api/updates/rollouts/${rollout.id}/pause`)).status, 409);
  assert.equal(must(await shop.call('POST', `/api/updates/rollouts/${rollout.id}/abort`)).status, 'aborted');
  must(await shop.call('DELETE', `/api/updates/releases/${release.id}`));
});

test('a screen does not count as late while the clock is untrusted', async (t) => {
  const shop = await open(t, { data: tempFolder(t) });
  const release = must(await shop.signed(), 201);
  const till = await pairPlayer(t, shop.site, shop.admin.token, 'Till');
  const { id } = must(
    await shop.call('POST', '/api/updates/rollouts', {
      release_id: release.id,
      first_device_id: till.deviceId,
      minutes: 5,
    }),
    201,
  );
  await obey(till.client);
  await shop.site.app.stop();
  const status = (site: Site) => site.app.db.raw.prepare('SELECT status FROM rollouts WHERE id = ?').pluck().get(id);
  const years = 730 * 86_400_000;
  shop.clock.jump(years);
  const ahead = await startSite(t, {
    clock: shop.clock,
    data: shop.site.data,
    releaseKeys: [shop.publisher.publicKey],
  });
  assert.ok(ahead.app.clock.doubtful);
  ahead.app.updates.rollouts.runDue();
  assert.equal(status(ahead), 'running');
  await ahead.app.stop();
  shop.clock.jump(-years);
  const right = await startSite(t, {
    clock: shop.clock,
    data: shop.site.data,
    releaseKeys: [shop.publisher.publicKey],
  });
  right.app.updates.rollouts.runDue();
  assert.equal(status(right), 'running');
  shop.clock.advance(6 * 60_000);
  right.app.updates.rollouts.runDue();
  assert.equal(status(right), 'stopped', 'really late');
});

test('a screen that runs from a checkout reports that it cannot update itself', async (t) => {
  const shop = await open(t);
  const release = must(await shop.signed(), 201);
  const till = await pairPlayer(t, shop.site, shop.admin.token, 'Till');
  const rollout = must(
    await shop.call('POST', '/api/updates/rollouts', { release_id: release.id, first_device_id: till.deviceId }),
    201,
  );
  await obey(till.client, 'unsupported');
  const stopped = await rolloutUntil(shop, rollout.id, ({ status }) => status === 'stopped');
  assert.equal(stopped.reason, 'Till cannot update itself: choose another first screen.');
});

const namesIn = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true }).map((name) => basename(String(name))) : []).filter(
    (name) => name.length === 64,
  );

const restart = async (t: TestContext, shop: Shop): Promise<Site> => {
  await shop.site.app.stop();
  return startSite(t, { clock: shop.clock, data: shop.site.data, releaseKeys: [shop.publisher.publicKey] });
};

test('files missing after a restore are hidden, and return with their signatures when the folder is back', async (t) => {
  const shop = await open(t, { data: tempFolder(t) });
  must(await shop.signed(), 201);
  const { data } = shop.site;
  const listed = async (site: Site) =>
    must(await site.call('GET', '/api/updates/releases', { token: shop.admin.token }))[0].files.map((file: any) => [
      file.name,
      file.signature,
    ]);
  renameSync(join(data, 'updates'), join(data, 'elsewhere'));
  const without = await restart(t, shop);
  assert.deepEqual(await listed(without), []);
  await without.app.stop();
  renameSync(join(data, 'elsewhere'), join(data, 'updates'));
  assert.deepEqual(await listed(await restart(t, shop)), [[NAME, shop.publisher.sign(NAME, BYTES)]]);
});

test('release files survive when an older database is put in place and then the newer database again', async (t) => {
  const shop = await open(t, { data: tempFolder(t) });
  const { data } = shop.site;
  const [updates, aside, newer] = [join(data, 'updates'), join(data, 'updates-aside'), join(data, 'newer.db')];
  await shop.site.app.db.durable();
  shop.site.app.db.raw.prepare('VACUUM INTO ?').run(join(data, 'older.db'));
  must(await shop.signed(), 201);
  await shop.site.app.stop();
  copyFileSync(join(data, 'vitrine.db'), newer);
  copyFileSync(join(data, 'older.db'), join(data, 'vitrine.db'));
  writeFileSync(join(updates, 'half.tmp'), 'x');

  const older = await restart(t, shop);
  assert.deepEqual([namesIn(updates), namesIn(aside)], [[], [SHA256]], 'put aside, not deleted');
  assert.equal(existsSync(join(updates, 'half.tmp')), false, 'half of an upload is nobody’s');
  await older.app.updates.releases.runDue();
  shop.clock.advance(6 * 86_400_000);
  await older.app.updates.releases.runDue();
  assert.deepEqual(namesIn(aside), [SHA256]);
  await older.app.stop();

  copyFileSync(newer, join(data, 'vitrine.db'));
  const again = await restart(t, shop);
  assert.deepEqual([namesIn(updates), namesIn(aside)], [[SHA256], []]);
  const [release] = must(await again.call('GET', '/api/updates/releases', { token: shop.admin.token }));
  assert.equal(release.files[0].signature, shop.publisher.sign(NAME, BYTES));
});

test('an unreferenced release file is deleted after a week of running time', async (t) => {
  const shop = await open(t, { data: tempFolder(t) });
  const { data } = shop.site;
  mkdirSync(join(data, 'updates'), { recursive: true });
  writeFileSync(join(data, 'updates', 'a'.repeat(64)), 'x');
  const site = await restart(t, shop);
  const { releases } = site.app.updates;
  shop.clock.jump(3 * 365 * 86_400_000);
  await releases.runDue();
  shop.clock.jump(-3 * 365 * 86_400_000);
  assert.equal(namesIn(join(data, 'updates-aside')).length, 1, 'a clock that is ahead makes nothing old');
  shop.clock.advance(7 * 86_400_000);
  await releases.runDue();
  assert.deepEqual(namesIn(join(data, 'updates-aside')), []);
});

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Aedes } from 'aedes';
import { picture } from '../../test/api/media.ts';
import { firstUser, type Site, startSite, TestClock, tempFolder } from '../../test/harness.ts';
import { login, must, person } from '../../test/people.ts';
import { pairPlayer, passing, playOf, reconnect } from '../../test/player-client.ts';
import { until, upload, uploadAndVanish } from '../../test/uploads.ts';
import { firstIdAt, newId } from '../kernel/ids.ts';
import { broughtInName } from './backup/backup-files.ts';
import { dueSince } from './backup/backups.service.ts';
import { makeBackup } from './backup/make-backup.ts';
import { placeFault } from './backup/place.ts';
import { TarWriter } from './backup/tar.ts';
import { levelOf } from './disk/disk-watch.ts';
import { forecast } from './disk/forecast.ts';

const DAY_MS = 86_400_000;
const GB = 1024 ** 3;

const admin = async (site: Site) => {
  const { token, current_workspace_id } = await firstUser(site);
  return {
    token,
    workspaceId: current_workspace_id,
    call: (method: string, path: string, body?: unknown) => site.call(method, path, { token, body }),
  };
};

test('server returns its status', async (t) => {
  const site = await startSite(t);
  const { call } = await admin(site);
  const status = must(await call('GET', '/api/server/status'));
  assert.deepEqual([status.screens_total, status.storage.path], [0, site.data]);
  assert.ok(status.storage.free_bytes > 0);
});

test('daily backup is made once when it is due, and seven backups are kept with all shared media that they refer to', async (t) => {
  const clock = new TestClock(new Date(2026, 2, 10, 12).getTime());
  const site = await startSite(t, { clock });
  const { call, token } = await admin(site);
  const doomed = must(await upload(site, token, picture('old'), 'old.gif'), 201);
  for (let day = 0; day < 9; day++) {
    await site.app.upkeep.backups.runDue();
    await site.app.upkeep.backups.runDue();
    if (day === 0) {
      must(await call('DELETE', `/api/content/${doomed.id}`));
      must(await call('DELETE', '/api/bin'));
    }
    clock.advance(DAY_MS);
  }
  const { body: again } = await login(site, 'owner@store.test');
  const state = must(await site.call('GET', '/api/server/backups', { token: again.token }));
  assert.equal(state.last_error, null);
  assert.equal(state.backups.length, 7);
  assert.ok(
    state.backups.every((backup: { damage: unknown; complete: boolean }) => backup.damage === null && !backup.complete),
  );
  // Only the first two backups referred to the deleted file. Both backups are deleted now, so the file is deleted as
  // well.
  const pool = readdirSync(join(site.data, 'backups', 'media'), { recursive: true }).filter(
    (name) => String(name).length > 60,
  );
  assert.deepEqual(pool, []);

  // Rotation of daily backups does not delete an uploaded backup until its own retention is over.
  const folder = join(site.data, 'backups');
  const [newest] = state.backups;
  const brought = broughtInName(clock.now());
  renameSync(join(folder, newest.name), join(folder, brought));
  for (const [days, isThere] of [
    [29, true],
    [2, false],
  ] as const) {
    clock.advance(days * DAY_MS);
    await site.app.upkeep.backups.runDue();
    assert.equal(existsSync(join(folder, brought)), isThere, `${days} days later`);
  }
});

test('server lets people download and delete backups, but no other files', async (t) => {
  const site = await startSite(t);
  const { call, token } = await admin(site);
  const made = must(await call('POST', '/api/server/backups', { complete: true }), 201);
  const beside = must(await call('POST', '/api/server/backups', {}), 201);
  assert.deepEqual([made.complete, beside.complete], [true, false], 'complete only when asked for');
  const response = await fetch(`${site.origin}/api/server/backups/${made.name}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.deepEqual(bytes, readFileSync(join(site.data, 'backups', made.name)));
  for (const name of [
    '..%2Fvitrine.db',
    '..%5Cvitrine.db',
    'nothing.vitrine',
    '%2e%2e%2fkeys%2fserver.json',
    'a%00.vitrine',
  ])
    assert.equal((await call('GET', `/api/server/backups/${name}`)).status, 404, name);
  must(await call('DELETE', `/api/server/backups/${made.name}`));
  assert.equal((await call('DELETE', `/api/server/backups/${made.name}`)).status, 404);
});

test('browser downloads a backup, also in ranges, with a ticket in a cookie and in no address', async (t) => {
  const site = await startSite(t);
  const { call } = await admin(site);
  const { name } = must(await call('POST', '/api/server/backups', {}), 201);
  const whole = readFileSync(join(site.data, 'backups', name));
  const path = `/api/server/backups/${name}`;
  const get = (headers: Record<string, string>, at = path) => fetch(`${site.origin}${at}`, { headers });
  assert.equal((await get({})).status, 401);
  const { headers } = await call('POST', `${path}/ticket`);
  const [cookie = '', ...rules] = (headers.get('set-cookie') ?? '').split('; ');
  assert.deepEqual(rules, [`Path=${path}`, 'Max-Age=600', 'HttpOnly', 'SameSite=Strict']);
  const first = await get({ cookie });
  assert.deepEqual(Buffer.from(await first.arrayBuffer()), whole);
  const etag = first.headers.get('etag') ?? '';
  const [from, to] = [500_000, whole.length - 7];
  // Sends the request of a browser that resumes an interrupted download.
  const rest = await get({ cookie, range: `bytes=${from}-${to}`, 'if-range': etag });
  assert.deepEqual([rest.status, rest.headers.get('content-range')], [206, `bytes ${from}-${to}/${whole.length}`]);
  assert.deepEqual(Buffer.from(await rest.arrayBuffer()), whole.subarray(from, to + 1));
  assert.equal((await get({ cookie, range: `bytes=${whole.length}-` })).status, 416);
  assert.equal((await get({ cookie, 'if-none-match': etag })).status, 304);
  assert.equal((await get({ cookie: `${cookie}x` })).status, 401);
  assert.equal((await get({ cookie }, '/api/server/backups')).status, 401, 'of that address alone');
  assert.equal((await call('POST', '/api/server/backups/none.vitrine/ticket')).status, 404);
  const [log] = must(await call('GET', '/api/activity'));
  assert.deepEqual([log.action, log.details], ['backup.downloaded', name]);
});

test('uploaded backup of another computer is tested and added completely, or leaves nothing behind', async (t) => {
  const [site, other] = [await startSite(t), await startSite(t)];
  const { call, token } = await admin(site);
  const theirs = await admin(other);
  must(await theirs.call('PUT', '/api/server/settings', { name: 'Bakery North' }));
  must(await upload(other, theirs.token, picture('theirs'), 'theirs.gif'), 201);
  const { name } = must(await theirs.call('POST', '/api/server/backups', { complete: true }), 201);
  const bytes = readFileSync(join(other.data, 'backups', name));
  const bring = (file: Buffer, as = token) =>
    upload(site, as, file, 'C:\\\u202E..\\evil.vitrine', { path: '/api/server/backups/brought-in' });
  const there = () =>
    readdirSync(site.data, { recursive: true }).filter((each) => /brought-in|\.part|try-/.test(`${each}`));
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(bytes);
    copy[at] = value;
    return copy;
  };
  /** Returns a tar with these entries, none of which belongs in a backup. */
  const tarOf = (...entries: readonly [name: string, size: number, body: Buffer][]) => {
    const file = join(tempFolder(t), 'a.tar');
    const tar = new TarWriter(file, 0);
    for (const [entry, , body] of entries) tar.addBytes(entry, body);
    tar.finish();
    const made = readFileSync(file);
    let at = 0;
    // Writes the given size into the header. It may be false, because the server must not trust it.
    for (const [, size, body] of entries) {
      made.write(`${size.toString(8).padStart(11, '0')} `, at + 124);
      made.write('        ', at + 148);
      const sum = made.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
      made.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148);
      at += 512 + Math.ceil(body.length / 512) * 512;
    }
    return made;
  };
  const empty = Buffer.alloc(0);
  for (const [what, file, sentence] of [
    ['nothing', empty, /The file is empty/],
    ['a picture', picture('a'), /The file (is not a Vitrine backup|is incomplete)/],
    ['compressed', gzipSync(Buffer.alloc(50_000_000)), /The file is not a Vitrine backup/],
    ['cut off', bytes.subarray(0, bytes.length - 4096), /The file is incomplete/],
    ['rotten', changed(1_500, bytes[1_500]! ^ 1), /The database in The file is damaged/],
    [
      'names that lead elsewhere',
      tarOf(['../../keys/server.json', 3, Buffer.from('abc')]),
      /does not belong in a backup/,
    ],
    ['more than it holds', tarOf(['vitrine.db', 8 ** 11 - 1, empty]), /The file is incomplete/],
    ['a manifest of gigabytes', tarOf(['manifest.json', 8 ** 11 - 1, empty]), /is not a Vitrine backup/],
    ['a key of gigabytes', tarOf(['keys/server.json', 8 ** 10, empty]), /key file that is too large/],
    ['one name twice', tarOf(['keys/a', 0, empty], ['keys/a', 0, empty]), /twice/],
  ] as const) {
    const refused = await bring(file);
    assert.equal(refused.status, 400, `${what}: ${JSON.stringify(refused.body)}`);
    assert.match(refused.body.error, sentence, what);
    assert.doesNotMatch(refused.body.error, /\.part|brought-in/, what);
    assert.deepEqual(there(), [], what);
  }
  assert.equal((await bring(bytes, (await person(site, 'guest@store.test')).token)).status, 403);
  await uploadAndVanish(site, token, bytes.subarray(0, 100_000), '/api/server/backups/brought-in');
  await until(
    async () => there(),
    (left) => left.length === 0,
  );

  // Waits, because the server may still be removing the interrupted upload.
  const brought = must(
    await until(
      () => bring(bytes),
      ({ status }) => status !== 409,
    ),
    201,
  );
  assert.deepEqual(
    [brought.brought_in, brought.foreign, brought.server_name, brought.complete, brought.media_missing],
    [1, 1, 'Bakery North', true, 0],
  );
  assert.ok(Math.abs(brought.kept_until - (Date.now() / 1000 + 30 * 86_400)) < 60);
  const [listed] = must(await call('GET', '/api/server/backups')).backups;
  assert.deepEqual(listed, brought);
  assert.deepEqual(readFileSync(join(site.data, 'backups', brought.name)), bytes);
  assert.equal(must(await call('POST', `/api/server/backups/${brought.name}/test`)).media_missing, 0);
  const again = await bring(bytes);
  assert.equal(again.status, 409);
  assert.match(again.body.error, new RegExp(`already on the server: ${brought.name}`));
  assert.deepEqual(there(), [join('backups', brought.name)]);
});

test('restore needs no password right after sign-in, but needs one later, and a client cannot bypass this proof', async (t) => {
  const clock = new TestClock(Date.now());
  const site = await startSite(t, { clock });
  const { call, token, workspaceId } = await admin(site);
  const { name } = must(await call('POST', '/api/server/backups', {}), 201);
  // The test server cannot be restarted, so the answer 409 shows that the proof was accepted.
  const restore = async (session: string, password?: string) => {
    const body = password === undefined ? {} : { password };
    const answer = await site.call('POST', `/api/server/backups/${name}/restore`, { token: session, body });
    return answer.body.code ?? answer.status;
  };
  const proof = async () => must(await call('GET', '/api/server/backups')).proof;
  assert.deepEqual([await proof(), await restore(token)], ['none', 409]);
  assert.equal(await restore(token, 'a wrong horse'), 'wrong_password', 'what is sent is checked');
  clock.advance(15 * 60_000);
  assert.deepEqual([await proof(), await restore(token)], ['password', 'password_required']);
  assert.equal(await restore(token, 'correct horse'), 409);
  const moved = must(await call('POST', '/api/auth/switch-workspace', { workspace_id: workspaceId })).token;
  assert.equal(await restore(moved), 'password_required', 'another workspace is no sign-in');
  assert.equal(await restore(must(await login(site, 'owner@store.test')).token), 409);
  // Simulates a person who signs in through a sign-in provider and has no password here.
  site.app.db.raw.exec("UPDATE users SET password_hash = NULL, auth_provider = 'provider_a'");
  assert.equal(await proof(), 'sign_in');
  const refused = await call('POST', `/api/server/backups/${name}/restore`, {});
  assert.deepEqual([refused.status, refused.body.code], [401, 'sign_in_again']);
  clock.jump(-3_600_000);
  assert.equal(await proof(), 'sign_in', 'a session of the future is none that has just begun');
});

test('backups go to the chosen folder, but not to the empty folder that an unplugged disk leaves behind', async (t) => {
  const site = await startSite(t);
  const { call } = await admin(site);
  const disk = tempFolder(t);
  for (const wrong of ['relative', '/nowhere/at/all', join(site.data, 'vitrine.db')])
    assert.equal((await call('PUT', '/api/server/upkeep', { backup_folder: wrong })).status, 400, wrong);
  must(await call('PUT', '/api/server/upkeep', { backup_folder: disk }));
  must(await call('POST', '/api/server/backups', {}), 201);
  assert.equal(readdirSync(disk).filter((name) => name.endsWith('.vitrine')).length, 1);
  rmSync(disk, { recursive: true });
  mkdirSync(disk);
  const failed = await call('POST', '/api/server/backups', {});
  assert.equal(failed.status, 500);
  assert.match(failed.body.error, /Check whether its disk is connected/);
  assert.deepEqual(readdirSync(disk), []);
  const { problems } = must(await call('GET', '/api/server/status'));
  assert.ok(problems.some(({ code }: { code: string }) => code === 'backup_failed'));
});

test('daily backup is made at the chosen hour in the server’s time zone', () => {
  const at = (h: number, m = 0) => new Date(2026, 2, 10, h, m).getTime();
  assert.equal(dueSince(at(12), 3), at(3));
  assert.equal(dueSince(at(2, 59), 3), new Date(2026, 2, 9, 3).getTime());
  assert.equal(dueSince(at(3), 3), at(3));
});

test('old records are deleted in small steps, and sums of plays and newer records are kept', async (t) => {
  const clock = new TestClock(Date.UTC(2028, 0, 1));
  const site = await startSite(t, { clock });
  const { call, token, workspaceId } = await admin(site);
  const till = await pairPlayer(t, site, token);
  const { db } = site.app;
  const oldPlay = db.raw.prepare(
    "INSERT INTO old_plays (id, play_id, workspace_id, device_id, device_name, content_name, started_ms, ended_ms, completed, seq) VALUES (?, ?, ?, ?, 'Till', 'a', ?, ?, 1, 1)",
  );
  const play = db.raw.prepare(
    'INSERT INTO play_log (id, play_id, workspace, device, shown, turn, started_ms, lasted_ms, completed, seq) VALUES (?, ?, 901, 902, 900, 1, ?, 1000, 1, 1)',
  );
  const ages = [500, 401, 399, 1].flatMap((age) => Array.from({ length: 450 }, () => age));
  db.write(() => {
    // An older version of Vitrine received every second play.
    for (const [i, age] of ages.entries()) {
      const started = clock.now() - age * DAY_MS;
      if (i % 2 === 0) oldPlay.run(i, `p${i}`, workspaceId, till.deviceId, started, started + 1000);
      else play.run(i, `p${i}`, started);
    }
    for (const age of [31, 29])
      db.raw
        .prepare('INSERT INTO telemetry (device_id, reported_at) VALUES (?, ?)')
        .run(till.deviceId, Math.floor((clock.now() - age * DAY_MS) / 1000));
    for (const age of [401, 399])
      db.raw
        .prepare(
          "INSERT INTO activity (id, workspace_id, user_name, action, details, created_at) VALUES (?, ?, '', 'x.y', '', 1)",
        )
        .run(newId(clock.now() - age * DAY_MS), workspaceId);
    const subject = db.raw.prepare(
      'INSERT INTO play_subjects (id, workspace_id, kind, ref, name, named_ms) VALUES (?, ?, ?, ?, ?, 1)',
    );
    subject.run(900, workspaceId, 'other', 'a', 'a');
    subject.run(901, workspaceId, 'workspace', '', '');
    subject.run(902, workspaceId, 'device', till.deviceId, 'Till');
    db.raw
      .prepare('INSERT INTO play_sums (scope_id, series, bucket, subject_id, plays, ms) VALUES (900, 1, 1, 0, 5, 5)')
      .run();
  });
  await db.durable();
  const logs = join(site.data, 'logs');
  for (const [name, age] of Object.entries({ '20270101-1200-01-server.log': 15, '20271231-1200-01-server.log': 13 })) {
    writeFileSync(join(logs, name), 'x');
    utimesSync(join(logs, name), new Date(clock.now() - age * DAY_MS), new Date(clock.now() - age * DAY_MS));
  }
  await site.app.upkeep.retention.sweep();
  const count = (sql: string) => db.raw.prepare(sql).pluck().get();
  assert.equal(count('SELECT count(*) FROM plays'), 900);
  assert.equal(count('SELECT count(*) FROM play_sums WHERE scope_id = 900'), 1);
  const older = (days: number) =>
    count(`SELECT count(*) FROM telemetry WHERE reported_at < ${Math.floor(clock.now() / 1000) - days * 86_400}`);
  assert.deepEqual([older(30), older(28)], [0, 1]);
  assert.equal(count("SELECT count(*) FROM activity WHERE action = 'x.y'"), 1);
  assert.deepEqual(
    readdirSync(logs).filter((name) => name.startsWith('20')),
    ['20271231-1200-01-server.log'],
  );

  must(await call('PUT', '/api/server/upkeep', { plays_days: 30 }));
  await site.app.upkeep.retention.sweep();
  assert.equal(count('SELECT count(*) FROM plays'), 450);
  assert.equal((await call('PUT', '/api/server/upkeep', { plays_days: 0 })).status, 400);
});

test('firstIdAt sorts before all ids created after that instant', () => {
  const at = Date.UTC(2026, 5, 1);
  const uuid = (ms: number) =>
    `${ms.toString(16).padStart(12, '0').slice(0, 8)}-${ms.toString(16).padStart(12, '0').slice(8)}-7fff-bfff-ffffffffffff`;
  assert.ok(uuid(at - 1) < firstIdAt(at));
  assert.ok(firstIdAt(at) < uuid(at));
});

test('disk forecast uses the last weeks, and is null with too little data', () => {
  const grown = Array.from({ length: 40 }, (_, i) => ({ day: 100 + i, bytes: i < 10 ? 0 : (i - 9) * GB }));
  assert.deepEqual(forecast(grown, 10 * GB), { growth: GB, fullInDays: 10 });
  assert.deepEqual(forecast(grown.slice(0, 2), 10 * GB), { growth: null, fullInDays: null });
  assert.deepEqual(
    forecast(
      [
        { day: 1, bytes: 5 },
        { day: 9, bytes: 5 },
      ],
      10,
    ),
    { growth: 0, fullInDays: null },
  );
  assert.equal(levelOf(100 * GB, 200 * GB, null), 'ok');
  assert.equal(levelOf(100 * GB, 200 * GB, 13), 'low');
  assert.equal(levelOf(GB, 200 * GB, null), 'low');
  assert.equal(levelOf(10 * 1024 * 1024, 200 * GB, null), 'full');
});

/** Starts a receiver of webhooks, for example a fake Home Assistant. */
const receiver = async (t: TestContext) => {
  const got: { headers: IncomingMessage['headers']; body: string }[] = [];
  let answer = 200;
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (text: string) => (body += text));
    req.on('end', () => {
      got.push({ headers: req.headers, body });
      res.writeHead(answer).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return {
    got,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answer: (status: number) => (answer = status),
  };
};

test('webhook receives signed notices of screens and plays, and failed notices are retried and then dropped', async (t) => {
  const clock = new TestClock(Date.now());
  const site = await startSite(t, { clock });
  const { call, token } = await admin(site);
  const hook = await receiver(t);
  const settings = must(
    await call('PUT', '/api/server/upkeep', {
      webhook_url: hook.url,
      webhook_secret: 'between us',
      webhook_plays: true,
    }),
  );
  assert.equal(settings.webhook_secret_set, 1);
  assert.equal(
    JSON.stringify(site.app.db.raw.prepare('SELECT * FROM settings').all()).includes('between us'),
    false,
    'it is encrypted',
  );
  assert.doesNotMatch(JSON.stringify(settings), /between us/);
  const till = await pairPlayer(t, site, token, 'Till');
  await until(
    async () => hook.got.length,
    (n) => n === 1,
  );
  const { headers, body } = hook.got[0]!;
  const notice = JSON.parse(body);
  assert.deepEqual([notice.type, notice.screen.id, notice.screen.name], ['screen.online', till.deviceId, 'Till']);
  const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-vitrine-signature']))!;
  assert.equal(signature, createHmac('sha256', 'between us').update(`${at}.${body}`).digest('hex'));
  const one = playOf({ id: 'play-1', started_at: clock.now() - 5000, ended_at: clock.now() });
  till.client.say({ type: 'plays', first: 1, plays: [one] });
  await until(
    async () => hook.got.length,
    (n) => n === 2,
  );
  assert.deepEqual(
    JSON.parse(hook.got[1]!.body).plays.map((play: { id: string }) => play.id),
    ['play-1'],
  );
  hook.answer(500);
  assert.match(must(await call('POST', '/api/server/upkeep/test')).webhook, /answered 500/);
});

/** Adds screens that were connected a long time ago. Returns their ids. */
const addScreens = (site: Site, workspaceId: string, count: number): string[] => {
  const { db } = site.app;
  const insert = db.raw.prepare(
    "INSERT INTO devices (id, workspace_id, name, last_heartbeat, secret_hash, timezone, created_at, updated_at) VALUES (@id, @workspaceId, @id, 1000, @id, 'UTC', 1, 1)",
  );
  const ids = Array.from({ length: count }, (_, n) => `screen-${n}`);
  db.write(() => {
    for (const id of ids) insert.run({ id, workspaceId });
  });
  return ids;
};

test('MQTT broker retains the status of each screen, and gets a message when the server is gone', async (t) => {
  const broker = await Aedes.createBroker();
  const listener = createTcp(broker.handle);
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(() => {
    listener.close();
    broker.close();
  });
  const said = new Map<string, string>();
  broker.on('publish', (packet: { topic: string; payload: Buffer | string }) =>
    said.set(packet.topic, packet.payload.toString()),
  );
  const site = await startSite(t);
  const { call, token, workspaceId } = await admin(site);
  const till = await pairPlayer(t, site, token, 'Till');
  const many = addScreens(site, workspaceId, 1_500);
  must(
    await call('PUT', '/api/server/upkeep', {
      mqtt_url: `mqtt://127.0.0.1:${(listener.address() as AddressInfo).port}`,
      mqtt_topic: 'shop/signs',
      mqtt_plays: 1,
    }),
  );
  await until(
    async () => said.get(`shop/signs/screen/${till.deviceId}`),
    (found) => found !== undefined,
  );
  assert.equal(JSON.parse(said.get(`shop/signs/screen/${till.deviceId}`)!).status, 'online');
  await until(
    async () => many.filter((id) => said.has(`shop/signs/screen/${id}`)).length,
    (n) => n === many.length,
  );
  assert.equal(said.get('shop/signs/server'), 'online');
  assert.equal(must(await call('POST', '/api/server/upkeep/test')).mqtt, 'Delivered');
  till.client.say({
    type: 'plays',
    first: 1,
    plays: [playOf({ id: 'p' })],
  });
  await until(
    async () => said.get(`shop/signs/plays/${till.deviceId}`),
    (found) => found !== undefined,
  );
  // After a change of the topic, the broker has the message under the old topic that the server is gone.
  must(await call('PUT', '/api/server/upkeep', { mqtt_topic: 'shop/screens' }));
  await until(
    async () => said.get(`shop/screens/screen/${till.deviceId}`),
    (found) => found !== undefined,
  );
  assert.equal(said.get('shop/signs/server'), 'offline');
  must(await call('DELETE', `/api/devices/${till.deviceId}`));
  await until(
    async () => said.get(`shop/screens/screen/${till.deviceId}`),
    (found) => found === '',
  );
  await site.app.stop();
  assert.equal(said.get('shop/screens/server'), 'offline');
});

test('screen that is offline for long is reported once, and again when it is back online', async (t) => {
  const clock = new TestClock(Date.now());
  const site = await startSite(t, { clock });
  const { call, token, workspaceId } = await admin(site);
  const hook = await receiver(t);
  const till = await pairPlayer(t, site, token, 'Till');
  must(await call('PUT', '/api/server/upkeep', { webhook_url: hook.url, dark_minutes: 10 }));
  const types = () => hook.got.map(({ body }) => JSON.parse(body).type as string);
  const { dark, webhook } = site.app.upkeep;
  till.client.socket.terminate();
  await passing(
    clock,
    20_000,
    until(
      async () => types().length,
      (n) => n === 1,
    ),
  );
  assert.deepEqual(types(), ['screen.offline']);
  clock.advance(9 * 60_000);
  dark.check();
  clock.advance(2 * 60_000);
  dark.check();
  dark.check();
  await webhook.idle();
  assert.deepEqual(types(), ['screen.offline', 'screen.dark']);
  await reconnect(t, site, till);
  dark.check();
  dark.check();
  await webhook.idle();
  assert.deepEqual(types(), ['screen.offline', 'screen.dark', 'screen.online', 'screen.back']);
  // Many screens that go offline at once cause one webhook call.
  hook.got.length = 0;
  addScreens(site, workspaceId, 300);
  dark.check();
  await webhook.idle();
  const [{ type, screen, screens, count }] = hook.got.map(({ body }) => JSON.parse(body));
  assert.deepEqual([hook.got.length, type, count, screens.length], [1, 'screen.dark', 300, 100]);
  assert.deepEqual([screen.id, screens[0].id, typeof screens[0].offline_since], ['screen-0', 'screen-0', 'string']);
});

test('missing and damaged media are found and named, and count as no problem after their repair', async (t) => {
  const site = await startSite(t);
  const { call, token } = await admin(site);
  const image = must(await upload(site, token, picture('a'), 'offer.gif'), 201);
  const path = join(site.data, 'media', image.sha256.slice(0, 2), image.sha256);
  const problems = async () =>
    must(await call('GET', '/api/server/status')).problems.filter(({ code }: { code: string }) =>
      code.startsWith('media'),
    );
  const bytes = readFileSync(path);
  bytes[10]! ^= 1;
  writeFileSync(path, bytes);
  await site.app.upkeep.media.runDue();
  const [damaged] = await problems();
  assert.equal(damaged.code, 'media_damaged');
  assert.match(damaged.text, /offer\.gif/);
  rmSync(path);
  await site.app.upkeep.media.runDue();
  assert.equal((await problems())[0].code, 'media_missing');
  must(await upload(site, token, picture('a'), 'offer.gif'), 201);
  assert.ok(existsSync(path));
  await site.app.upkeep.media.runDue();
  assert.deepEqual(await problems(), []);
});

test('metrics are available on this machine, and in the network only if an administrator enables this', async (t) => {
  const [closed, open] = [await startSite(t), await startSite(t, { env: { VITRINE_METRICS: '1' } })];
  const text = await (await fetch(`${closed.origin}/metrics`)).text();
  assert.match(text, /^vitrine_screens_online 0$/m);
  assert.equal((await fetch(`${closed.origin}/metrics`, { headers: { 'X-Forwarded-For': '10.0.0.1' } })).status, 403);
  assert.equal((await fetch(`${open.origin}/metrics`, { headers: { 'X-Forwarded-For': '10.0.0.1' } })).status, 200);
});

test('folder for backups is refused if the server serves or uses it, by whatever path it is named', async (t) => {
  const site = await startSite(t);
  const { call } = await admin(site);
  const elsewhere = tempFolder(t);
  const dist = join(import.meta.dirname, '..', '..', 'dist', 'player');
  const wrong = ['', 'media', 'media/ab', 'pages', 'updates', 'keys', 'logs'].map((name) => join(site.data, name));
  for (const folder of wrong) mkdirSync(folder, { recursive: true });
  const links = wrong.map((folder, i) => {
    const link = join(elsewhere, `link-${i}`);
    symlinkSync(folder, link, 'junction');
    return link;
  });
  mkdirSync(join(site.data, 'media', 'ab', 'deep'), { recursive: true });
  for (const folder of [
    ...wrong,
    ...links,
    join(links[1]!, 'ab', 'deep'),
    join(site.data, 'backups', '..', 'media'),
    ...(existsSync(dist) ? [dist] : []),
  ]) {
    const refused = await call('PUT', '/api/server/upkeep', { backup_folder: folder });
    assert.deepEqual(
      [refused.status, /backup_folder: .*Choose another folder/.test(refused.body.error)],
      [400, true],
      folder,
    );
  }
  assert.deepEqual(
    readdirSync(join(site.data, 'media'), { recursive: true }).filter((name) => String(name).includes('vitrine')),
    [],
  );
  must(await call('PUT', '/api/server/upkeep', { backup_folder: elsewhere }));
  must(await call('POST', '/api/server/backups', {}), 201);

  // Creates a link, so that the data folder has a second path.
  const alias = join(elsewhere, 'store');
  symlinkSync(site.data, alias, 'junction');
  assert.match(placeFault(join(site.data, 'media'), alias) ?? '', /which the server uses/);
  assert.match(placeFault(site.data, alias) ?? '', /the data folder itself/);
  assert.equal(placeFault(join(site.data, 'backups'), alias), undefined);

  // Simulates a folder that became forbidden after it was chosen.
  const moved = join(tempFolder(t), 'disk');
  mkdirSync(moved);
  must(await call('PUT', '/api/server/upkeep', { backup_folder: moved }));
  rmSync(moved, { recursive: true });
  symlinkSync(join(site.data, 'pages'), moved, 'junction');
  writeFileSync(join(site.data, 'pages', 'vitrine-backups-here'), '');
  const failed = await call('POST', '/api/server/backups', {});
  assert.deepEqual([failed.status, /Choose another folder/.test(failed.body.error)], [500, true]);
  await assert.rejects(
    makeBackup({ data: site.data, target: join(site.data, 'media', 'new', 'a.vitrine'), media: 'inside', now: 1 }),
    /which the server uses or hands out/,
  );
  assert.equal(existsSync(join(site.data, 'media', 'new')), false);
});

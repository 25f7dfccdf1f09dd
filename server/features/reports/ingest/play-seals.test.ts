import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { genesis, rowHash, sealText } from '../../../../shared/protocol/journal-chain.ts';
import type { Play } from '../../../../shared/protocol/messages.ts';
import type { Verdict } from '../../../../shared/protocol/verify.ts';
import { ownedSite, type Site, TestClock, tempFolder } from '../../../../test/harness.ts';
import { connectPlayer, DEVICE, pairPlayer, playOf } from '../../../../test/player-client.ts';
import { verify as verifyCommand } from '../../../cli/verify.ts';
import { SealCountStore } from '../proof/seal-count.store.ts';
import { OldPlaysStore } from './plays-conversion.store.ts';
import { PlaysConversion } from './plays-conversion.ts';
import { PlaysIngestStore } from './plays-ingest.store.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Sets up a player with a signed journal. The player can send any range of the journal. */
const setUp = async (t: TestContext) => {
  const clock = new TestClock();
  const { site, token } = await ownedSite(t, { clock });
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const paired = await pairPlayer(t, site, token, 'Till');
  const client = await connectPlayer(t, site);
  client.say({
    type: 'hello',
    protocol: 1,
    device_id: paired.deviceId,
    secret: paired.secret,
    device: DEVICE,
    signing_key: key,
  });
  await client.next('program');
  const rows: Play[] = [];
  const hashes = [genesis(sha256, key)];
  const show = (count: number, content_id = 'sale') => {
    for (let i = 0; i < count; i++) {
      const started_at = clock.now() - 1_000_000 + rows.length * 10_000;
      const play = {
        ...playOf({ content_id, content_name: 'Sale', started_at, ended_at: started_at + 10_000 }),
        boot_id: 'boot',
        uncertainty_ms: 0.3,
      };
      rows.push(play);
      hashes.push(rowHash(sha256, { ...play, seq: rows.length, prev: hashes.at(-1) ?? '' }));
    }
  };
  /** Sends journal numbers from `first` through `through`. */
  const send = async (first: number, through: number) => {
    const head = hashes[through] ?? '';
    const signature = sign(null, Buffer.from(sealText({ seq: through, hash: head })), privateKey).toString('hex');
    client.say({
      type: 'plays',
      first,
      plays: rows.slice(first - 1, through),
      chain: { prev: hashes[first - 1], head, signature },
    });
    await client.next('plays.ack');
  };
  return { site, token, clock, key, deviceId: paired.deviceId, show, send };
};

/** Returns the export of these days from the endpoint. The next function runs the verify command on it. */
const exported = async ({ site, token }: { site: Site; token: string }, query = ''): Promise<string[]> => {
  const { status, headers, ...answer } = await fetch(`${site.origin}/api/reports/export?format=jsonl${query}`, {
    headers: { Authorization: `Bearer ${token}` },
  }).then(async (response) => ({ status: response.status, headers: response.headers, body: await response.text() }));
  assert.equal(status, 200, answer.body);
  assert.equal(headers.get('content-type'), 'application/jsonl; charset=utf-8');
  return answer.body.trimEnd().split('\n');
};
const verdictOn = async (
  t: TestContext,
  lines: readonly string[],
  server?: string,
): Promise<Verdict & { exit: number }> => {
  const file = join(tempFolder(t), 'report.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { result, exit } = await verifyCommand.run(
    { names: [file], text: () => server, isSet: () => false, data: '' },
    { json: true, print: () => {} },
  );
  return { ...(result as Verdict), exit: exit ?? 0 };
};

test('the export proves signed plays, regardless of how the player split them into messages', async (t) => {
  const store = await setUp(t);
  const { site, show, send } = store;
  show(20);
  await send(1, 3);
  await send(4, 4);
  // The player did not get the answer, so it sends play 4 again, together with newer plays.
  await send(4, 9);
  await send(1, 3);
  // Play 10 is never sent, as if the player had deleted it from a full journal.
  await send(11, 20);
  const verdict = await verdictOn(t, await exported(store), site.app.identity.fingerprint);
  assert.deepEqual(
    [verdict.exit, verdict.plays, verdict.devices[0]?.device_name, verdict.devices[0]?.signed, verdict.server],
    [3, 19, 'Till', 19, site.app.identity.fingerprint],
  );
  assert.deepEqual(
    verdict.problems.map(({ kind, message }) => [kind, message]),
    [['missing', 'play 10 of Till is missing']],
  );
  assert.equal(
    (site.app.db.raw.prepare('SELECT count(*) AS n FROM play_seals').get() as { n: number }).n,
    2,
    'a stretch grows while it goes on',
  );
});

test('the CSV of missing plays names the screen and the numbers that the server does not have', async (t) => {
  const store = await setUp(t);
  const { site, token, show, send } = store;
  const missing = async (query = '') => {
    const { headers, ...answer } = await fetch(`${site.origin}/api/reports/export?format=missing${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    }).then(async (response) => ({ headers: response.headers, body: await response.text() }));
    assert.match(headers.get('content-disposition') ?? '', /missing-.*\.csv/);
    return answer.body.split('\n').map((line) => line.split(',').slice(0, 4).join());
  };
  const head = 'Screen,First missing,Last missing,Plays missing';
  show(30);
  await send(1, 9);
  assert.deepEqual(await missing(), [head, '']);
  // Plays 10 to 12 are never sent, and play 20 is deleted from the database.
  await send(13, 30);
  site.app.db.raw.prepare('DELETE FROM play_log WHERE seq = 20').run();
  assert.deepEqual(await missing(), [head, 'Till,10,12,3', 'Till,20,20,1', '']);
  assert.deepEqual(await missing('&content_id=sale'), [head, 'Till,10,12,3', 'Till,20,20,1', '']);
  assert.deepEqual(await missing(`&device_id=${store.deviceId}`), [head, 'Till,10,12,3', 'Till,20,20,1', '']);
});

test('a report of one content marks other plays of the same signed group, and contains its number of signatures', async (t) => {
  const store = await setUp(t);
  store.show(4);
  store.show(2, 'cola');
  await store.send(1, 6);
  const lines = await exported(store, '&content_id=cola');
  const plays = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'play');
  assert.deepEqual(
    plays.map(({ content_id, context }) => [content_id, context === true]),
    [...Array(4).fill(['sale', true]), ...Array(2).fill(['cola', false])],
  );
  const verdict = await verdictOn(t, lines, store.site.app.identity.fingerprint);
  assert.deepEqual([verdict.exit, verdict.problems, verdict.devices[0]?.signed], [0, [], 6]);
  const { raw } = store.site.app.db;
  const { workspace_id, device_id } = raw.prepare('SELECT workspace_id, device_id FROM play_seals').get() as {
    workspace_id: string;
    device_id: string;
  };
  const seals = new SealCountStore(raw);
  const ever = { start: 0, end: Number.MAX_SAFE_INTEGER };
  assert.equal(seals.count(workspace_id, [device_id], ever), 1);
  assert.equal(seals.count(workspace_id, ['another'], ever), 0);
  assert.equal(seals.count(workspace_id, [device_id], { start: 0, end: 1 }), 0);
});

test('verification finds a removed, changed, repeated or moved row, and the removal of a whole screen', async (t) => {
  const store = await setUp(t);
  store.show(12);
  await store.send(1, 6);
  await store.send(7, 12);
  const lines = await exported(store);
  assert.deepEqual(
    await verdictOn(t, lines).then(({ exit, problems, devices }) => [exit, problems, devices[0]?.signed]),
    [0, [], 12],
  );
  const rows = lines.flatMap((line, i) => (line.includes('"type":"play"') ? [i] : []));
  assert.equal(rows.length, 12);
  const end = JSON.parse(lines.at(-1)!);
  /** A forger corrects the count and removes the server's signature. */
  const recounted = (some: readonly string[]) => [
    ...some.slice(0, -1),
    JSON.stringify({ type: 'end', plays: some.filter((line) => line.includes('"type":"play"')).length }),
  ];
  for (const [n, row] of rows.entries()) {
    const changed = JSON.stringify({ ...JSON.parse(lines[row]!), content_name: 'Winter sale' });
    const wrongs = {
      removed: lines.toSpliced(row, 1),
      changed: lines.with(row, changed),
      repeated: lines.toSpliced(row, 0, lines[row]!),
      ...(n > 0 && { moved: lines.with(row, lines[row - 1]!).with(row - 1, lines[row]!) }),
    };
    for (const [what, wrong] of Object.entries(wrongs)) {
      assert.equal((await verdictOn(t, wrong)).exit, 3, `row ${n + 1} ${what}`);
      // The first row may be the start of the period, so its removal is only found with the server’s signature.
      if (n > 0 || what !== 'removed')
        assert.equal((await verdictOn(t, recounted(wrong))).exit, 3, `row ${n + 1} ${what}, the end forged`);
    }
  }
  const nothing = [JSON.stringify({ ...end, plays: 0 })];
  assert.deepEqual(
    (await verdictOn(t, nothing)).problems.map(({ kind }) => kind),
    ['unsigned'],
  );
  const unsigned = recounted(nothing);
  assert.equal((await verdictOn(t, unsigned)).server, null);
  assert.deepEqual(
    (await verdictOn(t, unsigned, store.site.app.identity.fingerprint)).problems.map(({ kind }) => kind),
    ['unsigned'],
  );
});

test('a report of a period contains whole signed groups of plays, and verify finds a row changed in the database', async (t) => {
  const store = await setUp(t);
  const { site, clock, show, send } = store;
  show(10);
  await send(1, 10);
  const from = new Date(clock.now() - 1_000_000 + 45_000).toISOString();
  const until = new Date(clock.now() - 1_000_000 + 65_000).toISOString();
  const lines = await exported(store, `&start=${from}&end=${until}`);
  const plays = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'play');
  assert.deepEqual([plays.length, plays.filter(({ context }) => !context).map(({ seq }) => seq)], [10, [6, 7]]);
  assert.equal((await verdictOn(t, lines)).exit, 0);
  site.app.db.raw.prepare('UPDATE play_log SET lasted_ms = lasted_ms + 1 WHERE seq = 3').run();
  const after = await verdictOn(t, await exported(store));
  assert.deepEqual([after.exit, after.problems.map(({ kind }) => kind)], [3, ['forged']]);
});

test('signed plays verify before, during and after the move of plays from an older version', async (t) => {
  const store = await setUp(t);
  const { db } = store.site.app;
  store.show(14);
  await store.send(1, 6);
  await store.send(7, 12);
  db.write(() =>
    db.raw.exec('INSERT INTO old_plays SELECT * FROM plays; DELETE FROM play_log; DELETE FROM play_turns'),
  );
  await store.send(13, 14);
  const rows = async () => (await exported(store)).filter((line) => line.includes('"type":"play"'));
  const before = await rows();
  assert.equal(before.length, 14);
  const conversion = new PlaysConversion({
    db,
    clock: store.clock,
    store: new PlaysIngestStore(db),
    old: new OldPlaysStore(db),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  do {
    await db.durable();
    const { exit, problems, devices } = await verdictOn(t, await exported(store));
    assert.deepEqual([exit, problems, devices[0]?.signed], [0, [], 14]);
    assert.deepEqual(await rows(), before);
  } while (conversion.step(5));
});

test('a report contains plays without a signature, and splits a journal of thousands of plays into signed groups', async (t) => {
  const store = await setUp(t);
  const { site, clock, token, show, send } = store;
  show(2_600);
  for (let first = 1; first <= 2_600; first += 200) await send(first, first + 199);
  const old = await pairPlayer(t, site, token, 'Old player');
  const client = await connectPlayer(t, site);
  client.say({ type: 'hello', protocol: 1, device_id: old.deviceId, secret: old.secret, device: DEVICE });
  await client.next('program');
  const started_at = clock.now() - 60_000;
  const play = playOf({ content_name: 'Sale', started_at, ended_at: started_at + 10_000 });
  client.say({ type: 'plays', first: 1, plays: [play] });
  await client.next('plays.ack');
  const verdict = await verdictOn(t, await exported(store));
  assert.deepEqual(
    [
      verdict.exit,
      verdict.plays,
      Object.fromEntries(verdict.devices.map(({ device_name, plays, signed }) => [device_name, [plays, signed]])),
    ],
    [0, 2_601, { Till: [2_600, 2_600], 'Old player': [1, 0] }],
  );
  const ofOne = await exported(store, `&device_id=${old.deviceId}`);
  assert.equal(ofOne.length, 3);
  assert.equal((await site.call('GET', '/api/reports/export?format=xml', { token })).status, 400);
});

test('a device keeps the first signing key that it sent', async (t) => {
  const { site, key, deviceId } = await setUp(t);
  assert.deepEqual(site.app.db.raw.prepare('SELECT signing_key FROM devices WHERE id = ?').get(deviceId), {
    signing_key: key,
  });
});

import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { genesis, rowHash, sealText } from '../../../shared/protocol/journal-chain.ts';
import type { Play } from '../../../shared/protocol/messages.ts';
import { deviceLines, type KeptPlay, type KeptSeal } from '../../../shared/protocol/plays-file.ts';
import { ReportVerifier, type Verdict } from '../../../shared/protocol/verify.ts';
import { firstUser, type Site, startSite, TestClock } from '../../../test/harness.ts';
import { connectPlayer, DEVICE, pairPlayer } from '../../../test/player-client.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const verifies = (key: string, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(key, 'hex')]), format: 'der', type: 'spki' }), Buffer.from(signature, 'hex'));

/** A player that keeps a chained journal, and sends any stretch of it. */
const setUp = async (t: TestContext) => {
  const clock = new TestClock();
  const site = await startSite(t, { clock });
  const { token } = await firstUser(site);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const paired = await pairPlayer(t, site, token, 'Till');
  const client = await connectPlayer(t, site);
  client.say({ type: 'hello', protocol: 1, device_id: paired.deviceId, secret: paired.secret, device: DEVICE, signing_key: key });
  await client.next('program');
  const rows: Play[] = [];
  const hashes = [genesis(sha256, key)];
  const show = (count: number) => {
    for (let i = 0; i < count; i++) {
      const started_at = clock.now() - 1_000_000 + rows.length * 10_000;
      const play = {
        id: randomUUID(),
        item_id: 1,
        playlist_id: 'p',
        content_id: 'c',
        widget_id: null,
        zone_id: null,
        content_name: 'Sale',
        started_at,
        ended_at: started_at + 10_000,
        completed: true,
        boot_id: 'boot',
        uncertainty_ms: 0.3,
      };
      rows.push(play);
      hashes.push(rowHash(sha256, { ...play, seq: rows.length, prev: hashes.at(-1) ?? '' }));
    }
  };
  /** Journal numbers, both included. */
  const send = async (first: number, through: number) => {
    const head = hashes[through] ?? '';
    const signature = sign(null, Buffer.from(sealText({ seq: through, hash: head })), privateKey).toString('hex');
    client.say({ type: 'plays', first, plays: rows.slice(first - 1, through), chain: { prev: hashes[first - 1], head, signature } });
    await client.next('plays.ack');
  };
  return { site, key, deviceId: paired.deviceId, show, send };
};

/** The file as an export writes it, verified. */
const verdictOn = (site: Site, deviceId: string, key: string, tamper: (play: KeptPlay) => KeptPlay = (play) => play): Verdict => {
  const db = site.app.db.raw;
  const seals = db.prepare('SELECT * FROM play_seals WHERE device_id = ? ORDER BY id').all(deviceId) as (KeptSeal & { first_play: number; last_play: number })[];
  const playsOf = (from: number, to: number) =>
    (
      db
        .prepare('SELECT *, play_id AS id, started_ms AS started_at, ended_ms AS ended_at FROM plays WHERE device_id = ? AND id BETWEEN ? AND ? ORDER BY id')
        .all(deviceId, from, to) as (KeptPlay & { completed: unknown })[]
    ).map(({ seq, id, item_id, playlist_id, content_id, widget_id, zone_id, content_name, started_at, ended_at, completed, boot_id, uncertainty_ms }) =>
      tamper({ seq, id, item_id, playlist_id, content_id, widget_id, zone_id, content_name, started_at, ended_at, completed: Boolean(completed), boot_id, uncertainty_ms }),
    );
  const stretches = seals.map((seal) => ({ seal, plays: playsOf(seal.first_play, seal.last_play) }));
  const verifier = new ReportVerifier({ sha256, verify: verifies });
  for (const line of deviceLines(sha256, { device_id: deviceId, device_name: 'Till', signing_key: key }, stretches)) verifier.read(JSON.stringify(line));
  verifier.read(JSON.stringify({ type: 'end', plays: stretches.reduce((sum, { plays }) => sum + plays.length, 0) }));
  return verifier.finish();
};

test('what a player signed can be verified from what is kept, however it was sent', async (t) => {
  const { site, key, deviceId, show, send } = await setUp(t);
  show(20);
  await send(1, 3);
  await send(4, 4);
  // The answer was lost, and more has come meanwhile.
  await send(4, 9);
  await send(1, 3);
  // Ten was given up.
  await send(11, 20);
  const verdict = verdictOn(site, deviceId, key);
  assert.deepEqual([verdict.plays, verdict.devices[0]?.signed], [19, 19]);
  assert.deepEqual(
    verdict.problems.map(({ kind, message }) => [kind, message]),
    [['missing', '1 plays of Till before play 11 are missing']],
  );
  assert.equal((site.app.db.raw.prepare('SELECT count(*) AS n FROM play_seals').get() as { n: number }).n, 2, 'a stretch grows while it goes on');
});

test('a row that was changed in the database does not fit its signature', async (t) => {
  const { site, key, deviceId, show, send } = await setUp(t);
  show(5);
  await send(1, 5);
  assert.equal(verdictOn(site, deviceId, key).ok, true);
  const { problems } = verdictOn(site, deviceId, key, (play) => (play.seq === 3 ? { ...play, content_name: 'Winter sale' } : play));
  assert.deepEqual([...new Set(problems.map(({ kind }) => kind))], ['forged']);
});

test('the first key a device names stays', async (t) => {
  const { site, key, deviceId } = await setUp(t);
  assert.deepEqual(site.app.db.raw.prepare('SELECT signing_key FROM devices WHERE id = ?').get(deviceId), { signing_key: key });
});

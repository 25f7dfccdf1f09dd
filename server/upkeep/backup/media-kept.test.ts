/**
 * Tests that lost and damaged media do not spread into backups, and that media are restored from backups that have them
 * intact.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { picture } from '../../../test/api/media.ts';
import { firstUser, ownedSite, type Site, startSite, TestClock, tempFolder } from '../../../test/harness.ts';
import { must } from '../../../test/people.ts';
import { until, upload } from '../../../test/uploads.ts';
import { readArchive, walkArchive } from './archive.ts';
import { rotate } from './backup-files.ts';
import { makeBackup } from './make-backup.ts';
import { hashesIn, notWhole, poolOf } from './pool.ts';
import { restoreBackup } from './restore.ts';
import { hashFile, mediaPath } from './whole-file.ts';

const DAY_MS = 86_400_000;

/**
 * Damages a file: replaces it by a new file with one changed byte and the same size. Other hard links to the old file
 * stay intact.
 */
const rot = (path: string): void => {
  const bytes = readFileSync(path);
  bytes[bytes.length - 2]! ^= 1;
  rmSync(path);
  writeFileSync(path, bytes);
};
const rotInPlace = (path: string): void => {
  const bytes = readFileSync(path);
  bytes[bytes.length - 2]! ^= 1;
  writeFileSync(path, bytes);
};

const open = async (t: TestContext, clock = new TestClock()) => {
  const { site, token, call } = await ownedSite(t, { clock });
  const image = must(await upload(site, token, picture('a'), 'offer.gif'), 201) as { id: string; sha256: string };
  const [live, own] = [
    mediaPath(join(site.data, 'media'), image.sha256),
    mediaPath(join(site.data, 'backups', 'media'), image.sha256),
  ];
  const problems = async (): Promise<{ code: string; text: string }[]> =>
    must(await call('GET', '/api/server/status')).problems;
  return { site, call, clock, image, live, own, problems };
};

/** Returns the data folder of a stopped server with one picture. */
const store = async (t: TestContext): Promise<{ data: string; sha256: string; live: string }> => {
  const data = tempFolder(t);
  let stop = async () => {};
  const site: Site = await startSite({ after: (end) => void (stop = end as typeof stop) }, { data });
  const { token } = await firstUser(site);
  const { sha256 } = must(await upload(site, token, picture('a'), 'offer.gif'), 201);
  await stop();
  return { data, sha256, live: mediaPath(join(data, 'media'), sha256) };
};

test('damaged file is reported at once, does not replace intact copies, and is restored from another disk', {
  timeout: 60_000,
}, async (t) => {
  const { site, call, live, own, image, problems } = await open(t);
  rotInPlace(live);
  const first = must(await call('POST', '/api/server/backups', {}), 201);
  assert.deepEqual([first.media_missing, existsSync(own)], [1, false]);
  const [damaged] = (await problems()).filter(({ code }) => code.startsWith('media'));
  assert.deepEqual([damaged?.code, /offer\.gif/.test(damaged?.text ?? '')], ['media_damaged', true]);
  await site.app.upkeep.media.suspect({ missing: [], damaged: [image.sha256] });

  // The picture is uploaded again, and the next backup contains it.
  must(await call('DELETE', `/api/content/${image.id}`));
  const usb = tempFolder(t);
  must(await call('PUT', '/api/server/upkeep', { backup_folder: usb }));
  const { token } = must(
    await site.call('POST', '/api/auth/login', { body: { email: 'owner@store.test', password: 'correct horse' } }),
  );
  must(await upload(site, token, picture('a'), 'again.gif'), 201);
  assert.equal(must(await call('POST', '/api/server/backups', {}), 201).media_missing, 0);
  const pooled = mediaPath(poolOf(usb), image.sha256);
  // Replaces the hard link by a separate file, as on a separate disk.
  const copy = readFileSync(pooled);
  rmSync(pooled);
  writeFileSync(pooled, copy);
  rm(live);
  assert.equal(must(await call('POST', '/api/server/backups', {}), 201).media_missing, 0, 'the backups still have it');
  await until(
    async () => existsSync(live) && hashFile(live),
    (hash) => hash === image.sha256,
  );
  rot(live);
  await site.app.upkeep.media.suspect({ missing: [], damaged: [image.sha256] });
  assert.equal(hashFile(live), image.sha256);
  assert.deepEqual(
    (await problems()).filter(({ code }) => code.startsWith('media')),
    [],
  );
});

const rm = (path: string): void => rmSync(path, { force: true });

test('damaged copy in the shared media is replaced by an intact file, and an intact copy never by a damaged file', async (t) => {
  const { data, sha256, live } = await store(t);
  const usb = tempFolder(t);
  const order = { data, media: 'beside', now: 1 } as const;
  await makeBackup({ ...order, target: join(usb, 'a.vitrine') });
  const pooled = mediaPath(poolOf(usb), sha256);
  rot(pooled);
  await makeBackup({ ...order, target: join(usb, 'b.vitrine') });
  assert.equal(hashFile(pooled), sha256);

  const good = readFileSync(live);
  rm(pooled);
  writeFileSync(pooled, good);
  rot(live);
  const { manifest, lost } = await makeBackup({ ...order, target: join(usb, 'c.vitrine') });
  assert.deepEqual([hashFile(pooled), manifest.media_damaged], [sha256, []]);
  assert.deepEqual(
    lost,
    { missing: [], damaged: [] },
    'what the backups have whole is not read a second time; the weekly look finds it',
  );

  // A complete backup includes media that the store has lost. It takes them from other backups.
  const complete = await makeBackup({ ...order, media: 'inside', target: join(usb, 'd.vitrine') });
  assert.deepEqual([complete.manifest.media_damaged, complete.lost.damaged], [[], [sha256]]);
  let seen = 0;
  walkArchive(complete.file, (part) => void (part.kind === 'media' && part.sha256 === sha256 && seen++));
  assert.deepEqual([seen, readArchive(complete.file).damaged], [1, []]);

  rot(pooled);
  const none = await makeBackup({ ...order, target: join(usb, 'e.vitrine') });
  assert.deepEqual([none.manifest.media_damaged, none.lost.damaged], [[sha256], [sha256]]);
});

test('lost media stay in the backups after rotations, and deleted media disappear with the last backup that needs them', async (t) => {
  const { data, sha256, live } = await store(t);
  const usb = tempFolder(t);
  const name = (n: number) => join(usb, `vitrine-2026-01-${String(n).padStart(2, '0')}-000000.vitrine`);
  await makeBackup({ data, target: name(1), media: 'beside', now: 1 });
  const good = readFileSync(live);
  rm(live);
  const pooled = mediaPath(poolOf(usb), sha256);
  // Simulates backups that were made without access to the shared media: their manifests list the file as missing.
  for (let n = 2; n < 6; n++) {
    renameSync(poolOf(usb), `${poolOf(usb)}-away`);
    const { named, manifest } = await makeBackup({ data, target: name(n), media: 'beside', now: n });
    assert.deepEqual(manifest.media_missing, [sha256]);
    rmSync(poolOf(usb), { recursive: true, force: true });
    renameSync(`${poolOf(usb)}-away`, poolOf(usb));
    rotate(usb, { keep: 1, mayPrune: true }, n, named);
    assert.equal(readdirSync(usb).filter((file) => file.endsWith('.vitrine')).length, 1);
    assert.deepEqual(readFileSync(pooled), good);
  }
  rotate(usb, { keep: 1, mayPrune: true }, 9, []);
  assert.ok(existsSync(pooled), 'a kept backup names it as missing');
  rm(name(5));
  rotate(usb, { keep: 1, mayPrune: true }, 9, [sha256]);
  assert.ok(existsSync(pooled), 'the store names it');
  rotate(usb, { keep: 1, mayPrune: true }, 9, []);
  assert.deepEqual(hashesIn(poolOf(usb)), []);
});

test('rotation deletes no backup with a future date, and nothing while the clock is untrusted or files are damaged', async (t) => {
  const { data } = await store(t);
  const usb = tempFolder(t);
  const name = (n: number) => `vitrine-2026-01-0${n}-000000.vitrine`;
  for (let n = 1; n <= 5; n++) await makeBackup({ data, target: join(usb, name(n)), media: 'beside', now: n * DAY_MS });
  assert.deepEqual(rotate(usb, { keep: 1, mayPrune: false }, 9 * DAY_MS, []), []);
  // These backups were made while the clock was ahead. They do not count, so other backups stay.
  assert.deepEqual(rotate(usb, { keep: 2, mayPrune: true }, 3 * DAY_MS, []), [name(1)]);
  assert.deepEqual(rotate(usb, { keep: 2, mayPrune: true }, DAY_MS, []), []);
  assert.equal(readdirSync(usb).filter((file) => file.endsWith('.vitrine')).length, 4);
});

test('restore uses only intact media, moves damaged media aside, and lists missing media', async (t) => {
  const { data, sha256, live } = await store(t);
  const usb = tempFolder(t);
  const { file, manifest } = await makeBackup({ data, target: join(usb, 'a.vitrine'), media: 'beside', now: 1 });
  const pooled = mediaPath(poolOf(usb), sha256);
  const others = manifest.media.length - 1;

  const good = readFileSync(live);
  rm(live);
  writeFileSync(live, good);
  rot(live);
  const healed = restoreBackup({ file, data, now: 1_000_000 });
  assert.deepEqual(
    [healed.media_files, healed.media_missing, healed.media_damaged, hashFile(live)],
    [others + 1, [], [], sha256],
  );
  assert.ok(existsSync(join(healed.set_aside!, 'media', sha256)));

  const fresh = join(tempFolder(t), 'new');
  rot(pooled);
  const damaged = restoreBackup({ file, data: fresh, now: 1 });
  assert.deepEqual([damaged.media_files, damaged.media_missing, damaged.media_damaged], [others, [], [sha256]]);
  assert.equal(existsSync(mediaPath(join(fresh, 'media'), sha256)), false);
  assert.deepEqual(notWhole(usb, manifest.media).damaged, [sha256]);
  rm(pooled);
  const missing = restoreBackup({ file, data: join(tempFolder(t), 'new'), now: 1 });
  assert.deepEqual([missing.media_missing, missing.media_damaged], [[sha256], []]);

  // A damaged picture in a complete backup affects only that picture.
  const complete = await makeBackup({ data, target: join(usb, 'b.vitrine'), media: 'inside', now: 1 });
  const bytes = readFileSync(complete.file);
  bytes[bytes.indexOf(good) + 20]! ^= 1;
  writeFileSync(complete.file, bytes);
  const partly = restoreBackup({ file: complete.file, data: join(tempFolder(t), 'new'), now: 1 });
  assert.deepEqual([partly.media_files, partly.media_damaged], [others, [sha256]]);
});

test('weekly check also reads the media of the backups and reports damaged files', async (t) => {
  const clock = new TestClock();
  const { site, call, own, image, live, problems } = await open(t, clock);
  must(await call('POST', '/api/server/backups', {}), 201);
  const copy = readFileSync(live);
  rm(own);
  writeFileSync(own, copy);
  rot(own);
  await site.app.upkeep.media.runDue();
  const [problem] = (await problems()).filter(({ code }) => code === 'backup_damaged');
  assert.match(problem!.text, /1 file of the backups in .* is damaged/);
  assert.equal(hashFile(live), image.sha256);
  // The next backup repairs the damaged file.
  must(await call('POST', '/api/server/backups', {}), 201);
  await site.app.upkeep.media.runDue();
  assert.deepEqual(
    (await problems()).filter(({ code }) => code === 'backup_damaged'),
    [],
  );
});

test('media in a complete backup can also be restored into the store', async (t) => {
  const { site, call, own, image, live } = await open(t);
  must(await call('POST', '/api/server/backups', { complete: true }), 201);
  rm(live);
  rm(own);
  await site.app.upkeep.media.runDue();
  assert.equal(hashFile(live), image.sha256);
  assert.deepEqual(site.app.upkeep.media.findings?.missing, []);
  mkdirSync(join(site.data, 'media', 'tmp'), { recursive: true });
  assert.deepEqual(readdirSync(join(site.data, 'media', 'tmp')), []);
});

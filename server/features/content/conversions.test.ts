/** Conversion of contents over HTTP, with the real ffmpeg; the results are checked by decoding. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Content } from '../../../shared/contract/content/content.ts';
import { type Conversion, MAX_WAITING_CONVERSIONS } from '../../../shared/contract/content/conversion.ts';
import { ownedSite, startSite } from '../../../test/harness.ts';
import { callAs, colleague, must } from '../../../test/people.ts';
import { clip } from '../../../test/sample-media.ts';
import { openShops, type Shop } from '../../../test/shop.ts';
import { until } from '../../../test/until.ts';
import { upload } from '../../../test/uploads.ts';
import { findFfmpeg } from '../../media/ffmpeg.ts';
import { isCut, timeLimitMs } from './conversions.ts';

const shops = openShops();
/** A clip of one second, with a size and a sound that many screens cannot play. */
const large = () =>
  clip(
    'mp4',
    '-f lavfi -i testsrc=s=2560x1440:r=10:d=1 -f lavfi -i sine=d=1 -c:v libx265 -preset ultrafast -x265-params log-level=none -c:a ac3',
  );
const small = (size = '64x48') => clip('mkv', `-f lavfi -i testsrc=s=${size}:r=10:d=1 -c:v libvpx -b:v 100k`);

/** Makes a folder at the start of PATH for a test's own ffmpeg, and a gate file that this ffmpeg waits for. */
const programs = mkdtempSync(join(tmpdir(), 'vitrine-programs-'));
const GATE = join(programs, 'open');
let real: string;
const path = process.env['PATH'];
const putFfmpeg = (t: TestContext, script: string): void => {
  writeFileSync(join(programs, 'ffmpeg'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(programs, 'ffmpeg'), 0o755);
  t.after(() => rmSync(join(programs, 'ffmpeg'), { force: true }));
};
/** Uses the real ffmpeg, but each conversion waits until the gate is open. */
const gated = (t: TestContext) => {
  rmSync(GATE, { force: true });
  putFfmpeg(t, `case "$*" in *-progress*) while [ ! -e '${GATE}' ]; do sleep 0.05; done;; esac\nexec '${real}' "$@"`);
  return { open: () => writeFileSync(GATE, '') };
};
before(async () => {
  real = (await findFfmpeg())!;
  process.env['PATH'] = `${programs}${delimiter}${path}`;
});
after(() => {
  process.env['PATH'] = path;
  rmSync(programs, { recursive: true });
});

type Asks = Pick<Shop, 'call' | 'get'>;
const conversionOf = (shop: Asks, id: string): Promise<Conversion> => shop.get(`/api/content/${id}/convert`);
const contentOf = (shop: Asks, id: string): Promise<Content> => shop.get(`/api/content/${id}`);
const convert = (shop: Asks, id: string) => shop.call('POST', `/api/content/${id}/convert`);
/** Resolves when the conversion has ended. The time limit allows for a busy machine. */
const ended = async (shop: Asks, id: string): Promise<Conversion> => {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const now = await conversionOf(shop, id);
    if (now.state === 'none' || now.state === 'failed') return now;
    assert.ok(performance.now() < deadline, JSON.stringify(now));
    await new Promise((again) => setTimeout(again, 50));
  }
};
const bytesOf = async ({ site, owner }: Shop, address: string): Promise<Buffer> => {
  const answer = await fetch(`${site.origin}${address}`, { headers: { Authorization: `Bearer ${owner.token}` } });
  assert.equal(answer.status, 200);
  return Buffer.from(await answer.arrayBuffer());
};
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const temporary = (data: string) => readdirSync(join(data, 'media', 'tmp'));
const stored = (data: string, hash: string) => readdirSync(join(data, 'media', hash.slice(0, 2))).includes(hash);

/** Returns the ffprobe output of a file, after ffmpeg has decoded all of it without an error. */
const decoded = (bytes: Buffer) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-decoded-'));
  try {
    const file = join(folder, 'file.mp4');
    writeFileSync(file, bytes);
    execFileSync(real, ['-v', 'error', '-xerror', '-i', file, '-f', 'null', '-'], { stdio: 'pipe' });
    const shown = 'stream=codec_name,width,height,pix_fmt,sample_rate,channels,nb_read_frames';
    const args = ['-v', 'error', '-count_frames', '-show_entries', shown, '-of', 'json', file];
    return JSON.parse(execFileSync('ffprobe', args).toString()).streams as Record<string, unknown>[];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test('a converted video is H.264 and AAC in full HD MP4, keeps its id and original, and can be restored', async (t) => {
  const shop = await shops.open(t);
  const source = await large();
  const film = must(await shop.upload(source, 'film.mov'), 201);
  const playlist = await shop.playlist([film.id]);
  must(await convert(shop, film.id));
  const conversion = await ended(shop, film.id);
  assert.deepEqual(
    [conversion.state, conversion.error, conversion.original?.file_size, conversion.original?.format?.video?.codec],
    ['none', null, source.length, 'hevc'],
  );

  const shown = await contentOf(shop, film.id);
  assert.deepEqual(
    [shown.mime_type, shown.width, shown.height, shown.format?.video?.codec, shown.format?.audio?.codec],
    ['video/mp4', 1920, 1080, 'avc', 'aac'],
  );
  const file = await bytesOf(shop, `/api/content/${film.id}/file`);
  assert.equal(sha256(file), shown.sha256);
  const [picture, sound] = decoded(file);
  assert.deepEqual(
    [picture!['codec_name'], picture!['width'], picture!['height'], picture!['pix_fmt'], picture!['nb_read_frames']],
    ['h264', 1920, 1080, 'yuv420p', '10'],
  );
  assert.deepEqual([sound!['codec_name'], sound!['channels'], sound!['sample_rate']], ['aac', 2, '48000']);
  assert.ok(file.indexOf('moov') < file.indexOf('mdat'), 'the index comes first');
  const { items } = await shop.get(`/api/playlists/${playlist}`);
  assert.deepEqual(
    items.map((item: { content_id: string }) => item.content_id),
    [film.id],
  );
  assert.deepEqual(temporary(shop.site.data), []);
  const bin = await shop.get(`/api/bin?ref=${film.id}`);
  assert.deepEqual(bin, [], 'the original is kept beside the content, not in the bin');

  assert.equal(sha256(await bytesOf(shop, `/api/content/${film.id}/original`)), film.sha256);
  const back = must(await shop.call('POST', `/api/content/${film.id}/original`));
  assert.deepEqual(
    [back.sha256, back.mime_type, back.width, back.file_size, back.format],
    [film.sha256, film.mime_type, 2560, source.length, film.format],
  );
  assert.equal((await conversionOf(shop, film.id)).original, null);
  assert.equal((await shop.call('POST', `/api/content/${film.id}/original`)).status, 404);
  assert.equal((await shop.call('GET', `/api/content/${film.id}/original`)).status, 404);
  // A converted file that is restored from the bin also restores its original.
  const [entry] = await shop.get(`/api/bin?ref=${film.id}`);
  must(await shop.call('POST', `/api/bin/${entry.id}/restore`));
  assert.equal((await contentOf(shop, film.id)).sha256, shown.sha256);
  assert.equal((await conversionOf(shop, film.id)).original?.file_size, source.length);
  const actions = (await shop.get('/api/activity')).map(({ action }: { action: string }) => action);
  assert.ok(actions.includes('content.converted') && actions.includes('content.original_restored'), actions.join());
});

test('the original of a converted file survives the sweep, and returns with a restored content', async (t) => {
  const shop = await shops.open(t);
  const film = must(await shop.upload(await small('66x48'), 'film.mkv'), 201);
  must(await convert(shop, film.id));
  assert.equal((await ended(shop, film.id)).error, null);
  assert.equal((await contentOf(shop, film.id)).filename, 'film.mp4');
  assert.equal((await conversionOf(shop, film.id)).original?.filename, 'film.mkv');
  // Runs two sweeps: the sweeper deletes a file that was without a reference in both.
  for (let i = 0; i < 2; i++) await shop.site.app.sweeper.sweep();
  assert.ok(stored(shop.site.data, film.sha256));
  must(await shop.call('DELETE', `/api/content/${film.id}`));
  for (let i = 0; i < 2; i++) await shop.site.app.sweeper.sweep();
  assert.ok(stored(shop.site.data, film.sha256), 'also while the content is in the bin');
  const [entry] = await shop.get(`/api/bin?ref=${film.id}`);
  must(await shop.call('POST', `/api/bin/${entry.id}/restore`));
  assert.equal(sha256(await bytesOf(shop, `/api/content/${film.id}/original`)), film.sha256);
  const replaced = await shop.upload(await small('70x48'), 'new.mkv', {
    method: 'PUT',
    path: `/api/content/${film.id}/replace`,
  });
  must(replaced);
  assert.equal((await conversionOf(shop, film.id)).original, null, 'another file has no original');
});

test('a converted sound is AAC', async (t) => {
  const shop = await shops.open(t);
  const song = must(await shop.upload(await clip('flac', '-f lavfi -i sine=d=1'), 'song.flac'), 201);
  must(await convert(shop, song.id));
  assert.equal((await ended(shop, song.id)).error, null);
  const shown = await contentOf(shop, song.id);
  assert.deepEqual([shown.kind, shown.mime_type, shown.filename], ['audio', 'audio/mp4', 'song.m4a']);
  assert.equal(decoded(await bytesOf(shop, `/api/content/${song.id}/file`))[0]!['codec_name'], 'aac');
});

test('only videos and sounds of the own workspace can be converted, and only with the current revision', async (t) => {
  const shop = await shops.open(t);
  const image = await shop.image();
  assert.equal((await convert(shop, image)).status, 400);
  assert.equal((await convert(shop, 'nothing')).status, 404);
  const film = must(await shop.upload(await small(), 'film.mkv'), 201);
  const other = await shops.open(t);
  for (const [method, end] of [
    ['GET', 'convert'],
    ['POST', 'convert'],
    ['DELETE', 'convert'],
    ['POST', 'original'],
    ['GET', 'original'],
  ] as const)
    assert.equal((await other.call(method, `/api/content/${film.id}/${end}`)).status, 404);
  const { status } = await shop.site.call('POST', `/api/content/${film.id}/convert`, {
    token: shop.owner.token,
    headers: { 'If-Match': '"7"' },
  });
  assert.equal(status, 412);
});

test('conversions run one at a time, the queue is limited, and each conversion can be cancelled', async (t) => {
  const gate = gated(t);
  const shop = await shops.open(t);
  const { id: film } = must(await shop.upload(await small(), 'film.mkv'), 201);
  const { db } = shop.site.app;
  const columns = 'workspace_id, filename, mime_type, kind, file_size, duration_sec, sha256, created_at, updated_at';
  const copy = db.raw.prepare(`INSERT INTO content (id, ${columns}) SELECT ?, ${columns} FROM content WHERE id = ?`);
  const ids = Array.from({ length: MAX_WAITING_CONVERSIONS + 2 }, (_, i) => `copy-${i}`);
  db.write(() => {
    for (const id of ids) copy.run(id, film);
  });
  const [first, second, third] = ids as [string, string, string];
  const last = ids.pop()!;
  for (const id of ids) must(await convert(shop, id));
  const refused = await convert(shop, last);
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
  assert.match(refused.body.error, /20 conversions are waiting already/);
  assert.deepEqual((await conversionOf(shop, first)).state, 'running');
  const { state, ahead, percent } = await conversionOf(shop, third);
  assert.deepEqual([state, ahead, percent], ['waiting', 2, null]);
  assert.equal(must(await convert(shop, third)).ahead, 2, 'it is not queued twice');

  for (const id of ids.filter((one) => one !== third)) {
    const cancelled = must(await shop.call('DELETE', `/api/content/${id}/convert`));
    assert.deepEqual([cancelled.state, cancelled.error], ['none', null]);
  }
  gate.open();
  assert.equal((await ended(shop, third)).error, null);
  assert.equal((await contentOf(shop, third)).mime_type, 'video/mp4');
  for (const id of [first, second]) assert.equal((await contentOf(shop, id)).mime_type, 'video/x-matroska');
  assert.deepEqual(temporary(shop.site.data), []);
});

test('a conversion is discarded when its content is replaced or deleted meanwhile', async (t) => {
  const gate = gated(t);
  const shop = await shops.open(t);
  const replaced = must(await shop.upload(await small('66x50'), 'a.mkv'), 201);
  const deleted = must(await shop.upload(await small('68x50'), 'b.mkv'), 201);
  for (const { id } of [replaced, deleted]) must(await convert(shop, id));
  const now = must(
    await shop.upload(await small('70x50'), 'c.mkv', { method: 'PUT', path: `/api/content/${replaced.id}/replace` }),
  );
  must(await shop.call('DELETE', `/api/content/${deleted.id}`));
  gate.open();
  assert.equal((await ended(shop, replaced.id)).error, null);
  const { sha256: hash, mime_type } = await contentOf(shop, replaced.id);
  assert.deepEqual([hash, mime_type], [now.sha256, 'video/x-matroska']);
});

test('without ffmpeg or without its H.264 encoder, the answer says what to install', async (t) => {
  const shop = await shops.open(t);
  const film = must(await shop.upload(await small(), 'film.mkv'), 201);
  putFfmpeg(t, 'echo " A....D aac                  AAC"');
  assert.equal((await conversionOf(shop, film.id)).converter, 'no_encoder');
  const refused = await convert(shop, film.id);
  assert.deepEqual([refused.status, /libx264/.test(refused.body.error)], [409, true]);
  process.env['PATH'] = '/nonexistent';
  t.after(() => {
    process.env['PATH'] = `${programs}${delimiter}${path}`;
  });
  assert.equal((await conversionOf(shop, film.id)).converter, 'no_ffmpeg');
  const none = await convert(shop, film.id);
  assert.deepEqual([none.status, /Install ffmpeg/.test(none.body.error)], [409, true]);
});

test("a failed conversion leaves the content unchanged, and its error does not contain ffmpeg's output", async (t) => {
  const shop = await shops.open(t);
  const film = must(await shop.upload(await small(), 'film.mkv'), 201);
  putFfmpeg(t, `case "$*" in *-progress*) echo 'PipelineStatus::SECRET' >&2; exit 1;; esac\nexec '${real}' "$@"`);
  must(await convert(shop, film.id));
  const failed = await ended(shop, film.id);
  assert.equal(failed.state, 'failed');
  assert.match(failed.error!, /^ffmpeg could not convert this file/);
  assert.equal((await contentOf(shop, film.id)).sha256, film.sha256);
  assert.equal(must(await shop.call('DELETE', `/api/content/${film.id}/convert`)).error, null);
  // An ffmpeg that ends without an error but writes no file also counts as a failure.
  putFfmpeg(t, `case "$*" in *-progress*) exit 0;; esac\nexec '${real}' "$@"`);
  must(await convert(shop, film.id));
  assert.equal((await ended(shop, film.id)).state, 'failed');
  assert.deepEqual(temporary(shop.site.data), []);
});

test('a member who needs approval cannot convert a content that screens show, even if they show it only meanwhile', async (t) => {
  const gate = gated(t);
  const shop = await shops.open(t);
  const { site, owner } = shop;
  const { token } = await colleague(site, owner, `bea-${owner.id}@store.test`, 'workspace_editor');
  const bea = { call: callAs(site, token), get: shop.get };
  must(await shop.call('PUT', `/api/workspaces/${owner.workspaceId}`, { approval: 1 }));
  const film = must(await shop.upload(await small('72x50'), 'film.mkv'), 201);
  must(await convert(bea, film.id));
  const { deviceId } = await shop.screen();
  const playlist = await shop.playlist([film.id]);
  must(await shop.call('POST', `/api/playlists/${playlist}/assign`, { device_id: deviceId }));
  gate.open();
  const failed = await ended(shop, film.id);
  assert.equal(failed.state, 'failed');
  assert.match(failed.error!, /is on screens or waiting for approval, so only approvers can change it/);
  assert.equal((await contentOf(shop, film.id)).sha256, film.sha256);
  const refused = await convert(bea, film.id);
  assert.deepEqual([refused.status, refused.body.code], [403, 'approval_required']);
  must(await convert(shop, film.id));
  assert.equal((await ended(shop, film.id)).error, null);
  const back = await bea.call('POST', `/api/content/${film.id}/original`);
  assert.deepEqual([back.status, back.body.code], [403, 'approval_required']);
});

test('a restart of the server ends a conversion and deletes its files', async (t) => {
  gated(t);
  const { site, token, call } = await ownedSite(t);
  const film = must(await upload(site, token, await small('74x50'), 'film.mkv'), 201);
  must(await call('POST', `/api/content/${film.id}/convert`));
  await until('the conversion has its file', 10_000, () => temporary(site.data).length === 1);
  await site.app.stop();
  assert.deepEqual(temporary(site.data), []);
  // Leaves a temporary file, like a crash during a conversion does.
  writeFileSync(join(site.data, 'media', 'tmp', 'left'), 'half a film');
  const again = await startSite(t, { data: site.data });
  assert.deepEqual(temporary(again.data), []);
  const answer = must(await again.call('GET', `/api/content/${film.id}/convert`, { token }));
  assert.deepEqual([answer.state, answer.original], ['none', null]);
});

test('isCut detects a result that is shorter than its source', () => {
  const cut = (from: number | null, to: number | null) => isCut({ durationSec: from }, { durationSec: to, size: 1 }, 2);
  assert.deepEqual([cut(600, 580), cut(600, 589), cut(3, 1.5), cut(null, 1)], [true, false, false, false]);
});

test('isCut treats a result at the size limit as cut off, even if the length of the source is unknown', () => {
  const cut = (size: number) => isCut({ durationSec: null }, { durationSec: 1, size }, 1_000);
  assert.deepEqual([cut(999), cut(1_000), cut(1_050)], [false, true, true]);
});

test('time limit of a conversion depends on the length of the source', () => {
  assert.deepEqual([timeLimitMs(1), timeLimitMs(600), timeLimitMs(1e6)], [600_000, 24_000_000, 43_200_000]);
});

/**
 * Files that do not arrive, arrive damaged, or do not fit: the current program plays on, and the new program replaces
 * it once all files are whole.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, renameSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { ended, report, shown } from '../../player/agent/testing/plays.ts';
import { until } from '../until.ts';
import { smallDisk, whyNoMounts } from './hooks/small-disk.ts';
import { LossyWay } from './lossy-way.ts';
import { GREEN, Kiosk, RED, Shop } from './rig.ts';

/** Creates a picture that cannot be compressed: about three bytes per pixel. */
const noise = (width: number, height: number): Promise<Buffer> =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();

/** Starts a player without a browser, claims it, and gives it a small program to play. */
const playing = async (
  t: TestContext,
  shop: Shop,
  server: string,
  data?: string,
): Promise<{ kiosk: Kiosk; device: string; first: string }> => {
  const red = await shop.uploadPlain('red.jpg', RED);
  const kiosk = await Kiosk.open(t, server, { window: false, ...(data && { data }) });
  const device = await shop.claim(kiosk.name);
  await shop.assign(await shop.playlist([red.id]), device);
  const first = await until('the first program plays', 10_000, async () => programOf(await kiosk.state()));
  return { kiosk, device, first };
};

const programOf = (state: {
  phase: string;
  program_id?: string;
  program?: { assets: unknown[] };
}): string | undefined => (state.phase === 'playing' && state.program?.assets.length ? state.program_id : undefined);

const assignPicture = async (shop: Shop, device: string, bytes: Buffer): Promise<{ sha256: string }> => {
  const content = await shop.upload('large.png', bytes);
  await shop.assign(await shop.playlist([content.id]), device);
  return content;
};

const switchedFrom = (kiosk: Kiosk, first: string, ms = 15_000): Promise<string> =>
  until('the new program plays', ms, async () => {
    const id = programOf(await kiosk.state());
    return id !== first ? id : undefined;
  });

test('player recovers from a file damaged in transfer and from a download that is interrupted again and again', {
  timeout: 90_000,
}, async (t) => {
  const shop = await Shop.open(t);
  const way = await LossyWay.open(t, shop.origin);
  const { kiosk, device, first } = await playing(t, shop, way.origin);

  way.mangle = (piece, sent) =>
    sent < 100_000 && sent + piece.length > 100_000
      ? Buffer.concat([piece.subarray(0, -1), Buffer.from([~(piece.at(-1) ?? 0) & 255])])
      : piece;
  await assignPicture(shop, device, await noise(400, 400));
  await until('the damage is noticed', 10_000, () => kiosk.output.includes('does not match its checksum'));
  assert.equal(programOf(await kiosk.state()), first);
  way.mangle = undefined;
  const second = await switchedFrom(kiosk, first);

  // A file of 6 MB, of which at most 2 MB arrive per request.
  let left = 2_000_000;
  way.ranges.length = 0;
  way.mangle = (piece) => {
    left -= piece.length;
    if (left > 0) return piece;
    left = 2_000_000;
    return null;
  };
  await assignPicture(shop, device, await noise(1_400, 1_400));
  await switchedFrom(kiosk, second, 40_000);
  assert.ok(
    way.ranges.length >= 3 && way.ranges.slice(1).every((range) => /^bytes=\d{6,}-$/.test(range ?? '')),
    `it went on where it had broken off: ${way.ranges}`,
  );
});

test('player keeps its program when a file of the new program is lost on the server', {
  timeout: 60_000,
}, async (t) => {
  const shop = await Shop.open(t);
  const { kiosk, device, first } = await playing(t, shop, shop.origin);
  const content = await shop.uploadPlain('green.jpg', GREEN);
  const path = join(shop.data, 'media', ...pathWithin(join(shop.data, 'media'), content.sha256));
  renameSync(path, `${path}.lost`);
  await shop.assign(await shop.playlist([content.id]), device);
  await until('the loss is noticed', 10_000, () =>
    /is not complete: asset \w+: the server answered 404/.test(kiosk.output),
  );
  assert.equal(programOf(await kiosk.state()), first);
  renameSync(`${path}.lost`, path);
  await switchedFrom(kiosk, first);
});

const pathWithin = (folder: string, name: string): string[] => {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => path.endsWith(name));
  if (!found) throw new Error(`${name} is not in ${folder}`);
  return found.split(/[\\/]/);
};

test('player keeps its program when the disk is too small for the new program', {
  timeout: 60_000,
  skip: whyNoMounts,
}, async (t) => {
  const shop = await Shop.open(t);
  const disk = smallDisk(t, 24);
  const { kiosk, device, first } = await playing(t, shop, shop.origin, join(disk, 'player'));
  await assignPicture(shop, device, await noise(3_000, 3_000));
  await until('the lack of room is noticed', 15_000, () =>
    /is not complete: the disk of this player is full: the program needs \d+ MB more/.test(kiosk.output),
  );
  assert.equal(programOf(await kiosk.state()), first);
  // Another program fills the disk during the download of a file that would otherwise have fitted.
  const fill = join(disk, 'other');
  const { bavail, bsize } = statfsSync(disk);
  execFileSync('dd', ['if=/dev/zero', `of=${fill}`, 'bs=1M', `count=${Math.floor((bavail * bsize) / 1048576) - 4}`], {
    stdio: 'ignore',
  });
  await assignPicture(shop, device, await noise(1_000, 1_000));
  await until(
    'the lack of room is noticed again',
    15_000,
    () => (kiosk.output.match(/is not complete/g)?.length ?? 0) >= 2,
  );
  assert.equal(programOf(await kiosk.state()), first);

  // Plays are stored and reported while the disk is full.
  const playlist = (await kiosk.state()).program.playlists[0].id as string;
  await showOnce(kiosk, playlist, 30);
  await until('the plays are in the report', 20_000, async () => (await shop.plays(device)).length >= 30);
  assert.equal((await shop.plays(device)).length, 30);
  assert.ok(statSync(fill).size > 0);
  execFileSync('rm', [fill]);
  await switchedFrom(kiosk, first, 30_000);
});

/** Reports `turns` plays as a screen does. Each report is sent twice, as if the first answer had been lost. */
const showOnce = async (kiosk: Kiosk, playlist: string, turns: number): Promise<void> => {
  const now = Date.now();
  const reports = Array.from({ length: turns }, (_, i) => {
    const [turn, started_at] = [randomUUID(), now - (turns - i) * 1_000];
    return [shown(turn, started_at, 1_000, { playlist_id: playlist }), ended(turn, started_at + 1_000)];
  }).flat();
  for (let repeat = 0; repeat < 2; repeat++) {
    assert.equal((await report(kiosk.page, reports)).status, 204);
    await pause(50);
  }
};

/**
 * One screen, one server, and faults of every process and file: the picture continues or is back within 5 s, and the
 * report contains each play once.
 */
// Suite: long
import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../until.ts';
import { BACK_MS, GREEN, judge, Kiosk, RED, Shop, TURN_MS } from './rig.ts';

test('screen survives failures of its server, its browser and itself', { timeout: 200_000 }, async (t) => {
  const shop = await Shop.open(t);
  const [red, green] = [await shop.uploadPlain('red.jpg', RED), await shop.uploadPlain('green.jpg', GREEN)];
  const playlist = await shop.playlist([red.id, green.id]);
  const kiosk = await Kiosk.open(t, shop.origin, { window: true });
  const device = await shop.claim(kiosk.name);
  await shop.assign(playlist, device);
  await kiosk.goesOn();
  const { program } = await kiosk.state();
  const anchor = program.playlists[0].anchor_ms as number;
  const from = Date.now();
  /** Periods in which the screen may have shown no picture. Plays in these periods may be missing. */
  const gaps: [number, number][] = [];
  const fault = async (what: string, strike: () => Promise<unknown> | unknown): Promise<void> => {
    const since = Date.now();
    await strike();
    const back = await kiosk.shows([RED, GREEN]);
    t.diagnostic(`${what}: the picture is there after ${back} ms`);
    // The play at the moment of the fault may be interrupted. The next play that begins after the picture is back must
    // be whole.
    gaps.push([since - 1_500, Date.now() + 500]);
    await kiosk.goesOn();
  };

  await t.test('picture continues when the server is killed', async () => {
    await shop.kill();
    // This fault must not be visible on the screen at all, so no period without a picture is allowed.
    await kiosk.goesOn();
    await pause(1_000);
    await kiosk.goesOn();
  });
  await t.test('picture returns when the browser crashes', () =>
    fault('browser killed', () => process.kill(kiosk.processes().browser, 'SIGKILL')),
  );
  await t.test("picture returns when the page's process runs out of memory", () =>
    fault('page’s process killed', async () => {
      for (const pid of kiosk.processes().renderers) process.kill(pid, 'SIGKILL');
      await pause(300);
    }),
  );
  await t.test('picture returns when the page hangs', () =>
    fault('page’s process stopped', async () => {
      for (const pid of kiosk.processes().renderers) process.kill(pid, 'SIGSTOP');
      await pause(500);
    }),
  );
  await t.test('picture returns when the player is killed and started without its server', () =>
    fault('player killed', async () => {
      await kiosk.kill();
      await kiosk.start();
    }),
  );

  await shop.start();
  await t.test('report contains every play once', async () => {
    const to = Date.now();
    const plays = await until('all plays have arrived', 30_000, async () => {
      const rows = await shop.plays(device);
      return (rows[0]?.started_at ?? 0) * 1_000 >= to - TURN_MS ? rows : undefined;
    });
    const { shown, missing } = judge(plays, { anchor, from, to: to - TURN_MS, gaps });
    t.diagnostic(`${shown} turns reported, ${missing} not shown in ${gaps.length} faults`);
    assert.ok(missing <= gaps.length * Math.ceil(BACK_MS / TURN_MS));
  });

  await t.test('picture continues when a file is damaged on disk', async () => {
    const path = join(kiosk.data, 'assets', green.sha256);
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(200, 7), 0, 200, 0);
    closeSync(file);
    await kiosk.goesOn();
    await until('the file is repaired', BACK_MS, () => existsSync(path) && readFileSync(path)[0] !== 7);
    await kiosk.goesOn();
    assert.match(kiosk.output, /was damaged on disk and is fetched again/);
  });
});

/**
 * The player is killed at random moments, again and again. The report contains each play once, and the files on disk
 * are whole.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ALIVE, ended as endedTurn, report, shown } from '../../player/agent/testing/plays.ts';
import { until } from '../until.ts';
import { GREEN, Kiosk, RED, Shop } from './rig.ts';

const KILLS = 12;

test('player killed at random moments, while it plays and while it switches programs, reports each play once', {
  timeout: 120_000,
}, async (t) => {
  const shop = await Shop.open(t);
  const contents = [await shop.uploadPlain('red.jpg', RED), await shop.uploadPlain('green.jpg', GREEN)];
  const playlists = await Promise.all(contents.map(({ id }) => shop.playlist([id])));
  const kiosk = await Kiosk.open(t, shop.origin, { window: false });
  const device = await shop.claim(kiosk.name);
  // Waits until the player is paired. Before that it shows nothing and has no plays to report.
  await until('it knows that it is paired', 20_000, async () => (await kiosk.state()).phase === 'playing');
  /** Plays whose start the player has confirmed. The report must contain each of these plays once. */
  const confirmed: string[] = [];
  const ended = new Set<string>();
  for (let kill = 0; kill < KILLS; kill++) {
    await shop.assign(playlists[kill % 2] as string, device);
    const dies = Date.now() + 300 + Math.random() * 1_500;
    let open: string | undefined;
    while (Date.now() < dies) {
      const turn = randomUUID();
      const started_at = Date.now();
      const reports: object[] = [ALIVE, shown(turn, started_at, 60_000)];
      if (open) reports.unshift(endedTurn(open, started_at));
      const answer = await report(kiosk.page, reports).catch(() => undefined);
      if (answer?.status !== 204) break;
      confirmed.push(turn);
      if (open) ended.add(open);
      open = turn;
      await pause(20);
    }
    await kiosk.kill();
    await kiosk.start();
    const { phase, program, program_id } = await kiosk.state();
    assert.equal(phase, 'playing');
    // The player may have the old or the new program, but always with all files.
    for (const { sha256 } of program?.assets ?? [])
      assert.ok(existsSync(join(kiosk.data, 'assets', sha256)), `${program_id} lacks ${sha256}`);
  }
  const rows = await until('all plays have arrived', 40_000, async () => {
    const found: { content_name: string; completed: number }[] = await shop.call(
      'GET',
      `/api/reports/plays?device_id=${device}&limit=5000`,
    );
    return confirmed.every((turn) => found.some(({ content_name }) => content_name === turn)) ? found : undefined;
  });
  const names = rows.map(({ content_name }) => content_name);
  assert.equal(new Set(names).size, names.length, 'a play is in the report twice');
  assert.ok(
    names.length <= confirmed.length + KILLS,
    'what was being told in the moment of a kill may be there or not',
  );
  assert.ok(rows.every(({ content_name, completed }) => !ended.has(content_name) || completed === 1));
  t.diagnostic(`${confirmed.length} plays confirmed in ${KILLS} lives, each in the report once`);
});

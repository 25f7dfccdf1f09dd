import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScreensSeen } from './screens-seen.ts';

const NOW = Date.UTC(2026, 10, 2, 9);
const screen = (id: string, secondsAgo: number | null = 0) => ({
  id,
  name: id.toUpperCase(),
  last_heartbeat: secondsAgo === null ? null : NOW / 1000 - secondsAgo,
});
const online = (state: 'waiting' | 'ready' | 'failed' | null) => ({
  status: 'online' as const,
  program: state && { state },
});

test('screens count as online or dark (offline for more than a minute, or never connected)', () => {
  const live = new Map([
    ['till', online('ready')],
    ['bare', online(null)],
  ]);
  const seen = createScreensSeen();
  assert.deepEqual(
    seen(
      [screen('till'), screen('bare'), screen('soon', 30), screen('gone', 90), screen('never', null)],
      (id) => live.get(id),
      NOW,
    ),
    { screens: { total: 5, online: 2, dark: 2, behind: 0 }, dark_names: ['GONE', 'NEVER'] },
  );
});

test('screen counts as behind when its program failed or has been waiting for five minutes', () => {
  let state: 'waiting' | 'ready' | 'failed' = 'waiting';
  const seen = createScreensSeen();
  const behind = (after: number) => seen([screen('till')], () => online(state), NOW + after).screens.behind;
  assert.deepEqual([behind(0), behind(299_000), behind(300_000)], [0, 0, 1]);
  state = 'ready';
  assert.equal(behind(330_000), 0);
  state = 'waiting';
  assert.equal(behind(360_000), 0, 'it is another one');
  state = 'failed';
  assert.equal(behind(390_000), 1);
});

test('dark screens are all counted, and at most fifty of them are named', () => {
  const screens = Array.from({ length: 70 }, (_, i) => screen(`s${i}`, 100));
  const { screens: counts, dark_names } = createScreensSeen()(screens, () => undefined, NOW);
  assert.deepEqual([counts.dark, dark_names.length], [70, 50]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlayerFaults } from './fault-log.ts';
import { OpenFaults } from './open-faults.ts';

test('same fault of a screen is logged again only after ten minutes', () => {
  let now = 1;
  const noted: string[] = [];
  const faults = new PlayerFaults({
    db: { write: (work: () => void) => work(), afterCommit: (work: () => void) => work() },
    activity: {
      add: ({ deviceId, action }: { deviceId: string; action: string }) => noted.push(`${deviceId} ${action}`),
    },
    bus: { emit: () => {} },
    wheel: { now: () => now },
    open: new OpenFaults(() => now),
  } as never);
  const add = (id: string) => faults.add({ id, workspaceId: 'w' }, 'warn', 'The disk is full');
  add('a');
  now += 600_000 - 1;
  add('a');
  add('b');
  assert.deepEqual(noted, ['a device.warning', 'b device.warning']);
  now += 2;
  add('a');
  add('b');
  assert.deepEqual(noted.slice(2), ['a device.warning']);
  faults.add({ id: 'a', workspaceId: 'w' }, 'info', 'All is well');
  assert.equal(noted.length, 3);
});

const noting = (noted: string[], now: number) =>
  new PlayerFaults({
    db: { write: (work: () => void) => work(), afterCommit: (work: () => void) => work() },
    activity: { add: ({ details }: { details: string }) => noted.push(details) },
    bus: { emit: () => {} },
    wheel: { now: () => now },
    open: new OpenFaults(() => now),
  } as never);

test('error text of the browser that an older player sends does not reach the activity log', () => {
  const noted: string[] = [];
  noting(noted, 0).add(
    { id: 'a', workspaceId: 'w' },
    'error',
    'A.mp4: the video cannot be played (PipelineStatus::X: y)',
  );
  assert.deepEqual(noted, ['A.mp4: the video cannot be played']);
});

test('feed that is still loading is not a fault, but a failed feed is a fault', () => {
  const noted: string[] = [];
  const faults = noting(noted, 1);
  // Players before December 2026 send “it” instead of “the page”.
  for (const why of ['Waiting for the feed', 'Waiting for the first forecast', 'x.test answered 404'])
    for (const subject of ['the page', 'it'])
      faults.add({ id: 'a', workspaceId: 'w' }, 'error', `News: ${subject} has nothing to show: ${why}`);
  assert.deepEqual(
    noted,
    ['the page', 'it'].map((subject) => `News: ${subject} has nothing to show: x.test answered 404`),
  );
});

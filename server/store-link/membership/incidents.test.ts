import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChainIncident } from '../../../shared/contract/headquarters/chain.ts';
import { HqIncidents } from '../../headquarters/stores/hq-incidents.ts';
import { Bus } from '../../kernel/bus.ts';
import { Incidents } from './incidents.ts';

const OLD =
  'The stick was not taken in: it has the number 3, and the stick 4 was taken in before. Nothing was changed.';
const ALTERED =
  'The stick was not taken in: it is not as it was written, or is for another server. Nothing was changed.';

const parts = (time: { now: number }) => ({
  db: { write: (change: () => unknown) => change(), afterCommit: (reaction: () => void) => reaction() } as never,
  bus: new Bus(() => {}),
  clock: { now: () => time.now },
});

const atStore = () => {
  const time = { now: 1_000_000_000 };
  const rows = new Map<string, ChainIncident>();
  const activities: string[] = [];
  const incidents = new Incidents({
    ...parts(time),
    store: { putIncident: (_, incident) => void rows.set(incident.id, incident) },
    activity: { add: ({ details }: { details?: string }) => void activities.push(details ?? '') } as never,
  });
  return { time, incidents, activities, details: () => [...rows.values()].map(({ details }) => details) };
};

test('store counts incidents of one kind within an hour and keeps the most serious sentence', () => {
  const { time, incidents, activities, details } = atStore();
  for (let i = 0; i < 43; i++) {
    const isAltered = i >= 10 && i < 30;
    incidents.add('w', 'stick_refused', isAltered ? ALTERED : OLD, isAltered ? 1 : 0);
  }
  assert.deepEqual(details(), [`${ALTERED} This happened 43 times.`]);
  assert.deepEqual(activities, [OLD]);
  time.now += 3_600_000;
  incidents.add('w', 'stick_refused', OLD);
  assert.deepEqual(details(), [`${ALTERED} This happened 43 times.`, OLD]);
});

test('store keeps one incident for each campaign that it cannot show', () => {
  const { incidents, details } = atStore();
  const [a, b] = ['The campaign A cannot be shown. Why.', 'The campaign B cannot be shown. Why.'];
  for (const sentence of [a, b, a, b]) incidents.add('w', 'campaign_refused', sentence);
  assert.deepEqual(details(), [a, b]);
});

test('incident about a lasting state shows its newest sentence, without a count', () => {
  const { incidents, details } = atStore();
  for (const minutes of [5, 6, 7]) incidents.add('w', 'clock_apart', `The clocks are ${minutes} minutes apart.`);
  assert.deepEqual(details(), ['The clocks are 7 minutes apart.']);
});

test('headquarters shows a seen incident as unseen again when its sentence becomes more serious', () => {
  const rows = new Map<string, string>();
  const shownAgain: string[] = [];
  const incidents = new HqIncidents({
    ...parts({ now: 1 }),
    store: {
      latestIncident: () => undefined,
      incident: (_, id) => (rows.has(id) ? { details: rows.get(id)! } : undefined),
      addIncident: (_, { id, details }, { showAgain } = {}) => {
        rows.set(id, details);
        if (showAgain) shownAgain.push(details);
      },
    },
    registry: { refresh() {} },
  });
  const report = (kind: 'stick_refused' | 'clock_apart', details: string) =>
    incidents.record({ id: 1, workspaceId: 'w' }, [{ id: kind, kind, details, at: 1 }]);
  for (const details of [OLD, `${OLD} This happened 2 times.`, `${ALTERED} This happened 3 times.`])
    report('stick_refused', details);
  report('stick_refused', `${ALTERED} This happened 43 times.`);
  report('stick_refused', OLD);
  for (const minutes of [5, 6]) report('clock_apart', `The clocks are ${minutes} minutes apart.`);
  assert.deepEqual(shownAgain, [`${ALTERED} This happened 3 times.`]);
});

test('headquarters counts incidents until somebody views them, and keeps the most serious sentence', () => {
  const time = { now: 1_000_000_000 };
  const rows: { id: string; details: string; at: number; seen_at: number | null }[] = [];
  const start = () =>
    new HqIncidents({
      ...parts(time),
      store: {
        latestIncident: () => rows.findLast(({ seen_at }) => seen_at === null) ?? rows.at(-1),
        incident: () => undefined,
        addIncident: (_, incident) => {
          const known = rows.find(({ id }) => id === incident.id);
          if (known) known.details = incident.details;
          else rows.push({ ...incident, seen_at: null });
        },
      },
      registry: { refresh() {} },
    });
  const whose = { id: 1, workspaceId: 'w' };
  const before = start();
  for (const [sentence, rank] of [
    [OLD, 0],
    [ALTERED, 1],
    [OLD, 0],
  ] as const)
    before.add(whose, 'stick_refused', sentence, rank);
  assert.deepEqual(
    rows.map(({ details }) => details),
    [`${ALTERED} This happened 3 times.`],
  );
  start().add(whose, 'stick_refused', OLD);
  assert.equal(rows[0]!.details, `${ALTERED} This happened 4 times.`);
  rows[0]!.seen_at = 1;
  const after = start();
  after.add(whose, 'stick_refused', OLD);
  assert.deepEqual([rows.length, rows[0]!.details], [1, `${ALTERED} This happened 5 times.`]);
  after.add(whose, 'stick_refused', ALTERED, 1);
  assert.deepEqual(
    rows.map(({ details, seen_at }) => [details, seen_at]),
    [
      [`${ALTERED} This happened 5 times.`, 1],
      [ALTERED, null],
    ],
    'a more serious sentence is a new incident',
  );
  rows[1]!.seen_at = 1;
  time.now += 3_600_000;
  after.add(whose, 'stick_refused', OLD);
  assert.equal(rows[2]!.details, OLD, 'an hour later it is a new incident');
});

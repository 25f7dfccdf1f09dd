import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../../../../shared/contract/screens/plans.ts';
import { parseDate } from '../../../../shared/program/civil.ts';
import { newWhen } from '../../../domain/time/when.utils.ts';
import { changeOf, type Draft, draftOf, newDraft, planOf, STRENGTHS, strengthOf } from './form.utils.ts';

const DAY = parseDate('2026-11-20');
const screen = { kind: 'device', id: 'd1' } as const;
const named = { ...screen, name: 'Window' };
const PLAN: Plan = {
  id: 'p1',
  workspace_id: 'w1',
  targets: [
    { kind: 'device', id: 'd1', name: 'Window' },
    { kind: 'tag', id: 'entrance', name: 'entrance' },
  ],
  screens: 4,
  revision: 3,
  zone_id: 'z1',
  content_id: null,
  widget_id: null,
  layout_id: 'l1',
  playlist_id: 'pl1',
  title: 'Autumn',
  start_time: '2026-11-20T09:00:00',
  end_time: '2026-11-20T10:00:00',
  timezone: 'Europe/Berlin',
  recurrence: 'FREQ=MONTHLY;BYMONTHDAY=1,20',
  recurrence_end: null,
  color: '#123456',
  priority: 50,
  enabled: 1,
  created_at: 0,
  updated_at: 0,
};
const bodyOf = (draft: Draft) => {
  const made = planOf(draft);
  if ('mistake' in made) assert.fail(made.mistake);
  return made.body;
};

test('first missing value in the order of the form is reported', () => {
  const empty = newDraft([], newWhen(DAY));
  const subject = { kind: 'playlist', id: 'pl1' } as const;
  assert.deepEqual(planOf(empty), { mistake: 'needShow' });
  assert.deepEqual(planOf({ ...empty, subject }), { mistake: 'needTargets' });
  assert.deepEqual(planOf({ ...empty, subject, targets: [named], when: { ...empty.when, first: '' } }), {
    mistake: 'badFirst',
  });
  assert.ok('body' in planOf({ ...empty, subject, targets: [named] }));
});

test('new plan is sent completely, with a time zone only if the user chose one', () => {
  const draft: Draft = {
    ...newDraft([named], newWhen(DAY)),
    subject: { kind: 'layout', id: 'l1' },
    zoneId: 'z1',
    title: ' Sale ',
  };
  assert.deepEqual(bodyOf(draft), {
    playlist_id: null,
    content_id: null,
    widget_id: null,
    layout_id: 'l1',
    zone_id: null,
    start_time: '2026-11-20T00:00:00',
    end_time: '2026-11-21T00:00:00',
    recurrence: null,
    recurrence_end: null,
    targets: [screen],
    title: 'Sale',
    color: null,
    priority: 0,
    enabled: 1,
  });
  assert.equal(bodyOf({ ...draft, timezone: 'Asia/Tokyo' }).timezone, 'Asia/Tokyo');
});

test('only changed values of a plan are sent, so that changes by other users stay', () => {
  const before = draftOf(PLAN);
  const change = (part: Partial<Draft>) => changeOf(bodyOf({ ...before, ...part }), { ...before, ...part }, before);
  assert.deepEqual(change({}), {});
  assert.deepEqual(change({ title: 'Winter' }), { title: 'Winter' });
  assert.deepEqual(change({ targets: [named] }), { targets: [screen] });
  assert.deepEqual(change({ subject: { kind: 'content', id: 'c1' } }), {
    playlist_id: null,
    content_id: 'c1',
    widget_id: null,
    layout_id: 'l1',
    zone_id: 'z1',
  });
  assert.deepEqual(change({ when: { ...before.when, from: '08:00' } }), {
    start_time: '2026-11-20T08:00:00',
    end_time: '2026-11-20T10:00:00',
    recurrence: PLAN.recurrence,
    recurrence_end: null,
  });
});

test('three priorities have names, and other numbers of API clients have none', () => {
  for (const word of ['normal', 'before', 'urgent'] as const) assert.equal(strengthOf(STRENGTHS[word]), word);
  assert.equal(strengthOf(50), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreCampaign } from '../../../shared/contract/headquarters/managed.ts';
import { standingOf } from './storeCampaigns.utils.ts';

const NOON = Date.UTC(2026, 11, 4, 12);
const campaign = (more: Partial<StoreCampaign> = {}): StoreCampaign => ({
  id: 'advent',
  name: 'Advent',
  rank: 'must',
  start_time: '2026-12-04T13:00:00',
  end_time: '2026-12-24T20:00:00',
  recurrence: null,
  recurrence_end: null,
  begins: 'whole',
  playlist_id: 'list',
  layout_id: null,
  timezone: 'UTC',
  screen_tags: [],
  screens: 2,
  screen_names: ['Door', 'Till'],
  wanted: 1,
  applied: 1,
  is_whole: true,
  phase: 'on_screens',
  bytes: 10,
  bytes_left: 0,
  rate: null,
  ready: 2,
  why: '',
  told_at: 1,
  slots: [],
  ...more,
});

test("delivered campaign is planned, running or over by the clock of the store's screens", () => {
  assert.equal(standingOf(campaign(), NOON), 'planned');
  assert.equal(standingOf(campaign({ timezone: 'Europe/Berlin' }), NOON), 'now', '13:00 there');
  assert.equal(standingOf(campaign(), NOON + 3_600_000), 'now');
  assert.equal(standingOf(campaign(), Date.UTC(2026, 11, 24, 20)), 'over');
  const daily = campaign({ recurrence: 'FREQ=DAILY' });
  assert.equal(standingOf(daily, Date.UTC(2027, 0, 1)), 'pause');
  assert.equal(standingOf({ ...daily, phase: 'showing' }, Date.UTC(2027, 0, 1)), 'now');
});

test('campaign that is refused or incomplete has the state of its phase, whatever the time', () => {
  assert.equal(standingOf(campaign({ phase: 'refused' }), NOON), 'refused');
  assert.equal(standingOf(campaign({ phase: 'fetching' }), NOON), 'fetching');
  assert.equal(standingOf(campaign({ phase: 'told', rank: null, start_time: null, end_time: null }), NOON), 'told');
  assert.equal(standingOf(campaign({ rank: 'offer' }), NOON), 'offer');
  assert.equal(standingOf(campaign({ wanted: null, phase: null }), NOON), 'stayed');
});

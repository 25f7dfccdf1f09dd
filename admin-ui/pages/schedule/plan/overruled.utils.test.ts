import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from '../../../../shared/contract/screens/schedules.ts';
import { overruledIn } from './overruled.utils.ts';

const schedule = (change: Partial<Schedule>): Schedule => ({
  id: 's',
  workspace_id: 'w',
  plan_id: null,
  device_id: 'd',
  group_id: null,
  zone_id: null,
  content_id: null,
  widget_id: null,
  layout_id: null,
  playlist_id: 'p',
  title: '',
  start_time: '2026-11-16T09:00:00',
  end_time: '2026-11-16T11:00:00',
  timezone: 'UTC',
  recurrence: null,
  recurrence_end: null,
  color: null,
  priority: 0,
  enabled: 1,
  created_at: 0,
  updated_at: 0,
  ...change,
});
const day = { from: Date.parse('2026-11-16T00:00Z'), to: Date.parse('2026-11-17T00:00Z') };
const at = (time: string) => Date.parse(`2026-11-16T${time}Z`);
const in_ = (schedules: Schedule[]) => overruledIn({ schedules, layouts: [], baseLayoutId: null }, day.from, day.to);

test('plan with the higher priority wins exactly while both plans overlap', () => {
  const found = in_([
    schedule({ id: 'low' }),
    schedule({ id: 'high', priority: 5, start_time: '2026-11-16T10:00:00', end_time: '2026-11-16T12:00:00' }),
  ]);
  assert.deepEqual([...found], [['low', [{ from: at('10:00'), to: at('11:00'), by: 'high', because: 'priority' }]]]);
});

test('plan of the screen wins over a plan of its group with any priority', () => {
  const found = in_([
    schedule({ id: 'own' }),
    schedule({ id: 'group', device_id: null, group_id: 'g', priority: 100 }),
  ]);
  assert.equal(found.get('group')?.[0]?.because, 'device-over-group');
});

test('disabled plan displaces no other plan', () => {
  assert.equal(in_([schedule({ id: 'a' }), schedule({ id: 'off', priority: 9, enabled: 0 })]).size, 0);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate } from '../../../shared/program/civil.ts';
import { bodyOf, draftOf, mistakeOf, newDraft, toSchedule, withStart } from './form.utils.ts';

const friday = parseDate('2026-11-20');
const draft = { ...newDraft({ kind: 'screen', id: 'd' }, 'Europe/Berlin', friday, 22 * 60, 26 * 60), playlist_id: 'p' };

test('hours swept beyond midnight end on the next day', () => {
  assert.deepEqual(
    [draft.startDate, draft.startTime, draft.endDate, draft.endTime],
    ['2026-11-20', '22:00', '2026-11-21', '02:00'],
  );
});

test('another start takes the end and the weekday along', () => {
  const moved = withStart(
    { ...draft, repeat: { ...draft.repeat, kind: 'weekly', days: [1, 5] } },
    { startDate: '2026-11-19' },
  );
  assert.deepEqual([moved.endDate, moved.endTime, moved.repeat.days], ['2026-11-20', '02:00', [1, 4]]);
});

test('what is not chosen is sent as nothing, so that what was there before goes', () => {
  const body = bodyOf({ ...draft, kind: 'content', content_id: 'c', zone_id: 'z' });
  assert.deepEqual([body.playlist_id, body.content_id, body.zone_id, body.group_id], [null, 'c', 'z', null]);
  assert.equal(bodyOf({ ...draft, kind: 'layout', layout_id: 'l', zone_id: 'z' }).zone_id, null);
});

test('mistakes are named before anything is sent', () => {
  assert.equal(mistakeOf(draft), null);
  assert.equal(mistakeOf({ ...draft, playlist_id: null }), 'needShow');
  assert.equal(mistakeOf({ ...draft, endDate: '2026-11-20' }), 'endBeforeStart');
  assert.equal(mistakeOf({ ...draft, startTime: '' }), 'badTime');
});

test('a plan is the same after it was in the form', () => {
  const schedule = {
    ...toSchedule({ ...draft, repeat: { ...draft.repeat, kind: 'weekly', days: [5] }, color: '#123456' }, 0),
    id: 's',
  };
  assert.deepEqual({ ...toSchedule(draftOf(schedule), 0), id: 's' }, schedule);
});

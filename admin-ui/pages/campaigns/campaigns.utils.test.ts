import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDate, parseDate } from '../../../shared/program/civil.ts';
import type { ChainStore } from '../../api/chain/stores.ts';
import {
  changeOf,
  daysOf,
  daysShown,
  differences,
  draftOf,
  mistakesIn,
  newCampaign,
  newSlot,
  partOf,
  phaseOf,
  reachOf,
  UNCHOSEN,
} from './campaigns.utils.ts';

const made = newCampaign('Sale', parseDate('2026-11-26'), []);

test('new campaign begins tomorrow, runs for two weeks in all stores, and has no mistakes', () => {
  assert.deepEqual([made.start_time, made.end_time], ['2026-11-27T00:00:00', '2026-12-11T00:00:00']);
  assert.equal(mistakesIn(draftOf(made), undefined).count, 0);
  assert.deepEqual(newCampaign('Sale', 0, ['North']).where.regions, ['North']);
});

test('only differences between draft and stored campaign are sent', () => {
  const before = draftOf(made);
  assert.deepEqual(changeOf(before, before), {});
  const ending = { kind: 'date', date: '2026-12-24' } as const;
  assert.deepEqual(changeOf({ ...before, rank: 'offer', when: { ...before.when, ending } }, before), {
    ...{ rank: 'offer', start_time: '2026-11-27T00:00:00', end_time: '2026-12-25T00:00:00' },
    ...{ recurrence: null, recurrence_end: null },
  });
});

test('mistakes are reported at their fields: name, layout, days, and each slot', () => {
  const draft = draftOf(made);
  const slots = [newSlot('Offer', 1), newSlot(' ', 0), newSlot('Far', 9), { ...newSlot('None', 0), kinds: [] }];
  const ending = { kind: 'date', date: '2020-01-01' } as const;
  assert.deepEqual(
    mistakesIn({ ...draft, name: ' ', layout_id: UNCHOSEN, when: { ...draft.when, ending }, slots }, 4),
    {
      ...{ name: 'missing', layout: 'missing', when: 'lastBeforeFirst' },
      slots: { 1: 'missing', 2: 'after', 3: 'kinds' },
      count: 6,
    },
  );
  // The number of playlist items is not known yet.
  assert.deepEqual(mistakesIn({ ...draft, slots }, undefined).slots, { 1: 'missing', 3: 'kinds' });
});

test('campaign reaches enrolled stores in its regions with its tags, and stores that it names', () => {
  const store = (id: string, region: string, line: ChainStore['line'], ...tags: string[]): ChainStore => ({
    ...{ id, name: id, region, line, tags },
  });
  const stores = [
    store('mill', 'North', 'up', 'City'),
    store('dock', 'North', 'down'),
    store('pier', 'South', 'up', 'city'),
    store('barn', 'South', 'new', 'city'),
    store('yard', 'West', 'left'),
  ];
  const reach = (regions: string[], tags: string[], store_ids: string[]) => {
    const found = reachOf({ regions, tags, store_ids }, stores);
    return [found.stores, found.down];
  };
  assert.deepEqual(reach([], [], []), [3, 1]);
  assert.deepEqual(reach(['North'], [], []), [2, 1]);
  assert.deepEqual(reach([], ['CITY'], []), [2, 0]);
  assert.deepEqual(reach(['North'], ['city'], ['dock']), [2, 1]);
  assert.deepEqual(reach([], [], ['dock', 'barn']), [1, 1]);
});

test('page of a delivered campaign opens with its progress, and of any other campaign with its settings', () => {
  const phases = { told: 0, fetching: 0, armed: 0, on_screens: 0, showing: 0, refused: 0, unheard: 1, late: 0 };
  assert.equal(partOf(undefined, { phases, edition: 1 }), 'stores');
  assert.equal(partOf('edit', { phases, edition: 1 }), 'edit');
  assert.equal(partOf('stores', { phases: null, edition: 1 }), 'edit');
  assert.equal(partOf('editions', { phases: null, edition: 1 }), 'editions');
  assert.equal(partOf('editions', { phases: null, edition: null }), 'edit');
  assert.equal(partOf('plays', { phases: null, edition: 1 }), 'plays');
  assert.equal(partOf('plays', { phases: null, edition: null }), 'edit');
  assert.deepEqual([phaseOf('late'), phaseOf('unheard'), phaseOf('rain')], ['late', 'unheard', undefined]);
});

test('a note for colleagues is no difference between two editions', () => {
  assert.deepEqual(differences(made, { ...made, note: 'N' }), []);
  const other = { ...made, name: 'Sale 2', rank: 'default' as const, whole_screen: false, playlist_id: 'p' };
  assert.deepEqual(differences(made, other), ['name', 'playlist', 'layout', 'rank']);
  const placed = { ...made, slots: [newSlot('Offer', 0)] };
  assert.deepEqual(differences(placed, { ...made, slots: [{ ...newSlot('Offer', 0), id: 'x' }] }), []);
});

test('days of a campaign are the first and the last on which it is shown', () => {
  const days = (
    start_time: string,
    end_time: string,
    recurrence: string | null = null,
    recurrence_end: string | null = null,
  ) => daysOf({ start_time, end_time, recurrence, recurrence_end });
  const day = parseDate('2026-12-01');
  assert.deepEqual(days('2026-12-01T00:00:00', '2026-12-02T00:00:00'), [day, day]);
  assert.deepEqual(days('2026-12-01T09:00:00', '2026-12-03T18:00:00'), [day, day + 2]);
  assert.deepEqual(days('2026-12-01T09:00:00', '2026-12-01T18:00:00', 'FREQ=DAILY'), [day, null]);
  assert.deepEqual(days('2026-12-01T09:00:00', '2026-12-01T18:00:00', 'FREQ=DAILY', '2026-12-05'), [day, day + 4]);
});

test('plays cover the days of the campaign until today, at most 31 days', () => {
  const days = (today: string, more: Partial<Parameters<typeof daysShown>[0]> = {}) => {
    const times = {
      start_time: '2026-03-05T08:00:00',
      end_time: '2026-03-20T20:00:00',
      recurrence: null,
      recurrence_end: null,
    };
    const { start, end } = daysShown({ ...times, ...more }, parseDate(today));
    return [formatDate(start), formatDate(end)];
  };
  assert.deepEqual(days('2026-03-10'), ['2026-03-05', '2026-03-10']);
  assert.deepEqual(days('2026-05-01'), ['2026-03-05', '2026-03-20']);
  assert.deepEqual(days('2026-03-01'), ['2026-03-01', '2026-03-01'], 'before it begins');
  assert.deepEqual(days('2026-05-01', { recurrence: 'FREQ=DAILY' }), ['2026-04-01', '2026-05-01']);
});

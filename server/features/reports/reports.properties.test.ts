/** Tests that reports from sums equal a count of all plays, for any plays and any period. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Summary } from '../../../shared/contract/server/reports.ts';
import type { Play } from '../../../shared/protocol/messages.ts';
import { runCount } from '../../../test/run-count.ts';
import { openDatabase } from '../../db/open.ts';
import type { Which } from './ingest/play-tables.ts';
import { openReader } from './testing/open-reader.ts';
import { addDevice, addWorkspace, playAt, takeIn } from './testing/plays.ts';

const db = openDatabase(':memory:');
after(() => db.close());
const reader = openReader(db.raw);
const clock = { now: () => Date.UTC(2027, 0, 1) };

/** Zones with days on which clocks change, or with unusual offsets. */
const PLACES = [
  { zone: 'Europe/Berlin', day: Date.UTC(2026, 2, 29) },
  { zone: 'Europe/Berlin', day: Date.UTC(2026, 9, 25) },
  { zone: 'America/New_York', day: Date.UTC(2026, 10, 1) },
  { zone: 'Australia/Lord_Howe', day: Date.UTC(2026, 3, 5) },
  { zone: 'Asia/Kathmandu', day: Date.UTC(2026, 0, 1) },
  { zone: 'Pacific/Chatham', day: Date.UTC(2026, 8, 27) },
  { zone: 'UTC', day: Date.UTC(2026, 5, 1) },
];
const DAY_MS = 86_400_000;

interface Shown {
  readonly device: string;
  readonly play: Play;
}

const arbitraryInstant = fc.oneof(
  fc.integer({ min: -2 * DAY_MS, max: 3 * DAY_MS }),
  // Instants at the edges of quarter-hours, where an error of one millisecond would show.
  fc
    .tuple(fc.integer({ min: -192, max: 288 }), fc.integer({ min: -1, max: 1 }))
    .map(([quarter, ms]) => quarter * 900_000 + ms),
);
const arbitraryPlay = fc.record({
  at: arbitraryInstant,
  ms: fc.integer({ min: 0, max: 3_600_000 }),
  device: fc.integer({ min: 0, max: 2 }),
  shown: fc.constantFrom<Partial<Play>>(
    { content_id: 'a', content_name: 'a.jpg' },
    { content_id: 'b', content_name: 'b.jpg' },
    { content_id: 'a', content_name: 'a.jpg', playlist_id: 'night' },
    { content_id: null, widget_id: 'a', content_name: 'Clock' },
    { content_id: null, widget_id: null, content_name: 'Fallback' },
    { content_id: null, widget_id: null, content_name: 'Logo' },
  ),
});

/** Reference implementation of the reports: slow and simple. */
const count = (all: readonly Shown[], period: { start: number; end: number }, zone: string): Summary => {
  const shown = all.filter(({ play }) => play.started_at >= period.start && play.started_at < period.end);
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  const local = (ms: number, ...types: string[]) =>
    parts
      .formatToParts(ms)
      .filter((p) => types.includes(p.type))
      .map((p) => p.value)
      .join('-');
  const sum = (of: readonly Shown[]) => ({
    plays: of.length,
    total_seconds: of.reduce((ms, { play }) => ms + play.ended_at - play.started_at, 0) / 1000,
  });
  const groups = <K>(key: (shown: Shown) => K) => [...Map.groupBy(shown, key)];
  const { plays, total_seconds } = sum(shown);
  // Durations are whole milliseconds, so that rounding of halves is exact.
  const ms = Math.round(total_seconds * 1000);
  const contents = groups(({ play }) => JSON.stringify([play.content_id, play.widget_id, play.content_name]));
  const devices = groups(({ device }) => device);
  return {
    overall: {
      total_plays: plays,
      total_seconds,
      total_hours: Math.round(ms / 3600) / 1000,
      unique_content: contents.length,
      unique_devices: devices.length,
      avg_duration_sec: plays === 0 ? 0 : Math.round(ms / plays) / 1000,
    },
    by_content: contents.map(([, of]) => ({
      content_id: of[0]!.play.content_id,
      widget_id: of[0]!.play.widget_id,
      content_name: of[0]!.play.content_name,
      ...sum(of),
    })),
    by_device: devices.map(([device, of]) => ({ device_id: device, device_name: device, ...sum(of) })),
    by_hour: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      ...sum(shown.filter(({ play }) => Number(local(play.started_at, 'hour')) === hour)),
    })),
    by_day: groups(({ play }) => local(play.started_at, 'year', 'month', 'day')).map(([day, of]) => ({
      day,
      ...sum(of),
    })),
  };
};

/** Sorts rows, because the order among equals does not matter here. */
const sorted = (summary: Summary) => ({
  ...summary,
  by_content: [...summary.by_content].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  by_device: [...summary.by_device].sort((a, b) => (a.device_id < b.device_id ? -1 : 1)),
  by_day: [...summary.by_day].sort((a, b) => (a.day < b.day ? -1 : 1)),
});

let runs = 0;

const addTag = db.raw.prepare("INSERT INTO device_tags (device_id, tag) VALUES (?, 'door')");

/** Returns filters of every kind: answered from sums of devices, from sums of contents, and from plays. */
const narrowed = (names: readonly string[]): { filter: Which; has: (shown: Shown) => boolean }[] => {
  const isA = ({ play }: Shown) => play.content_id === 'a';
  const isAny = ({ play }: Shown) => play.content_id === 'a' || play.content_id === 'b';
  const isTagged = ({ device }: Shown) => names.indexOf(device) < 2;
  const isNight = ({ play }: Shown) => play.playlist_id === 'night';
  const contentIds = JSON.stringify(['a', 'b', 'never']);
  return [
    { filter: { contentId: 'a' }, has: isA },
    { filter: { contentIds }, has: isAny },
    { filter: { tag: 'door' }, has: isTagged },
    { filter: { tag: 'door', contentIds }, has: (shown) => isTagged(shown) && isAny(shown) },
    { filter: { deviceId: names[0]!, contentId: 'a' }, has: (shown) => shown.device === names[0] && isA(shown) },
    { filter: { deviceId: names[2]!, tag: 'door' }, has: () => false },
    { filter: { playlistId: 'night' }, has: isNight },
    { filter: { playlistId: 'night', contentId: 'a' }, has: (shown) => isNight(shown) && isA(shown) },
  ];
};

test('sums equal the plays for every zone, period and device, also on days when clocks change', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PLACES),
      fc.array(arbitraryPlay, { maxLength: 40 }),
      fc.array(fc.tuple(arbitraryInstant, arbitraryInstant), { minLength: 1, maxLength: 6 }),
      async ({ zone, day }, plays, periods) => {
        const workspaceId = `w${++runs}`;
        addWorkspace(db, workspaceId);
        const names = [0, 1, 2].map((n) => `${workspaceId}-${n}`);
        for (const name of names) addDevice(db, workspaceId, name);
        for (const name of names.slice(0, 2)) addTag.run(name);
        const all = plays.map(
          ({ at, ms, device, shown }): Shown => ({
            device: names[device]!,
            play: playAt(day + at, { ...shown, ended_at: day + at + ms }),
          }),
        );
        for (const name of names)
          await takeIn(
            db,
            clock,
            name,
            all.filter(({ device }) => device === name).map(({ play }) => play),
          );
        for (const [a, b] of periods) {
          const period = { start: day + Math.min(a, b), end: day + Math.max(a, b) };
          for (const { filter, has } of narrowed(names)) {
            const those = all.filter(has);
            assert.deepEqual(
              sorted(reader.summary({ workspaceId, ...filter, ...period, zone })),
              sorted(count(those, period, zone)),
              JSON.stringify(filter),
            );
            const right = those.filter(({ play: { started_at: at } }) => at >= period.start && at < period.end);
            const { rows, total } = reader.plays({ workspaceId, ...filter, ...period, limit: 5, offset: 2 });
            assert.deepEqual([total, rows.length], [right.length, Math.min(5, Math.max(0, right.length - 2))]);
          }
          for (const deviceId of [undefined, ...names]) {
            const those = all.filter(({ device }) => deviceId === undefined || device === deviceId);
            assert.deepEqual(
              sorted(reader.summary({ workspaceId, deviceId, ...period, zone })),
              sorted(count(those, period, zone)),
            );
            for (const contentId of [undefined, 'a']) {
              const right = those.filter(
                ({ play }) =>
                  (contentId === undefined || play.content_id === contentId) &&
                  play.started_at >= period.start &&
                  play.started_at < period.end,
              );
              const starts = right.map(({ play }) => play.started_at).sort((a, b) => b - a);
              for (const offset of [0, 1, 7, right.length - 1].filter((at) => at >= 0)) {
                const { rows, total } = reader.plays({ workspaceId, deviceId, contentId, ...period, limit: 5, offset });
                assert.equal(total, right.length);
                assert.deepEqual(
                  rows.map((row) => row.started_at),
                  starts.slice(offset, offset + 5).map((ms) => Math.floor(ms / 1000)),
                );
              }
            }
          }
        }
      },
    ),
    { numRuns: runCount(25, 60) },
  );
});

test('sending the same plays again changes no sum', async () => {
  addWorkspace(db, 'twice');
  addDevice(db, 'twice', 'till');
  const plays = [playAt(Date.UTC(2026, 5, 1, 9)), playAt(Date.UTC(2026, 5, 1, 10))];
  await takeIn(db, clock, 'till', plays);
  await takeIn(db, clock, 'till', plays);
  const overall = (which: Which & { workspaceId: string }) => {
    const summary = reader.summary({ ...which, start: 0, end: clock.now(), zone: 'UTC' });
    return [summary.overall.total_plays, summary.overall.total_seconds];
  };
  assert.deepEqual(overall({ workspaceId: 'twice' }), [2, 20]);
  for (const never of [{ workspaceId: 'never' }, { workspaceId: 'twice', deviceId: 'never' }])
    assert.deepEqual(
      [overall(never), overall({ ...never, contentId: 'photo' })],
      [
        [0, 0],
        [0, 0],
      ],
    );
});

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Cue } from '../../../shared/program/program.ts';
import type { ScreenReport } from '../host/host.ts';
import { item } from '../testing/programs.ts';
import { endOf, TurnLog } from './turn-log.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 2, 1, 12);

// The page's clock stands still. A busy machine takes time between two readings.
mock.method(performance, 'now', () => 1_000);

/** A page with paints and a host clock that the test controls. */
const page = () => {
  let [painted, offset]: [number, number] = [1_000, NOON - 1_000];
  const reports: ScreenReport[] = [];
  const host = { report: (report: ScreenReport) => void reports.push(report), now: () => performance.now() + offset };
  const loop = { afterPaint: (callback: (paintedAt: number) => void) => callback(painted) };
  return {
    context: { host, loop, stats: { add: () => {} }, glimpses: { record: () => {}, gone: () => {} } },
    pass: (ms: number) => void (painted += ms),
    set: (ms: number) => void (offset += ms),
    get now() {
      return painted + offset;
    },
    plays: () =>
      reports.flatMap((report) => {
        if (report.type !== 'ended') return [];
        const start = reports.find((other) => other.type === 'shown' && other.turn === report.turn);
        return start?.type === 'shown'
          ? [
              {
                zone: start.zone_id,
                began: start.started_at,
                lasted: Math.round(report.ended_at - start.started_at),
                completed: report.completed,
              },
            ]
          : [];
      }),
  };
};

const cueOf = (since: number, ms: number): Cue => ({
  item: item(1, {}),
  since,
  until: since + ms,
  playlist_id: 'p',
  source: { kind: 'device' },
});
const wrong = (what: string, value: number, wanted: number) =>
  assert.ok(Math.abs(value - wanted) <= 1, `${what}: ${value}, not ${wanted}`);

for (const jump of [HOUR, -HOUR, 3 * 365 * 24 * HOUR, 700, -700]) {
  test(`play over a clock jump of ${jump} ms is reported as incomplete, with its visible duration`, () => {
    const screen = page();
    const zones = ['left', 'right'].map((zone) => new TurnLog(zone, screen.context));
    const began = screen.now;
    for (const zone of zones) zone.change(cueOf(began, 3_000), { measure: false });
    screen.pass(1_400);
    screen.set(jump);
    screen.pass(30);
    const next = screen.now;
    for (const zone of zones) zone.change(cueOf(next, 3_000), { measure: false });
    screen.pass(3_000);
    for (const zone of zones) zone.change(null, { measure: false });
    for (const [i, { zone, began: start, lasted, completed }] of screen.plays().entries()) {
      assert.equal(zone, ['left', 'right'][i % 2]);
      wrong('start', start, i < 2 ? began : next);
      wrong('length', lasted, i < 2 ? 1_430 : 3_000);
      assert.equal(completed, i >= 2);
    }
    assert.equal(screen.plays().length, 4);
  });
}

test('play over a clock jump is complete when it was visible for its whole duration', () => {
  for (const [jump, seen, whole] of [
    [-HOUR, 3 * HOUR, true],
    [HOUR, HOUR, false],
  ] as const) {
    const screen = page();
    const log = new TurnLog('full', screen.context);
    log.change(cueOf(screen.now, 2 * HOUR), { measure: false });
    screen.pass(HOUR / 2);
    screen.set(jump);
    screen.pass(seen - HOUR / 2);
    log.change(null, { measure: false });
    const [play] = screen.plays();
    wrong('length', play?.lasted ?? 0, seen);
    assert.equal(play?.completed, whole);
  }
});

test("end of a play is read from the server's clock unless that clock has jumped", () => {
  const start = { at: NOON, mono: 0 };
  // Differences that slewing and drift explain: 250 ms slewed in 50 s; a day with a crystal that is off by 100 ppm; 10
  // s at the slew rate.
  for (const [passed, told] of [
    [60_000, 60_250],
    [24 * HOUR, 24 * HOUR * 1.0001],
    [10_000, 9_950],
  ] as const) {
    assert.equal(endOf(start, { at: NOON + told, mono: passed }), NOON + told);
  }
  assert.equal(endOf(start, { at: NOON + 10_300, mono: 10_000 }), NOON + 10_000);
});

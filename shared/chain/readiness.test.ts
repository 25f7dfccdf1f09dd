/** Tests the forecast whether a store will have all files of a campaign in time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PHASES } from './campaign.ts';
import { forecast, HEARD_PHASES, type Heard, phaseCounts } from './readiness.ts';

const HOUR = 3_600;
const NOW = 1_000_000;
const heardOf = (more: Partial<Heard> = {}): Heard => ({
  edition: 2,
  phase: 'fetching',
  applied: null,
  bytes_left: 1_000,
  rate: 10,
  screens: 3,
  ready: 0,
  why: '',
  told_at: NOW,
  ...more,
});
const askedOf = (more: Partial<Parameters<typeof forecast>[1]> = {}) => ({
  edition: 2,
  isLineUp: true,
  starts: NOW + 24 * HOUR,
  ends: NOW + 48 * HOUR,
  given: NOW - HOUR,
  now: NOW,
  ...more,
});
const anyHeard = fc.record({
  edition: fc.integer({ min: 1, max: 4 }),
  phase: fc.constantFrom(...PHASES),
  applied: fc.constant(null),
  bytes_left: fc.nat(10 ** 12),
  rate: fc.option(fc.nat(10 ** 9)),
  screens: fc.nat(100),
  ready: fc.nat(100),
  why: fc.constant(''),
  told_at: fc.integer({ min: NOW - 7 * 24 * HOUR, max: NOW }),
});
const anyAsked = fc.record({
  edition: fc.integer({ min: 1, max: 4 }),
  isLineUp: fc.boolean(),
  starts: fc.integer({ min: NOW - 7 * 24 * HOUR, max: NOW + 7 * 24 * HOUR }),
  ends: fc.constantFrom(NOW + 8 * 24 * HOUR, Number.POSITIVE_INFINITY),
  given: fc.integer({ min: NOW - 24 * HOUR, max: NOW }),
  now: fc.constant(NOW),
});

test('forecast uses the recent download rate, and is late when the download ends after the start', () => {
  assert.deepEqual(forecast(heardOf(), askedOf()), { phase: 'fetching', ready_at: NOW + 100, is_late: false });
  assert.equal(forecast(heardOf(), askedOf({ starts: NOW + 99 })).is_late, true);
  assert.equal(forecast(heardOf(), askedOf({ starts: NOW + 100 })).is_late, false);
  assert.equal(forecast(heardOf({ told_at: NOW - 500 }), askedOf()).ready_at, NOW, 'nothing is ready in the past');
});

test('campaign sent after its start is not late for five minutes while the store is connected', () => {
  const at = (ago: number, isLineUp: boolean, heard: Heard | undefined = undefined) =>
    forecast(heard, askedOf({ starts: NOW - HOUR, given: NOW - ago, isLineUp })).is_late;
  assert.deepEqual([at(299, true), at(300, true), at(0, false)], [false, true, true]);
  assert.equal(at(0, true, heardOf({ bytes_left: 3_000 })), false);
  assert.equal(at(0, true, heardOf({ bytes_left: 3_010 })), true);
  assert.equal(at(0, true, heardOf({ phase: 'refused' })), true);
});

test('campaign that has ended is not late', () => {
  const refused = heardOf({ phase: 'refused' });
  assert.equal(forecast(refused, askedOf()).is_late, true);
  assert.deepEqual(forecast(refused, askedOf({ ends: NOW })), { phase: 'refused', ready_at: null, is_late: false });
  assert.equal(forecast(undefined, askedOf({ starts: NOW - 2, ends: NOW + 1 })).is_late, true);
  assert.equal(forecast(undefined, askedOf({ starts: NOW - 2, ends: NOW })).is_late, false);
});

test('campaign without a forecast is late from an hour before the start', () => {
  const unknown: [string, Heard | undefined, boolean][] = [
    ['not heard of', undefined, true],
    ['told, and no more', heardOf({ phase: 'told' }), true],
    ['no rate yet', heardOf({ rate: null }), true],
    ['nothing comes', heardOf({ rate: 0 }), true],
    ['the line is down', heardOf(), false],
    ['of an edition before', heardOf({ edition: 1, phase: 'showing' }), true],
  ];
  for (const [what, heard, isLineUp] of unknown) {
    const at = (starts: number) => forecast(heard, askedOf({ isLineUp, starts }));
    assert.deepEqual(
      [at(NOW + HOUR + 1).is_late, at(NOW + HOUR).is_late, at(NOW - 1).is_late],
      [false, true, true],
      what,
    );
    assert.equal(at(NOW).ready_at, null, what);
  }
});

test('complete campaign is never late, and a refused campaign is always late', () => {
  fc.assert(
    fc.property(anyHeard, anyAsked, (heard, asked) => {
      const { phase, ready_at, is_late } = forecast(heard, asked);
      const isOfIt = heard.edition === asked.edition;
      assert.equal(phase, isOfIt ? heard.phase : 'unheard');
      if (isOfIt && ['armed', 'on_screens', 'showing'].includes(heard.phase))
        assert.deepEqual([ready_at, is_late], [null, false]);
      if (isOfIt && heard.phase === 'refused') assert.deepEqual([ready_at, is_late], [null, true]);
      if (ready_at !== null) {
        assert.ok(asked.isLineUp && heard.phase === 'fetching' && ready_at >= asked.now);
        assert.equal(is_late, ready_at > Math.max(asked.starts, asked.given + 300));
      }
    }),
  );
});

test('moving the start of a campaign to a later time never makes the campaign late', () => {
  fc.assert(
    fc.property(fc.option(anyHeard, { nil: undefined }), anyAsked, fc.nat(7 * 24 * HOUR), (heard, asked, later) => {
      if (!forecast(heard, asked).is_late)
        assert.equal(forecast(heard, { ...asked, starts: asked.starts + later }).is_late, false);
    }),
  );
});

test('phaseCounts counts each store once, and counts a store without a report as `unheard`', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ phase: fc.constantFrom(...PHASES), stores: fc.nat(1_000) }), {
        selector: (one) => one.phase,
      }),
      fc.nat(1_000),
      (heard, silent) => {
        const told = heard.reduce((sum, one) => sum + one.stores, 0);
        const counts = phaseCounts(told + silent, heard);
        assert.deepEqual(Object.keys(counts).sort(), [...HEARD_PHASES].sort());
        assert.equal(counts.unheard, silent);
        assert.equal(
          Object.values(counts).reduce((sum, count) => sum + count, 0),
          told + silent,
        );
      },
    ),
  );
  assert.equal(phaseCounts(1, [{ phase: 'armed', stores: 2 }]).unheard, 0, 'while a store is being taken out of it');
});

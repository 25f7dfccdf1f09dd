import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { BadBytes } from './bytes.ts';
import {
  decodeColumns,
  encodeColumns,
  firstHead,
  headOf,
  playAsWritten,
  type SegmentBody,
  type SegmentPlay,
  segmentText,
} from './segment.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const id = fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 12 }));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
/** Times in milliseconds up to the latest time that counts as plausible (plays-ingest.ts). */
const ms = fc.integer({ min: 0, max: 4e15 });

const turn = fc.record({
  item_id: maybe(fc.integer()),
  playlist_id: maybe(id),
  content_id: maybe(id),
  widget_id: maybe(id),
  zone_id: maybe(id),
  content_name: fc.string({ unit: 'grapheme', maxLength: 20 }),
});
const body = fc
  .record({
    devices: fc.uniqueArray(
      fc.record({ id, name: fc.string({ unit: 'grapheme', maxLength: 10 }), key: maybe(digits(64)) }),
      { minLength: 1, maxLength: 4, selector: (device) => device.id },
    ),
    turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
    rows: fc.array(
      fc.record({
        step: fc.integer({ min: 1, max: 1000 }),
        device: fc.nat(),
        turn: fc.nat(),
        seq: fc.integer({ min: 1, max: 2 ** 40 }),
        play_id: id,
        boot_id: maybe(id),
        started_ms: ms,
        length: fc.integer({ min: 0, max: 86_400_000 }),
        completed: fc.boolean(),
        uncertainty_ms: maybe(
          fc.oneof(
            fc.double({ min: 0, max: 9e15, noNaN: true }),
            fc.nat().map((n) => n / 10),
          ),
        ),
        claimed: maybe(
          fc.tuple(fc.double({ min: 0, max: 8e15, noNaN: true }), fc.double({ min: 0, max: 8e15, noNaN: true })),
        ),
      }),
      { maxLength: 40 },
    ),
    marks: fc.array(fc.tuple(fc.nat(), fc.nat(), digits(64)), { maxLength: 3 }),
    seals: fc.array(fc.tuple(fc.nat(), fc.nat(), digits(128)), { maxLength: 3 }),
  })
  .map(({ devices, turns, rows, marks, seals }): SegmentBody => {
    let number = 0;
    const of = (i: number) => devices[i % devices.length]!.id;
    return {
      devices,
      plays: rows.map(({ step, device, turn, length, ...row }): SegmentPlay => {
        number += step;
        return {
          ...row,
          ...turns[turn % turns.length]!,
          number,
          device_id: of(device),
          ended_ms: row.started_ms + length,
        };
      }),
      marks: marks.map(([i, seq, prev]) => ({ device_id: of(i), seq, prev })),
      seals: seals.map(([i, seq, signature]) => ({ device_id: of(i), seq, signature })),
    };
  });

/** Replaces -0 by 0, because the difference is irrelevant for milliseconds. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

test('decoded segment equals the encoded one exactly', () => {
  fc.assert(fc.property(body, (made) => assert.deepEqual(plain(decodeColumns(encodeColumns(made))), plain(made))));
});

test('encoding a decoded segment gives the same bytes again', () => {
  fc.assert(
    fc.property(body, (made) => {
      const bytes = encodeColumns(made);
      assert.deepEqual(encodeColumns(decodeColumns(bytes)), bytes);
    }),
  );
});

test('decoder of changed bytes throws BadBytes or returns another segment, never the original one', () => {
  fc.assert(
    fc.property(body, fc.nat(), fc.integer({ min: 1, max: 255 }), (made, place, by) => {
      const bytes = encodeColumns(made);
      bytes[place % bytes.length]! ^= by;
      try {
        assert.notDeepEqual(plain(decodeColumns(bytes)), plain(made));
      } catch (error) {
        assert.ok(error instanceof BadBytes || error instanceof assert.AssertionError, String(error));
        if (error instanceof assert.AssertionError) throw error;
      }
    }),
  );
});

test('decoder refuses a flag other than 0 or 1, a number with extra bytes, and a dictionary with a blank', () => {
  const made: SegmentBody = { devices: [{ id: 'd', name: '', key: null }], plays: [], marks: [], seals: [] };
  const bytes = encodeColumns(made);
  const text = new TextDecoder().decode(bytes.subarray(1, bytes[0]! + 1));
  const blank = text.replace('"turns":', '"turns": ');
  const longer = [blank.length, ...new TextEncoder().encode(blank), ...bytes.subarray(bytes[0]! + 1)];
  assert.throws(() => decodeColumns(Uint8Array.from(longer)), /wrong form/);
  assert.throws(() => decodeColumns(Uint8Array.from([...bytes.subarray(0, -1), 0x80, 0])), /too many bytes/);
  const play: SegmentPlay = {
    ...{ number: 1, device_id: 'd', seq: 1, play_id: 'p', item_id: null, playlist_id: null, content_id: null },
    ...{ widget_id: null, zone_id: null, content_name: '', boot_id: null, started_ms: 0, ended_ms: 0 },
    ...{ completed: false, uncertainty_ms: null, claimed: null },
  };
  const [no, yes] = [false, true].map((completed) => encodeColumns({ ...made, plays: [{ ...play, completed }] }));
  const at = no!.findIndex((byte, i) => byte !== yes![i]);
  no![at] = 2;
  assert.throws(() => decodeColumns(no!), /neither/);
});

test('decoder refuses truncated bytes', () => {
  fc.assert(
    fc.property(body, fc.nat(), (made, cut) => {
      const bytes = encodeColumns(made);
      assert.throws(() => decodeColumns(bytes.subarray(0, cut % bytes.length)), BadBytes);
    }),
  );
});

test('chain hash is the same for any division into segments, and another if a play is removed, changed or moved', () => {
  fc.assert(
    fc.property(body, fc.nat(), fc.nat(), ({ plays }, cut, which) => {
      const start = firstHead(sha256, 'e');
      const whole = headOf(sha256, start, plays);
      const at = cut % (plays.length + 1);
      assert.equal(headOf(sha256, headOf(sha256, start, plays.slice(0, at)), plays.slice(at)), whole);
      const play = plays[which % Math.max(1, plays.length)];
      if (!play) return;
      const without = plays.filter((one) => one !== play);
      assert.notEqual(headOf(sha256, start, without), whole);
      const changes: Partial<SegmentPlay>[] = [
        { number: play.number + 1 },
        { device_id: `${play.device_id}x` },
        { seq: play.seq + 1 },
        { play_id: `${play.play_id}x` },
        { item_id: (play.item_id ?? 0) + 1 },
        { playlist_id: `${play.playlist_id}x` },
        { content_id: `${play.content_id}x` },
        { widget_id: `${play.widget_id}x` },
        { zone_id: `${play.zone_id}x` },
        { content_name: `${play.content_name}x` },
        { boot_id: `${play.boot_id}x` },
        { started_ms: play.started_ms + 1 },
        { ended_ms: play.ended_ms + 1 },
        { completed: !play.completed },
        { uncertainty_ms: (play.uncertainty_ms ?? 0) + 1e9 },
        { claimed: [(play.claimed?.[0] ?? 0) + 1e6, 0] },
      ];
      for (const change of changes)
        assert.notEqual(
          headOf(
            sha256,
            start,
            plays.map((one) => (one === play ? { ...one, ...change } : one)),
          ),
          whole,
          JSON.stringify(change),
        );
    }),
    { numRuns: 50 },
  );
});

test('playAsWritten returns the play as its player wrote it, also with implausible times', () => {
  const [made] = fc.sample(
    body.filter(({ plays }) => plays.some(({ claimed }) => claimed !== null)),
    1,
  );
  const play = made!.plays.find(({ claimed }) => claimed !== null)!;
  const { id, started_at, ended_at } = playAsWritten(play);
  assert.deepEqual([id, started_at, ended_at], [play.play_id, ...play.claimed!]);
  const believed = { ...play, claimed: null };
  assert.equal(playAsWritten(believed).started_at, play.started_ms);
});

test('signed text contains every field of the header', () => {
  const header = {
    vitrine: 'segment',
    version: 1,
    store: 's',
    epoch: 'e',
    first: 1,
    last: 2,
    plays: 2,
    prev_head: 'p',
    head: 'h',
  } as const;
  const text = segmentText(header, 'b');
  for (const change of [
    { store: 't' },
    { epoch: 'f' },
    { first: 2 },
    { last: 3 },
    { plays: 1 },
    { prev_head: 'q' },
    { head: 'i' },
  ])
    assert.notEqual(segmentText({ ...header, ...change }, 'b'), text);
  assert.notEqual(segmentText(header, 'c'), text);
});

/**
 * A segment: plays of a range of a store's numbers, with the signatures of their players, as one file that the store
 * signs. A JSON line describes the file, followed by its columns, compressed by the host. `vitrine verify` reads the
 * file. The chain hash (head) links plays, not segments, so that a store may divide the same plays differently when it
 * sends them again.
 */
import { z } from 'zod';
import { hex } from '../protocol/hex.ts';
import type { KeptPlay } from '../protocol/plays-file.ts';
import { BadBytes, ByteReader, ByteWriter, bytesOfHex, hexOf } from './bytes.ts';

/**
 * Maximum number of plays in a segment. A store starts a new segment after this many plays; a larger segment is
 * refused.
 */
export const MAX_SEGMENT_PLAYS = 2_000;
/** Maximum number of compressed bytes; enough even if names have 2,000 letters. */
export const MAX_SEGMENT_BYTES = 8 * 1024 * 1024;
/** Maximum number of uncompressed bytes. */
export const MAX_COLUMN_BYTES = 32 * 1024 * 1024;
/** Maximum bytes of the JSON line. */
export const MAX_HEADER_BYTES = 4 * 1024;

export interface SegmentPlay {
  /** The store's number of the play, unique within an epoch. */
  readonly number: number;
  readonly device_id: string;
  /** Number of the play in the device's journal. */
  readonly seq: number;
  /** The player's id of the play, unique forever. */
  readonly play_id: string;
  readonly item_id: number | null;
  readonly playlist_id: string | null;
  readonly content_id: string | null;
  readonly widget_id: string | null;
  readonly zone_id: string | null;
  readonly content_name: string;
  readonly boot_id: string | null;
  /** Start and end in whole epoch milliseconds, as corrected by the store. */
  readonly started_ms: number;
  readonly ended_ms: number;
  readonly completed: boolean;
  /** Uncertainty of `started_ms` in milliseconds; null: unknown. */
  readonly uncertainty_ms: number | null;
  /** Original times of the player, if they were not plausible. */
  readonly claimed: readonly [started_at: number, ended_at: number] | null;
}

export interface SegmentDevice {
  readonly id: string;
  readonly name: string;
  /** Public key (Ed25519, hex) of the device; null: the device has no signatures in this segment. */
  readonly key: string | null;
}

/** Start of a signed group of plays in a device's journal: the hash of the previous row. */
export interface SegmentMark {
  readonly device_id: string;
  readonly seq: number;
  readonly prev: string;
}
/** Signature of a device for its journal up to the row `seq`. */
export interface SegmentSeal {
  readonly device_id: string;
  readonly seq: number;
  readonly signature: string;
}

export interface SegmentBody {
  readonly devices: readonly SegmentDevice[];
  readonly plays: readonly SegmentPlay[];
  readonly marks: readonly SegmentMark[];
  readonly seals: readonly SegmentSeal[];
}

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
export const SegmentHeader = z.object({
  vitrine: z.literal('segment'),
  version: z.literal(1),
  /** The store's id at headquarters. */
  store: z.string().min(1).max(64),
  epoch: hex(32),
  /**
   * Range of covered numbers, both inclusive. A number without a play in the segment does not exist (or belongs to
   * another workspace).
   */
  first: Count.min(1),
  last: Count.min(1),
  plays: Count.max(MAX_SEGMENT_PLAYS),
  /** Chain hash before the segment's first play, and chain hash after its last play. */
  prev_head: hex(64),
  head: hex(64),
  /** Number of bytes after the JSON line. */
  bytes: Count.max(MAX_SEGMENT_BYTES),
  /** The store's Ed25519 key, hex, and its signature of {@link segmentText}. */
  key: hex(64),
  signature: hex(128),
});
export type SegmentHeader = z.infer<typeof SegmentHeader>;

/** Returns the text that the store signs. @param sha256 of the compressed columns, hex */
export const segmentText = (header: Omit<SegmentHeader, 'signature' | 'key' | 'bytes'>, sha256: string): string =>
  [
    'vitrine.segment.1',
    header.store,
    header.epoch,
    header.first,
    header.last,
    header.plays,
    header.prev_head,
    header.head,
    sha256,
  ].join('\n');

type Hash = (text: string) => string;

/** Returns the chain hash before the first play of an epoch. */
export const firstHead = (sha256: Hash, epoch: string): string => sha256(`vitrine.chain.1:${epoch}`);

/** Returns the new chain hash after these plays. `prev` is the chain hash before them. */
export const headOf = (sha256: Hash, prev: string, plays: Iterable<SegmentPlay>): string => {
  let head = prev;
  for (const p of plays)
    head = sha256(
      JSON.stringify([
        head,
        p.number,
        p.device_id,
        p.seq,
        p.play_id,
        p.item_id,
        p.playlist_id,
        p.content_id,
        p.widget_id,
        p.zone_id,
        p.content_name,
        p.boot_id,
        p.started_ms,
        p.ended_ms,
        p.completed,
        p.uncertainty_ms,
        p.claimed,
      ]),
    );
  return head;
};

/** Returns the play as the player wrote it. The play's own hash is computed from this form. */
export const playAsWritten = (play: SegmentPlay): KeptPlay => {
  const { number: _, device_id: _d, play_id, started_ms, ended_ms, claimed, ...rest } = play;
  const [started_at, ended_at] = claimed ?? [started_ms, ended_ms];
  return { ...rest, id: play_id, started_at, ended_at };
};

/** The fields that all plays of an item have in common. A segment stores them once. */
type Turn = Pick<SegmentPlay, 'content_id' | 'widget_id' | 'content_name' | 'zone_id' | 'playlist_id' | 'item_id'>;
const TURN = ['content_id', 'widget_id', 'content_name', 'zone_id', 'playlist_id', 'item_id'] as const;

const Text = z.string().max(2_000);
const Ref = z.string().min(1).max(200).nullable();
const Dictionary = z.object({
  devices: z.array(z.tuple([z.string().min(1).max(200), Text, hex(64).nullable()])).max(MAX_SEGMENT_PLAYS),
  turns: z.array(z.tuple([Ref, Ref, Text, Ref, Ref, z.number().int().nullable()])).max(MAX_SEGMENT_PLAYS),
  boots: z.array(z.string().min(1).max(200)).max(MAX_SEGMENT_PLAYS),
  /** Original times of the player for plays with implausible times: index of the play, start, end. */
  claimed: z.array(z.tuple([Count, z.number(), z.number()])).max(MAX_SEGMENT_PLAYS),
});

/** A list of distinct values. `of` returns the index of a value, and adds the value if it is new. */
class Places<T> {
  readonly all: T[] = [];
  readonly #places = new Map<string, number>();

  of(value: T, key: string): number {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.all.length;
      this.#places.set(key, place);
      this.all.push(value);
    }
    return place;
  }
}

/** Pattern of an id that is stored and sent as 16 bytes. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Encodings of `uncertainty_ms`: unknown, any number, tenths of a millisecond. */
const [UNKNOWN, OTHER, TENTHS] = [0, 1, 2];

/** Encodes the columns of a segment. The same plays give the same bytes. */
export const encodeColumns = (body: SegmentBody): Uint8Array => {
  const turns = new Places<Turn>();
  const boots = new Places<string>();
  const devices = new Map(body.devices.map((device, i) => [device.id, i]));
  const place = (id: string) => {
    const found = devices.get(id);
    if (found === undefined) throw new RangeError(id);
    return found;
  };
  const rows = body.plays.map((play) => ({
    play,
    device: place(play.device_id),
    turn: turns.of(play, JSON.stringify(TURN.map((name) => play[name]))),
    boot: play.boot_id === null ? 0 : boots.of(play.boot_id, play.boot_id) + 1,
  }));
  const out = new ByteWriter();
  out.text(
    JSON.stringify({
      devices: body.devices.map(({ id, name, key }) => [id, name, key]),
      turns: turns.all.map((turn) => TURN.map((name) => turn[name])),
      boots: boots.all,
      claimed: body.plays.flatMap(({ claimed }, i) => (claimed ? [[i, ...claimed]] : [])),
    } satisfies Record<keyof z.infer<typeof Dictionary>, unknown>),
  );
  out.whole(rows.length);
  let number = 0;
  for (const { play } of rows) {
    out.whole(play.number - number);
    number = play.number;
  }
  for (const { device } of rows) out.whole(device);
  for (const { turn } of rows) out.whole(turn);
  for (const { boot } of rows) out.whole(boot);
  // The number is stored as the difference to the expected number: the number after the last play of this device.
  const journals = new Map<number, number>();
  for (const { play, device } of rows) {
    out.signed(play.seq - (journals.get(device) ?? 0) - 1);
    journals.set(device, play.seq);
  }
  // The start is stored as the difference to the expected time: the end of the last play of this device.
  const ends = new Map<number, number>();
  for (const { play, device } of rows) {
    out.signed(play.started_ms - (ends.get(device) ?? 0));
    ends.set(device, play.ended_ms);
  }
  // The duration is stored as the difference to the previous duration of the same item, which is usually about the
  // same.
  const lengths = new Map<number, number>();
  for (const { play, turn } of rows) {
    const length = play.ended_ms - play.started_ms;
    out.signed(length - (lengths.get(turn) ?? 0));
    lengths.set(turn, length);
  }
  for (const { play } of rows) out.whole(play.completed ? 1 : 0);
  for (const { play } of rows) {
    const { uncertainty_ms: ms } = play;
    const tenths = ms === null ? 0 : Math.round(ms * 10);
    if (ms === null) out.whole(UNKNOWN);
    else if (tenths / 10 === ms && tenths < 2 ** 32) out.whole(tenths + TENTHS);
    else {
      out.whole(OTHER);
      out.double(ms);
    }
  }
  for (const { play } of rows) out.whole(UUID.test(play.play_id) ? 1 : 0);
  for (const { play } of rows) {
    if (UUID.test(play.play_id)) out.raw(bytesOfHex(play.play_id.replaceAll('-', '')));
    else out.text(play.play_id);
  }
  out.whole(body.marks.length);
  for (const { device_id, seq, prev } of body.marks) {
    out.whole(place(device_id));
    out.whole(seq);
    out.raw(bytesOfHex(prev));
  }
  out.whole(body.seals.length);
  for (const { device_id, seq, signature } of body.seals) {
    out.whole(place(device_id));
    out.whole(seq);
    out.raw(bytesOfHex(signature));
  }
  return out.done();
};

const uuidOf = (bytes: Uint8Array): string =>
  hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Decodes the output of {@link encodeColumns} from untrusted bytes.
 * @throws BadBytes with a sentence for people
 */
export const decodeColumns = (bytes: Uint8Array): SegmentBody => {
  const reader = new ByteReader(bytes);
  const dictionary = dictionaryOf(reader.text());
  const count = reader.whole();
  if (count > MAX_SEGMENT_PLAYS) throw new BadBytes(`the data has more than ${MAX_SEGMENT_PLAYS} plays`);
  const column = <T>(read: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => read(i));
  let number = 0;
  const numbers = column((i) => {
    const step = reader.whole();
    if (i > 0 && step === 0) throw new BadBytes('a play number appears twice in the data');
    number += step;
    return checked(number);
  });
  const devices = column(() => at(dictionary.devices, reader.whole()));
  const turns = column(() => at(dictionary.turns, reader.whole()));
  const boots = column(() => {
    const place = reader.whole();
    return place === 0 ? null : at(dictionary.boots, place - 1);
  });
  const journals = new Map<unknown, number>();
  const seqs = column((i) => {
    const seq = checked((journals.get(devices[i]) ?? 0) + 1 + reader.signed());
    if (seq < 1) throw new BadBytes('a journal number in the data is below 1');
    journals.set(devices[i], seq);
    return seq;
  });
  // Starts and durations are decoded together: a start is relative to the end of the previous play, and that end is its
  // start plus its duration.
  const starts = column(() => reader.signed());
  const lengths = column(() => reader.signed());
  const [ends, before] = [new Map<unknown, number>(), new Map<unknown, number>()];
  const times = column((i) => {
    const started = checked((ends.get(devices[i]) ?? 0) + starts[i]!);
    const length = checked((before.get(turns[i]) ?? 0) + lengths[i]!);
    before.set(turns[i], length);
    const ended = checked(started + length);
    ends.set(devices[i], ended);
    return [started, ended] as const;
  });
  const completed = column(() => flag(reader.whole()));
  const uncertainty = column(() => {
    const value = reader.whole();
    if (value === UNKNOWN) return null;
    return value === OTHER ? finite(reader.double()) : (value - TENTHS) / 10;
  });
  const isUuid = column(() => flag(reader.whole()));
  const ids = column((i) => {
    const id = isUuid[i] ? uuidOf(reader.raw(16)) : reader.text();
    if (id.length === 0 || id.length > 200) throw new BadBytes('the id of a play in the data is not valid');
    return id;
  });
  const claimed = new Map(dictionary.claimed.map(([i, started, ended]) => [i, [started, ended] as const]));
  const plays = column((i): SegmentPlay => {
    const [content_id, widget_id, content_name, zone_id, playlist_id, item_id] = turns[i]!;
    const [started_ms, ended_ms] = times[i]!;
    return {
      number: numbers[i]!,
      device_id: devices[i]![0],
      seq: seqs[i]!,
      play_id: ids[i]!,
      item_id,
      playlist_id,
      content_id,
      widget_id,
      zone_id,
      content_name,
      boot_id: boots[i]!,
      started_ms,
      ended_ms,
      completed: completed[i]!,
      uncertainty_ms: uncertainty[i]!,
      claimed: claimed.get(i) ?? null,
    };
  });
  const signed = <T>(read: (device_id: string, seq: number) => T): T[] => {
    const length = reader.whole();
    if (length > MAX_SEGMENT_PLAYS) throw new BadBytes('the data has more signatures than plays');
    return Array.from({ length }, () => read(at(dictionary.devices, reader.whole())[0], reader.whole()));
  };
  const marks = signed((device_id, seq): SegmentMark => ({ device_id, seq, prev: hexOf(reader.raw(32)) }));
  const seals = signed((device_id, seq): SegmentSeal => ({ device_id, seq, signature: hexOf(reader.raw(64)) }));
  reader.end();
  return { devices: dictionary.devices.map(([id, name, key]) => ({ id, name, key })), plays, marks, seals };
};

const dictionaryOf = (text: string): z.infer<typeof Dictionary> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadBytes('the dictionary in the data is not valid JSON');
  }
  const parsed = Dictionary.safeParse(value);
  if (!parsed.success) throw new BadBytes('the dictionary in the data is not valid');
  if (new Set(parsed.data.devices.map(([id]) => id)).size < parsed.data.devices.length)
    throw new BadBytes('a screen appears twice in the data');
  if (JSON.stringify(parsed.data) !== text) throw new BadBytes('the dictionary in the data has the wrong form');
  return parsed.data;
};

const at = <T>(list: readonly T[], place: number): T => {
  const found = list[place];
  if (found === undefined)
    throw new BadBytes('a play in the data refers to an entry that the dictionary does not have');
  return found;
};
const checked = (value: number): number => {
  if (!Number.isSafeInteger(value)) throw new BadBytes('a number in the data is too large');
  return value;
};
/** Only 0 and 1 are accepted, so that the same plays have exactly one encoding. */
const flag = (value: number): boolean => {
  if (value > 1) throw new BadBytes('a yes/no value in the data is neither yes nor no');
  return value === 1;
};
const finite = (value: number): number => {
  if (!Number.isFinite(value) || value < 0) throw new BadBytes('a time uncertainty in the data is not valid');
  return value;
};

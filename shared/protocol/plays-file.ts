/**
 * A report as a file that can be verified later: JSON lines, first the devices, then each device's plays in the order
 * of its journal, a seal after each signed group of plays, and the number of plays at the end. Signatures cover whole
 * groups of plays, so a file contains whole groups: plays outside the requested period are marked `context`.
 */
import { z } from 'zod';
import { hex } from './hex.ts';
import { type ChainedFields, rowHash } from './journal-chain.ts';
import { Play } from './messages.ts';

const Hash = hex(64);
const Device = z.object({
  type: z.literal('device'),
  device_id: z.string(),
  device_name: z.string(),
  signing_key: Hash.nullable(),
  /**
   * Whether the file contains all plays of the device in the period, so that missing numbers are missing plays.
   * Absent: a filter removed some plays, or the file has an earlier version.
   */
  complete: z.literal(true).optional(),
});
const PlayLine = Play.extend({
  type: z.literal('play'),
  device_id: z.string(),
  /** Number of the play in the device's journal. */
  seq: z.number().int().min(1),
  boot_id: z.string().nullable(),
  uncertainty_ms: z.number().nullable(),
  /**
   * Hash of the previous play. Null: from a player without a chained journal, so nothing can be verified about the
   * play.
   */
  prev: Hash.nullable(),
  hash: Hash.nullable(),
  /** Whether the play is outside of the requested period. */
  context: z.literal(true).optional(),
});
const Seal = z.object({
  type: z.literal('seal'),
  device_id: z.string(),
  seq: z.number().int().min(1),
  hash: Hash,
  signature: hex(128),
});
const End = z.object({
  type: z.literal('end'),
  plays: z.number().int().min(0),
  /**
   * Signature of the server for the whole file: its key (Ed25519, SubjectPublicKeyInfo, hex), the hash of all bytes
   * before this line, and the signature of {@link endText}.
   */
  server: z
    .object({
      public_key: hex(88),
      sha256: Hash,
      signature: hex(128),
    })
    .optional(),
});
export const FileLine = z.discriminatedUnion('type', [Device, PlayLine, Seal, End]);
export type FileLine = z.infer<typeof FileLine>;
export type PlayLine = z.infer<typeof PlayLine>;

/** A play as the server stores it: the times and the name are as the player reported them. */
export type KeptPlay = Omit<PlayLine, 'type' | 'prev' | 'hash' | 'device_id'>;

/** A signature for a group of plays in a device's journal. The group begins with the row after `prev`. */
export interface KeptSeal {
  readonly first: number;
  readonly through: number;
  readonly prev: string;
  readonly head: string;
  readonly signature: string;
}

const chained = (play: KeptPlay, prev: string): ChainedFields => ({ ...play, prev, boot_id: play.boot_id ?? '' });

/** Groups of plays: a seal (signature) with the plays that it covers, or null with unsigned plays. */
type Stretches = Iterable<{ readonly seal: KeptSeal | null; readonly plays: Iterable<KeptPlay> }>;

/** Yields the lines of one device in the order of its journal: plays with their computed hashes, and seals. */
export function* stretchLines(
  sha256: (text: string) => string,
  device_id: string,
  stretches: Stretches,
): Generator<FileLine> {
  for (const { seal, plays } of stretches) {
    let prev = seal?.prev ?? null;
    for (const play of plays) {
      const hash = prev === null ? null : rowHash(sha256, chained(play, prev));
      yield { type: 'play', device_id, ...play, prev, hash };
      prev = hash;
    }
    if (seal) yield { type: 'seal', device_id, seq: seal.through, hash: seal.head, signature: seal.signature };
  }
}

/** Returns the hash that a play line should have; null if the play is not chained. */
export const hashOfLine = (sha256: (text: string) => string, line: PlayLine): string | null =>
  line.prev === null ? null : rowHash(sha256, chained(line, line.prev));

/** Returns the text that the server signs at the end of a file. @param sha256 of all bytes before the last line */
export const endText = (plays: number, sha256: string): string => `vitrine.report.1:${plays}:${sha256}`;

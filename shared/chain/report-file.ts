/**
 * A report of a chain of stores as a file that can be verified: a JSON line that describes the file, then the signed
 * segments of the stores (segment.ts), by store and epoch, and a final line that headquarters signs. Segments are
 * complete, so they also contain plays around the selected plays.
 */
import { z } from 'zod';
import { hex } from '../protocol/hex.ts';

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const Count = z.number().int().min(0);

export const ChainFileHead = z.object({
  vitrine: z.literal('chain'),
  version: z.literal(1),
  headquarters: z.string(),
  /** First and last day of the requested plays, both inclusive, in headquarters' time zone. */
  from: Day,
  to: Day,
  /** Time at which the file was made, epoch seconds. */
  made_at: Count,
  stores: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** Raw Ed25519 keys of the store's successive servers, hex. */
      keys: z.array(hex(64)),
    }),
  ),
});
export type ChainFileHead = z.infer<typeof ChainFileHead>;

export const ChainFileEnd = z.object({
  vitrine: z.literal('end'),
  segments: Count,
  /** Number of plays in all segments. */
  plays: Count,
  /** SHA-256 of all bytes before this line. */
  sha256: hex(64),
  /** Headquarters' key (Ed25519, SubjectPublicKeyInfo, hex), and its signature of {@link chainFileText}. */
  key: hex(88),
  signature: hex(128),
});
export type ChainFileEnd = z.infer<typeof ChainFileEnd>;

/** Returns the text that headquarters signs. */
export const chainFileText = (end: Pick<ChainFileEnd, 'segments' | 'plays' | 'sha256'>): string =>
  `vitrine.chain-report.1\n${end.segments}\n${end.plays}\n${end.sha256}`;

/**
 * A chain's report as a file that can be verified: a line of JSON that says what it is, then stores' segments as they were
 * signed (segment.ts), store by store and epoch by epoch, and a line at the end that headquarters signs. Segments are
 * whole, so plays around the selection come along.
 */
import { z } from 'zod';
import { hex } from '../protocol/hex.ts';

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const Count = z.number().int().min(0);

export const ChainFileHead = z.object({
  vitrine: z.literal('chain'),
  version: z.literal(1),
  headquarters: z.string(),
  /** Of the plays that were asked for, both included, by headquarters' zone. */
  from: Day,
  to: Day,
  /** Epoch seconds. */
  made_at: Count,
  stores: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** Ed25519, raw, hex: of its PCs, one after the other. */
      keys: z.array(hex(64)),
    }),
  ),
});
export type ChainFileHead = z.infer<typeof ChainFileHead>;

export const ChainFileEnd = z.object({
  vitrine: z.literal('end'),
  segments: Count,
  /** In all of them. */
  plays: Count,
  /** Of all bytes before this line. */
  sha256: hex(64),
  /** Headquarters' (Ed25519, SubjectPublicKeyInfo, hex), and its signature of {@link chainFileText}. */
  key: hex(88),
  signature: hex(128),
});
export type ChainFileEnd = z.infer<typeof ChainFileEnd>;

/** What headquarters signs. */
export const chainFileText = (end: Pick<ChainFileEnd, 'segments' | 'plays' | 'sha256'>): string =>
  `vitrine.chain-report.1\n${end.segments}\n${end.plays}\n${end.sha256}`;

/**
 * Transfer file: the messages of a store and headquarters for each other, as one file that people carry on a USB
 * stick if there is no connection. A signed JSON line describes the file. Frames follow, sealed for the receiver;
 * the last frame is marked. Frames contain entries: a JSON line each, and its bytes. The content equals the messages
 * of a connection (wire.ts, campaign.ts, segment.ts).
 */
import { z } from 'zod';
import { Sha256 } from '../program/program.ts';
import { hex } from '../protocol/hex.ts';
import { BadBytes } from './bytes.ts';
import { SignedDesired } from './campaign.ts';
import { MAX_HEADER_BYTES, MAX_SEGMENT_BYTES } from './segment.ts';
import { EnrolAsk, Presence, PresenceAnswer, ThroughAnswer, ThroughAsk } from './wire.ts';

export const TRANSFER_ENDING = '.vitrine-stick';
/** Number of plain bytes per frame. All frames except the last are full. */
export const FRAME_BYTES = 64 * 1024;
/** Number of bytes of the seal of a frame. */
export const TAG_BYTES = 16;
export const FRAME_HEAD_BYTES = 4;
/** Maximum number of bytes of the header line. */
export const MAX_TRANSFER_HEADER_BYTES = 4 * 1024;
/** Maximum number of bytes of an entry's line. */
export const MAX_ENTRY_LINE_BYTES = 1024 * 1024;
/** Maximum number of entries after the first. */
export const MAX_TRANSFER_PIECES = 200_000;
/** Maximum total size of segments in a file from a store. The next file continues. */
export const TRANSFER_SEGMENT_BYTES = 256 * 1024 * 1024;
/** Maximum size of a transfer file in bytes. In practice the free space is the limit. */
export const MAX_TRANSFER_BYTES = 4 * 1024 ** 4;
/** Maximum size of a file from a store in bytes. */
export const MAX_TRANSFER_BACK_BYTES = 2 * TRANSFER_SEGMENT_BYTES;

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const TransferHeader = z.object({
  vitrine: z.literal('stick'),
  version: z.literal(1),
  /** Direction: from headquarters to a store (`down`), or from a store to headquarters (`up`). */
  direction: z.enum(['down', 'up']),
  /** The store's id at headquarters. */
  store: z.string().min(1).max(64),
  /**
   * Number that increases with each file of a direction. A file whose number is not higher than the number of the last
   * accepted file is refused.
   */
  number: Count.min(1),
  /** Time on the sender's clock, epoch milliseconds. */
  made_ms: Count,
  /** X25519 key made for this file only. */
  ephemeral: hex(64),
  /** The sender's Ed25519 key, and its signature of {@link transferText}. */
  key: hex(64),
  signature: hex(128),
});
export type TransferHeader = z.infer<typeof TransferHeader>;

/** Returns the text that the sender signs. */
export const transferText = (header: Omit<TransferHeader, 'signature'>): string =>
  ['vitrine.stick.1', header.direction, header.store, header.number, header.made_ms, header.ephemeral, header.key].join(
    '\n',
  );

/**
 * Number of the last file that was accepted from the other side. If the other side was restored to an earlier state,
 * its next file gets a number above this number, so that the file is accepted. A number above the limit is invalid.
 */
const Taken = Count.max(2 ** 50);

/** The first entry of a file from headquarters. */
export const TransferDown = PresenceAnswer.extend({
  what: z.literal('down'),
  taken: Taken,
  /** The desired state; null: headquarters never had a desired state for the store. */
  desired: SignedDesired.nullable(),
  /** Epochs of which headquarters has plays, with the last play of each. */
  cursors: ThroughAnswer.shape.cursors,
  /** The newest incidents that headquarters has received. */
  incidents: z.array(z.string().min(1).max(64)).max(500),
});
export type TransferDown = z.infer<typeof TransferDown>;

/** The first entry of a file from a store. */
export const TransferUp = z.object({
  what: z.literal('up'),
  taken: Taken,
  presence: Presence,
  epochs: ThroughAsk.shape.epochs,
  /** Enrolment request of a store that headquarters may not know yet, because it was enrolled by a file. */
  enrol: EnrolAsk.nullable(),
});
export type TransferUp = z.infer<typeof TransferUp>;

/** The entries after the first entry, each with its bytes. */
export const TransferPiece = z.discriminatedUnion('what', [
  /** A document or a file, named by its hash. */
  z.object({ what: z.literal('blob'), sha256: Sha256, bytes: Count }),
  /** A segment as sent over a connection (segment.ts). */
  z.object({ what: z.literal('segment'), bytes: Count.max(MAX_HEADER_BYTES + MAX_SEGMENT_BYTES) }),
]);
export type TransferPiece = z.infer<typeof TransferPiece>;

/** Parses the header line. @throws BadBytes with the fault as the end of a sentence */
export const readTransferHeader = (line: string): TransferHeader => {
  const value = jsonOf(line) as { vitrine?: unknown; version?: unknown } | undefined;
  if (value?.vitrine !== 'stick') throw new NoTransferFile();
  if (typeof value.version === 'number' && value.version > 1)
    throw new BadBytes('comes from a newer version of Vitrine: update Vitrine on this server');
  const header = TransferHeader.safeParse(value);
  if (!header.success)
    throw new BadBytes(`has a header with an invalid ${header.error.issues[0]?.path.join('.') || 'form'}`);
  return header.data;
};

/** Error: the file is not a transfer file. This is no sign that somebody changed a transfer file. */
export class NoTransferFile extends BadBytes {
  constructor() {
    super('is not a Vitrine file for a USB stick');
  }
}

export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the file name of a transfer file. @param store name of the store for people */
export const transferFileName = (store: string, number: number, more = ''): string => {
  const plain = store
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|-+$/g, '')
    .slice(0, 60);
  return `${plain || 'store'}${more}-${number}${TRANSFER_ENDING}`;
};

/**
 * Returns the number of bytes of a whole transfer file.
 * @param header bytes of the first line with the line end
 * @param plain bytes of all entries
 */
export const transferBytes = (header: number, plain: number): number =>
  header + plain + Math.max(1, Math.ceil(plain / FRAME_BYTES)) * (FRAME_HEAD_BYTES + TAG_BYTES);

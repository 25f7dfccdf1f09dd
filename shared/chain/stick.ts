/**
 * A stick: what a store and headquarters have for each other, as one file that people carry where there is no line. A
 * line of JSON says whose it is and is signed; then come frames, sealed for whoever it is for, the last one marked.
 * Within them lie entries: a line of JSON each, and the bytes that belong to it. Nothing in it is another thing than what
 * goes over the line (wire.ts, campaign.ts, segment.ts).
 */
import { z } from 'zod';
import { Sha256 } from '../program/program.ts';
import { hex } from '../protocol/hex.ts';
import { BadBytes } from './bytes.ts';
import { SignedDesired } from './campaign.ts';
import { MAX_HEADER_BYTES, MAX_SEGMENT_BYTES } from './segment.ts';
import { EnrolAsk, Presence, PresenceAnswer, ThroughAnswer, ThroughAsk } from './wire.ts';

export const STICK_ENDING = '.vitrine-stick';
/** Of what is sealed in one; all but the last have as much. */
export const FRAME_BYTES = 64 * 1024;
/** Of the seal of a frame. */
export const TAG_BYTES = 16;
export const FRAME_HEAD_BYTES = 4;
/** The first line is no longer. */
export const MAX_STICK_HEADER_BYTES = 4 * 1024;
/** An entry's line is no longer. */
export const MAX_ENTRY_LINE_BYTES = 1024 * 1024;
/** Behind the first entry. */
export const MAX_STICK_PIECES = 200_000;
/** Bytes of segments, from where a stick back has no more of them: the next one goes on. */
export const STICK_SEGMENT_BYTES = 256 * 1024 * 1024;
/** Of a stick, all told: what there is room for decides. */
export const MAX_STICK_BYTES = 4 * 1024 ** 4;
/** Of a stick back. */
export const MAX_STICK_BACK_BYTES = 2 * STICK_SEGMENT_BYTES;

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const StickHeader = z.object({
  vitrine: z.literal('stick'),
  version: z.literal(1),
  /** From headquarters to a store, or back. */
  direction: z.enum(['down', 'up']),
  /** The store's id at headquarters. */
  store: z.string().min(1).max(64),
  /** Grows with each of a direction; one that is not above what was taken is refused. */
  number: Count.min(1),
  /** By the sender's clock, epoch milliseconds. */
  made_ms: Count,
  /** X25519, made for this stick alone. */
  ephemeral: hex(64),
  /** The sender's, Ed25519, and its signature of {@link stickText}. */
  key: hex(64),
  signature: hex(128),
});
export type StickHeader = z.infer<typeof StickHeader>;

/** What the sender signs. */
export const stickText = (header: Omit<StickHeader, 'signature'>): string =>
  ['vitrine.stick.1', header.direction, header.store, header.number, header.made_ms, header.ephemeral, header.key].join(
    '\n',
  );

/**
 * Of the last stick that came from the other side: where that one was put back to an earlier state, it goes on above. A
 * higher number is made up.
 */
const Taken = Count.max(2 ** 50);

/** The first entry of a stick of headquarters. */
export const StickDown = PresenceAnswer.extend({
  what: z.literal('down'),
  taken: Taken,
  /** Null: nothing was ever wanted of the store. */
  desired: SignedDesired.nullable(),
  /** Of the epochs of which headquarters has plays. */
  cursors: ThroughAnswer.shape.cursors,
  /** Incidents that headquarters has heard of, the newest of them. */
  incidents: z.array(z.string().min(1).max(64)).max(500),
});
export type StickDown = z.infer<typeof StickDown>;

/** The first entry of a stick back. */
export const StickUp = z.object({
  what: z.literal('up'),
  taken: Taken,
  presence: Presence,
  epochs: ThroughAsk.shape.epochs,
  /** Of a store that headquarters may not know yet: it was enrolled by a file. */
  enrol: EnrolAsk.nullable(),
});
export type StickUp = z.infer<typeof StickUp>;

/** What follows it, each with its bytes. */
export const StickPiece = z.discriminatedUnion('what', [
  /** A document or a file, by its hash. */
  z.object({ what: z.literal('blob'), sha256: Sha256, bytes: Count }),
  /** As it is sent over the line (segment.ts). */
  z.object({ what: z.literal('segment'), bytes: Count.max(MAX_HEADER_BYTES + MAX_SEGMENT_BYTES) }),
]);
export type StickPiece = z.infer<typeof StickPiece>;

/** @throws BadBytes with what is wrong with it, as the end of a sentence */
export const readStickHeader = (line: string): StickHeader => {
  const value = jsonOf(line) as { vitrine?: unknown; version?: unknown } | undefined;
  if (value?.vitrine !== 'stick') throw new NoStick();
  if (typeof value.version === 'number' && value.version > 1)
    throw new BadBytes('is of a newer version than this server: update Vitrine here');
  const header = StickHeader.safeParse(value);
  if (!header.success)
    throw new BadBytes(`has a header whose ${header.error.issues[0]?.path.join('.') || 'form'} is wrong`);
  return header.data;
};

/** It is some other file: nobody has changed anything. */
export class NoStick extends BadBytes {
  constructor() {
    super('is another file than a stick of Vitrine');
  }
}

export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What its file is called, everywhere. @param store what people call it */
export const stickName = (store: string, number: number, more = ''): string => {
  const plain = store
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+|-+$/g, '')
    .slice(0, 60);
  return `${plain || 'store'}${more}-${number}${STICK_ENDING}`;
};

/** Bytes of a whole stick. @param header its first line, with what ends it @param plain bytes of all entries */
export const stickBytes = (header: number, plain: number): number =>
  header + plain + Math.max(1, Math.ceil(plain / FRAME_BYTES)) * (FRAME_HEAD_BYTES + TAG_BYTES);

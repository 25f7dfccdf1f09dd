/**
 * What a store and headquarters say to each other, over HTTPS or, but for signing in, by NATS (subjects.ts). Over HTTPS
 * it lies under `/chain/`: POST, JSON both ways but for a segment, which is sent as it is, and for what the store is
 * told, which comes line by line. Members that one side does not know are passed over. Before the first request, and
 * whenever its certificate is another, headquarters proves its key (GET /api/player/identity).
 */
import { z } from 'zod';
import { WorkspaceRole } from '../contract/users.ts';
import { Sha256 } from '../program/program.ts';
import { hex } from '../protocol/hex.ts';
import {
  ReleaseFileName,
  ReleaseHash,
  ReleaseNotes,
  ReleaseSignature,
  ReleaseSize,
  ReleaseVersion,
} from '../protocol/release-signature.ts';
import { Readiness, SignedDesired } from './campaign.ts';
import { Rehearsal, RehearsalAnswer } from './rehearsal.ts';
import { UPDATE_PHASES } from './waves.ts';

/** A session's token is good for so long. */
export const SESSION_MINUTES = 15;
/** A store tells how it is this often. */
export const PRESENCE_MS = 30_000;
/** So long headquarters keeps a connection on which nothing is asked: the next presence needs no handshake. */
export const IDLE_MS = 2.5 * PRESENCE_MS;
/** Nothing heard for so long: the line is down. */
export const LINE_SILENCE_MS = 100_000;
/** A segment is sent this often while anything waits, and at once when it is full. */
export const SEGMENT_MS = 60_000;
/** Headquarters says something in the answer to `listen` at least this often, if only that it is there. */
export const HEARTBEAT_MS = 25_000;
/** A store that heard nothing for so long listens anew. */
export const DEAF_MS = 60_000;
/** A store tells no more of each kind. */
const MAX_LISTED = 50;
/** Hashes of what a store has; of the rest headquarters believes that it has not. */
export const MAX_HAS = 5_000;

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const Text = z.string().max(500);
const EpochId = hex(32);
/** What is written on a stick for who says it is sealed for this (X25519, raw); absent: of a version that knows none. */
const SealKey = hex(64).optional();

export const EnrolAsk = z.object({
  /** 16 hexadecimal digits of the code. */
  secret: hex(16),
  /** The store's server, its Ed25519 key (raw, hex). */
  key: hex(64),
  /** Of {@link enrolText}, by that key. */
  signature: hex(128),
  /** What it is called at the store. */
  server_name: Text,
  workspace_name: Text,
  version: z.string().max(100),
  seal_key: SealKey,
});
/** The numbers of the last sticks of a store that headquarters has taken and written (stick.ts). */
export const StickNumbers = z.object({ taken: Count, written: Count });
export const EnrolAnswer = z.object({
  store: z.string().min(1).max(64),
  name: Text,
  seal_key: SealKey,
  sticks: StickNumbers.optional(),
});

export const ChallengeAsk = z.object({ store: z.string().min(1).max(64) });
export const ChallengeAnswer = z.object({ nonce: hex(64) });
export const SessionAsk = z.object({
  store: z.string().min(1).max(64),
  nonce: hex(64),
  /** Of {@link sessionText}. */
  signature: hex(128),
});
/** Where else headquarters can be reached: by NATS (subjects.ts), for who has the key of this credential. */
export const HubOffer = z.object({
  /** `tls://host:port`; where the host is a loopback address, it is that of headquarters itself. */
  servers: z
    .array(z.string().regex(/^tls:\/\/[^\s/]{1,300}$/))
    .min(1)
    .max(10),
  jwt: z.string().max(8_000),
  /** What its certificates are issued by, PEM; null: what the system trusts. */
  ca: z.string().max(20_000).nullable(),
});
export type HubOffer = z.infer<typeof HubOffer>;
export const SessionAnswer = z.object({
  token: z.string().min(1).max(200),
  /** A newer headquarters may offer what this version cannot read: that is none. */
  nats: HubOffer.optional().catch(undefined),
});

/** The store's epochs, oldest first. */
export const ThroughAsk = z.object({
  epochs: z
    .array(z.object({ epoch: EpochId, first: Count.min(1) }))
    .min(1)
    .max(1_000),
});
export const ThroughAnswer = z.object({
  /** Of those that headquarters has plays of. */
  cursors: z.array(z.object({ epoch: EpochId, through: Count, head: hex(64) })).max(1_000),
});

export const SegmentAnswer = z.object({
  /** `taken`: it is on headquarters' disk. `known`: it was. `gap`: nothing was taken; go on where the cursor says. */
  verdict: z.enum(['taken', 'known', 'gap']),
  through: Count,
  head: hex(64),
});

/** Something that went wrong once and that a person should know of. */
export const INCIDENTS = [
  /** Plays were deleted before headquarters had them. */
  'plays_given_up',
  /** Headquarters has other plays under the same numbers: a copy of this store has been running. */
  'forked',
  /** Headquarters did not take a segment. */
  'segment_refused',
  /** Whoever answers at headquarters' address is another. */
  'headquarters_unproved',
  /** Its clock and headquarters' are apart. */
  'clock_apart',
  /** What headquarters wants is not as headquarters signed it, or is older than what the store has. */
  'desired_refused',
  /** A campaign cannot be shown here. */
  'campaign_refused',
  /** A stick was not taken: it is another's, was taken before, or is not as it was written. */
  'stick_refused',
] as const;
export const Incident = z.enum(INCIDENTS);
export type Incident = z.infer<typeof Incident>;

export const Presence = z.object({
  version: z.string().max(100),
  /** The store's clock, epoch milliseconds. */
  clock_ms: z.number(),
  screens: z.object({
    total: Count,
    online: Count,
    /** Due to show something, and not seen. */
    dark: Count,
    /** Connected, and without their newest program. */
    behind: Count,
  }),
  /** Names of screens that are dark, a few of them. */
  dark_names: z.array(Text).max(MAX_LISTED),
  disk: z.object({ free_bytes: Count, total_bytes: Count }).nullable(),
  /** Plays that headquarters has not, at most. */
  waiting: Count,
  incidents: z
    .array(z.object({ id: z.string().min(1).max(64), kind: z.string().max(50), details: Text, at: Count }))
    .max(MAX_LISTED),
  /** Of the newest desired state that the store has; absent: it is of a version that knows none. */
  desired_rev: Count.optional(),
  campaigns: z.array(Readiness).max(500).optional(),
  /** What became of the version that headquarters wanted here last; absent: it wanted none. */
  update: z
    .object({
      /** Of the order. */
      id: z.string().min(1).max(64),
      version: ReleaseVersion,
      phase: z.enum(UPDATE_PHASES),
      /** In a sentence; '' where there is nothing to say. */
      why: Text,
    })
    .optional()
    // A newer store may be as far as this version cannot read.
    .catch(undefined),
  seal_key: SealKey,
  /** Documents and files of campaigns that are there, or some of them. Told on sticks alone: over a line a store asks. */
  has: z.array(Sha256).max(MAX_HAS).optional(),
});
export type Presence = z.infer<typeof Presence>;
export const PresenceAnswer = z.object({
  /** What the store is called at headquarters. */
  name: Text,
  headquarters: Text,
  /** Headquarters' clock, epoch milliseconds. */
  clock_ms: z.number(),
  /** Of what is wanted of the store: where that is another than the store's, the store asks for it. */
  desired_rev: Count.optional(),
  seal_key: SealKey,
});

/** Somebody of headquarters who does something in a store. Nothing of how they sign in there is told. */
export const Visitor = z.object({
  /** At headquarters. */
  id: z.string().regex(/^[\w-]{1,64}$/),
  name: Text,
  /** What they may do, as far as the store lets headquarters. */
  role: WorkspaceRole,
});
export type Visitor = z.infer<typeof Visitor>;

/** A command to screens of a store; one that has come before, by its id, is answered as then and not done again. */
export const Order = z.object({
  id: z.string().min(1).max(64),
  visitor: Visitor,
  /** As a store's own API takes it (shared/contract/devices.ts, CommandBody). */
  command: z.object({ type: z.string().max(50), payload: z.record(z.string(), z.unknown()).optional() }),
  /** Screens that have it; null: all. */
  tag: z.string().min(1).max(50).nullable(),
});
export type Order = z.infer<typeof Order>;
/** Screens it is for, those that did it and those that could not; the others have it as soon as they are back. */
export const OrderAnswer = z.object({ screens: Count, acked: Count, failed: Count });
export type OrderAnswer = z.infer<typeof OrderAnswer>;

/** Of a release, as its publisher signed it (shared/protocol/release-signature.ts). */
export const ReleaseFile = z.object({
  name: ReleaseFileName,
  size: ReleaseSize,
  sha256: ReleaseHash,
  signature: ReleaseSignature,
});
export type ReleaseFile = z.infer<typeof ReleaseFile>;
/** A version for the store's server; one that has come before, by its id, is not begun again. */
export const UpdateOrder = z.object({
  id: z.string().min(1).max(64),
  visitor: Visitor,
  version: ReleaseVersion,
  /** All of the release: the store takes what it needs. */
  files: z.array(ReleaseFile).min(1).max(60),
  notes: ReleaseNotes.nullable().default(null),
});
export type UpdateOrder = z.infer<typeof UpdateOrder>;

/**
 * What headquarters asks of a store, each a line of JSON in the answer to `listen`, and what the store answers with
 * `answer`. One that this version does not know is refused as `unsupported`.
 */
export const TOLD = {
  /** It lacks plays that the store believes it has: ask for the cursor now. */
  rewind: { said: z.object({}), answer: z.object({}) },
  /** Somebody wants to see the store's window: come with a connection of its own ({@link TUNNEL_PATH}). */
  open: { said: z.object({ tunnel: hex(32) }), answer: z.object({}) },
  command: { said: Order, answer: OrderAnswer },
  /** What is wanted of the store now. One that is missed is made good with the next presence. */
  desired: { said: SignedDesired, answer: z.object({}) },
  /** What would a campaign change? Nothing is changed. */
  rehearse: { said: Rehearsal, answer: RehearsalAnswer },
  /** Accepted at once; how far it is comes with the presence. */
  update: { said: UpdateOrder, answer: z.object({}) },
} as const;
export type ToldVerb = keyof typeof TOLD;
export type SaidOf<V extends ToldVerb> = z.infer<(typeof TOLD)[V]['said']>;
export type ToldAnswerOf<V extends ToldVerb> = z.infer<(typeof TOLD)[V]['answer']>;

/** Longest pause of a store before it does something about what many are told at once. */
export const MAX_AFTER_MS = 30_000;
/** A line in the answer to `listen`. An empty line says that headquarters is there. */
export const ToldLine = z.object({
  id: hex(32),
  verb: z.string().max(50),
  said: z.unknown(),
  /**
   * Many are told it, and nobody waits for an answer: so many milliseconds later, each at a moment of its own, the store
   * asks for what it needs of it, and tells how it is.
   */
  after_ms: Count.max(MAX_AFTER_MS).optional(),
});
export type ToldLine = z.infer<typeof ToldLine>;
/** Of one line, all told. */
export const MAX_LINE_BYTES = 128 * 1024;
/** Why a store did not do what it was told. */
export const TOLD_REFUSALS = [
  /** A newer headquarters: this version does not know what it is told. */
  'unsupported',
  /** The store does not let headquarters do this. */
  'not_allowed',
  'busy',
  'failed',
] as const;
export const ToldRefusal = z.object({ code: z.enum(TOLD_REFUSALS).catch('failed'), error: z.string().max(1_000) });

/** Why headquarters refuses, for the store to act on. */
export const REFUSALS = [
  /** The code is wrong, used or too old. */
  'code_refused',
  /** No session, or an ended one. */
  'session_ended',
  /** Headquarters does not know the store (any more). */
  'not_enrolled',
  /** Its plays do not follow from what headquarters has. */
  'forked',
  /** It is not what it says. */
  'bad_segment',
  'too_many',
  'busy',
  'bad_request',
] as const;
export const Refusal = z.object({ error: z.string().max(1_000), code: z.enum(REFUSALS) });
export type Refusal = z.infer<typeof Refusal>;

/** What is asked, by its path behind `/chain/`. `open`: without a session. `most`: bytes of a request. */
export const CHAIN_VERBS = {
  enrol: { open: true, ask: EnrolAsk, answer: EnrolAnswer, most: 16 * 1024 },
  challenge: { open: true, ask: ChallengeAsk, answer: ChallengeAnswer, most: 16 * 1024 },
  session: { open: true, ask: SessionAsk, answer: SessionAnswer, most: 16 * 1024 },
  through: { open: false, ask: ThroughAsk, answer: ThroughAnswer, most: 128 * 1024 },
  presence: { open: false, ask: Presence, answer: PresenceAnswer, most: 256 * 1024 },
  /** Of what the store was told: what came of it, or why nothing did. */
  answer: {
    open: false,
    ask: z.object({ id: hex(32), answer: z.unknown().optional(), refused: ToldRefusal.optional() }),
    answer: z.object({}),
    most: 512 * 1024,
  },
  /** What is newer than what the store has; null: nothing is. */
  desired: {
    open: false,
    ask: z.object({ rev: Count }),
    answer: z.object({ desired: SignedDesired.nullable() }),
    most: 1024,
  },
  leave: { open: false, ask: z.object({}), answer: z.object({}), most: 1024 },
} as const;
export type ChainVerb = keyof typeof CHAIN_VERBS;
export type AskOf<V extends ChainVerb> = z.infer<(typeof CHAIN_VERBS)[V]['ask']>;
export type AnswerOf<V extends ChainVerb> = z.infer<(typeof CHAIN_VERBS)[V]['answer']>;
/** A segment's own path: its body is the file (segment.ts). */
export const SEGMENT_VERB = 'segment';
/** GET, with ranges: a document or a file by its SHA-256, for stores whose desired state needs it. HTTPS alone. */
export const BLOB_PATH = '/chain/blob/';
/** Its answer stays open, and is what the store is told ({@link TOLD}). */
export const LISTEN_VERB = 'listen';

/** What the store signs to be taken in. @param hq headquarters' fingerprint, hex */
export const enrolText = (secret: string, key: string, hq: string): string =>
  `vitrine.enrol.1\n${secret}\n${key}\n${hq}`;
/** What it signs for a session. */
export const sessionText = (store: string, nonce: string, hq: string): string =>
  `vitrine.session.1\n${store}\n${nonce}\n${hq}`;

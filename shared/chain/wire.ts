/**
 * Messages between a store and headquarters, over HTTPS or, except for signing in, over NATS (subjects.ts). The HTTPS
 * paths begin with `/chain/`: POST with JSON in both directions. Exceptions: a segment is sent as it is, and requests
 * to the store arrive line by line. Unknown fields are ignored. Before the first request, and whenever its certificate
 * changes, headquarters proves its key (GET /api/player/identity).
 */
import { z } from 'zod';
import { WorkspaceRole } from '../contract/people/users.ts';
import { Sha256 } from '../program/program.ts';
import { hex } from '../protocol/hex.ts';
import {
  ReleaseFileName,
  ReleaseHash,
  ReleaseNotes,
  ReleaseSignature,
  ReleaseSize,
  ReleaseVersion,
} from '../protocol/releases/release-signature.ts';
import { Readiness, SignedDesired } from './campaign.ts';
import { UPDATE_PHASES } from './rollouts.ts';
import { StorePreview, StorePreviewAnswer } from './store-preview.ts';

/** Lifetime of a session token in minutes. */
export const SESSION_MINUTES = 15;
/** Interval of a store's presence messages. */
export const PRESENCE_MS = 30_000;
/** Time for which headquarters keeps an idle connection open, so that the next presence message needs no handshake. */
export const IDLE_MS = 2.5 * PRESENCE_MS;
/** Time without any message after which the connection counts as down. */
export const LINE_SILENCE_MS = 100_000;
/** Interval of segments while plays are waiting. A full segment is sent at once. */
export const SEGMENT_MS = 60_000;
/** Longest pause between lines in the answer to `listen`; an empty line is a heartbeat. */
export const HEARTBEAT_MS = 25_000;
/** Time in milliseconds without any received data after which a store sends `listen` again. */
export const DEAF_MS = 60_000;
/** Maximum number of list entries of each kind from a store. */
const MAX_LISTED = 50;
/**
 * Maximum number of hashes of a store's files. Headquarters assumes that the store does not have files beyond this
 * list.
 */
export const MAX_HAS = 5_000;

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const Text = z.string().max(500);
const EpochId = hex(32);
/** Key for which transfer files to the sender are sealed (X25519, raw). Absent in older versions. */
const SealKey = hex(64).optional();

export const EnrolAsk = z.object({
  /** Secret of the enrolment code: 16 hexadecimal digits. */
  secret: hex(16),
  /** Ed25519 key of the store's server (raw, hex). */
  key: hex(64),
  /** Signature of {@link enrolText} with the server's key. */
  signature: hex(128),
  /** Name of the server at the store. */
  server_name: Text,
  workspace_name: Text,
  version: z.string().max(100),
  seal_key: SealKey,
});
/**
 * Numbers of the last transfer files of a store: the last file that headquarters has accepted, and the last file that
 * it has written (transfer-file.ts).
 */
export const TransferNumbers = z.object({ taken: Count, written: Count });
export const EnrolAnswer = z.object({
  store: z.string().min(1).max(64),
  name: Text,
  seal_key: SealKey,
  sticks: TransferNumbers.optional(),
});

export const ChallengeAsk = z.object({ store: z.string().min(1).max(64) });
export const ChallengeAnswer = z.object({ nonce: hex(64) });
export const SessionAsk = z.object({
  store: z.string().min(1).max(64),
  nonce: hex(64),
  /** Signature of {@link sessionText}. */
  signature: hex(128),
});
/** Another way to reach headquarters: NATS (subjects.ts), with the key of this credential. */
export const HubOffer = z.object({
  /** Address of the NATS server: `tls://host:port`. A loopback host stands for the host of headquarters. */
  servers: z
    .array(z.string().regex(/^tls:\/\/[^\s/]{1,300}$/))
    .min(1)
    .max(10),
  jwt: z.string().max(8_000),
  /** Issuer of the NATS server's certificates, PEM; null: the trust store of the system. */
  ca: z.string().max(20_000).nullable(),
});
export type HubOffer = z.infer<typeof HubOffer>;
export const SessionAnswer = z.object({
  token: z.string().min(1).max(200),
  /** An offer that this version cannot parse, made by a newer headquarters, is ignored. */
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
  /** Epochs of which headquarters has plays. */
  cursors: z.array(z.object({ epoch: EpochId, through: Count, head: hex(64) })).max(1_000),
});

export const SegmentAnswer = z.object({
  /**
   * Result of a segment. `taken`: stored on headquarters' disk. `known`: was already stored. `gap`: nothing was stored;
   * the store continues at the cursor.
   */
  verdict: z.enum(['taken', 'known', 'gap']),
  through: Count,
  head: hex(64),
});

/** Kinds of incidents that people should know about. */
export const INCIDENTS = [
  /** Plays were deleted before headquarters had received them. */
  'plays_given_up',
  /** Headquarters has other plays with the same numbers: a copy of this store has been running. */
  'forked',
  /** Headquarters refused a segment. */
  'segment_refused',
  /** The server at headquarters' address did not prove headquarters' key. */
  'headquarters_unproved',
  /** The clocks of the store and headquarters differ. */
  'clock_apart',
  /** A desired state has an invalid signature, or is older than the desired state that the store has. */
  'desired_refused',
  /** A campaign cannot be shown here. */
  'campaign_refused',
  /** A transfer file was refused: it is for another store, was accepted before, or was changed. */
  'stick_refused',
] as const;
export const Incident = z.enum(INCIDENTS);
export type Incident = z.infer<typeof Incident>;

export const Presence = z.object({
  version: z.string().max(100),
  /** Time on the store's clock, epoch milliseconds. */
  clock_ms: z.number(),
  screens: z.object({
    total: Count,
    online: Count,
    /** Number of screens that should show content but are not connected. */
    dark: Count,
    /** Number of connected screens without their newest program. */
    behind: Count,
  }),
  /** Names of some of the dark screens. */
  dark_names: z.array(Text).max(MAX_LISTED),
  disk: z.object({ free_bytes: Count, total_bytes: Count }).nullable(),
  /** Upper bound of the number of plays that headquarters does not have. */
  waiting: Count,
  incidents: z
    .array(z.object({ id: z.string().min(1).max(64), kind: z.string().max(50), details: Text, at: Count }))
    .max(MAX_LISTED),
  /** Revision of the newest desired state that the store has. Absent in versions without desired states. */
  desired_rev: Count.optional(),
  campaigns: z.array(Readiness).max(500).optional(),
  /** Progress of the installation of the last version that headquarters ordered; absent: no version was ordered. */
  update: z
    .object({
      /** Id of the order. */
      id: z.string().min(1).max(64),
      version: ReleaseVersion,
      phase: z.enum(UPDATE_PHASES),
      /** Reason as a sentence; '' if there is none. */
      why: Text,
    })
    .optional()
    // A phase that this version does not know, reported by a newer store, is ignored.
    .catch(undefined),
  seal_key: SealKey,
  /**
   * Hashes of some or all stored documents and files of campaigns. Sent only in transfer files: over a connection a
   * store requests the files that it needs.
   */
  has: z.array(Sha256).max(MAX_HAS).optional(),
});
export type Presence = z.infer<typeof Presence>;
export const PresenceAnswer = z.object({
  /** Name of the store at headquarters. */
  name: Text,
  headquarters: Text,
  /** Time on headquarters' clock, epoch milliseconds. */
  clock_ms: z.number(),
  /**
   * Revision of the desired state that headquarters has for the store. If the store has another revision, it requests
   * the desired state.
   */
  desired_rev: Count.optional(),
  seal_key: SealKey,
});

/** A person of headquarters who acts in a store. Contains no sign-in data. */
export const Visitor = z.object({
  /** Id that headquarters uses for the visiting person. */
  id: z.string().regex(/^[\w-]{1,64}$/),
  name: Text,
  /** Role of the person, limited by what the store allows headquarters. */
  role: WorkspaceRole,
});
export type Visitor = z.infer<typeof Visitor>;

/**
 * A remote command to the screens of a store. A repeated command with the same id returns the earlier answer and has
 * no further effect.
 */
export const Order = z.object({
  id: z.string().min(1).max(64),
  visitor: Visitor,
  /** The command in the form of the store's own API (shared/contract/screens/devices.ts, CommandBody). */
  command: z.object({ type: z.string().max(50), payload: z.record(z.string(), z.unknown()).optional() }),
  /** Tag of the selected screens; null: all screens. */
  tag: z.string().min(1).max(50).nullable(),
});
export type Order = z.infer<typeof Order>;
/**
 * Number of selected screens, of screens that succeeded, and of screens that failed. The other screens receive the
 * command when they reconnect.
 */
export const OrderAnswer = z.object({ screens: Count, acked: Count, failed: Count });
export type OrderAnswer = z.infer<typeof OrderAnswer>;

/** A file of a release with the signature of its publisher (shared/protocol/releases/release-signature.ts). */
export const ReleaseFile = z.object({
  name: ReleaseFileName,
  size: ReleaseSize,
  sha256: ReleaseHash,
  signature: ReleaseSignature,
});
export type ReleaseFile = z.infer<typeof ReleaseFile>;
/** Order to install a version on the store's server. A repeated order with the same id has no effect. */
export const UpdateOrder = z.object({
  id: z.string().min(1).max(64),
  visitor: Visitor,
  version: ReleaseVersion,
  /** All files of the release. The store downloads the files that it needs. */
  files: z.array(ReleaseFile).min(1).max(60),
  notes: ReleaseNotes.nullable().default(null),
});
export type UpdateOrder = z.infer<typeof UpdateOrder>;

/**
 * Requests of headquarters to a store, each a JSON line in the answer to `listen`; the store answers with `answer`. An
 * unknown request is refused as `unsupported`.
 */
export const TOLD = {
  /** Headquarters lacks plays that the store believes were delivered: the store requests the cursor now. */
  rewind: { said: z.object({}), answer: z.object({}) },
  /** A person wants to see the store's admin window: the store opens a separate connection ({@link TUNNEL_PATH}). */
  open: { said: z.object({ tunnel: hex(32) }), answer: z.object({}) },
  command: { said: Order, answer: OrderAnswer },
  /**
   * The current desired state. If a store misses this message, it requests the state after its next presence message.
   */
  desired: { said: SignedDesired, answer: z.object({}) },
  /** Requests a preview: which content a campaign would change. Changes nothing in the store. */
  rehearse: { said: StorePreview, answer: StorePreviewAnswer },
  /** Order to install a version. The store accepts at once, and reports the progress in its presence messages. */
  update: { said: UpdateOrder, answer: z.object({}) },
} as const;
export type DownlinkVerb = keyof typeof TOLD;
export type SaidOf<V extends DownlinkVerb> = z.infer<(typeof TOLD)[V]['said']>;
export type DownlinkAnswerOf<V extends DownlinkVerb> = z.infer<(typeof TOLD)[V]['answer']>;

/** Longest random delay before a store reacts to a request that many stores receive at once, in milliseconds. */
export const MAX_AFTER_MS = 30_000;
/** A line in the answer to `listen`. An empty line is a heartbeat. */
export const DownlinkLine = z.object({
  id: hex(32),
  verb: z.string().max(50),
  said: z.unknown(),
  /**
   * Set for a request that many stores receive and whose answer is not awaited. Each store waits for a random time
   * of up to this many milliseconds, then requests what it needs and reports its presence.
   */
  after_ms: Count.max(MAX_AFTER_MS).optional(),
});
export type DownlinkLine = z.infer<typeof DownlinkLine>;
/** Maximum number of bytes of one line in the answer to `listen`. */
export const MAX_LINE_BYTES = 128 * 1024;
/** Reason why a store refused a request. */
export const DOWNLINK_REFUSALS = [
  /** The request is from a newer headquarters, and this version does not know it. */
  'unsupported',
  /** The store's settings do not allow headquarters to make this request. */
  'not_allowed',
  'busy',
  'failed',
] as const;
export const DownlinkRefusal = z.object({
  code: z.enum(DOWNLINK_REFUSALS).catch('failed'),
  error: z.string().max(1_000),
});

/** Reason why headquarters refuses a request. The store decides by this reason how to react. */
export const REFUSALS = [
  /** The code is wrong, used or expired. */
  'code_refused',
  /** The request has no session, or its session has ended. */
  'session_ended',
  /** Headquarters does not know the store (anymore). */
  'not_enrolled',
  /** The plays do not continue the plays that headquarters has. */
  'forked',
  /** The segment does not match its header. */
  'bad_segment',
  'too_many',
  'busy',
  'bad_request',
] as const;
export const Refusal = z.object({ error: z.string().max(1_000), code: z.enum(REFUSALS) });
export type Refusal = z.infer<typeof Refusal>;

/**
 * Requests by path below `/chain/`. `open`: allowed without a session. `most`: maximum number of bytes of a request.
 */
export const CHAIN_VERBS = {
  enrol: { open: true, ask: EnrolAsk, answer: EnrolAnswer, most: 16 * 1024 },
  challenge: { open: true, ask: ChallengeAsk, answer: ChallengeAnswer, most: 16 * 1024 },
  session: { open: true, ask: SessionAsk, answer: SessionAnswer, most: 16 * 1024 },
  through: { open: false, ask: ThroughAsk, answer: ThroughAnswer, most: 128 * 1024 },
  presence: { open: false, ask: Presence, answer: PresenceAnswer, most: 256 * 1024 },
  /** Answer to a request of headquarters: the result, or the reason for a refusal. */
  answer: {
    open: false,
    ask: z.object({ id: hex(32), answer: z.unknown().optional(), refused: DownlinkRefusal.optional() }),
    answer: z.object({}),
    most: 512 * 1024,
  },
  /** The desired state if it is newer than the store's desired state; otherwise null. */
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
/** Path of a segment: its body is the file (segment.ts). */
export const SEGMENT_VERB = 'segment';
/**
 * Path of a document or a file by its SHA-256: GET with ranges, for stores whose desired state needs it. HTTPS only.
 */
export const BLOB_PATH = '/chain/blob/';
/** Verb of the request whose answer stays open and contains the requests to the store ({@link TOLD}). */
export const LISTEN_VERB = 'listen';

/** Returns the text that the store signs for enrolment. @param hq headquarters' fingerprint, hex */
export const enrolText = (secret: string, key: string, hq: string): string =>
  `vitrine.enrol.1\n${secret}\n${key}\n${hq}`;
/** Returns the text that the store signs for a session. */
export const sessionText = (store: string, nonce: string, hq: string): string =>
  `vitrine.session.1\n${store}\n${nonce}\n${hq}`;

/**
 * Messages between a server and its players, version 1. One JSON text frame per message, at most {@link
 * MAX_FRAME_BYTES}; `type` is the name of the message. Both sides parse with these schemas; newer messages are ignored
 * (incoming.ts). Times are epoch milliseconds (fractions allowed) on the server's clock unless stated otherwise.
 */
import { z } from 'zod';
import { ScreenFormats } from '../formats/screen-formats.ts';
import { Asset, Placement, Sha256 } from '../program/program.ts';
import { hex } from './hex.ts';
import { readerOf } from './incoming.ts';
import { overlayAreas } from './overlay-area.ts';
import { Telemetry } from './telemetry.ts';
import { Glimpses } from './wall/glimpse.ts';

export const PROTOCOL_VERSION = 1;
export const SUBPROTOCOL = 'vitrine.v1';
export const MAX_FRAME_BYTES = 1024 * 1024;
/** Interval of a player's heartbeats. */
export const HEARTBEAT_MS = 15_000;
/** Time without any message after which the device counts as offline. */
export const SILENCE_MS = 45_000;
/** Time without a socket after which the device counts as offline. */
export const GONE_MS = 5_000;

/**
 * Value of `takes` in a hello: this player accepts a program over the socket, in a `program.body` before the message
 * that announces it. Other players, and players of an older server, download the program.
 */
export const PROGRAM_BODY = 'program.body';
/**
 * Largest program that is sent over the socket. A larger program is downloaded. Escaped and in its message, a program
 * of this size is still far below {@link MAX_FRAME_BYTES}.
 */
export const MAX_PROGRAM_BODY_BYTES = 384 * 1024;

export const CloseCode = {
  malformed: 4400,
  notPaired: 4401,
  saidNothing: 4408,
  replaced: 4409,
  tooFast: 4429,
  serverStops: 1001,
  /** Close code: the server temporarily cannot identify the player. The player reconnects and keeps its pairing. */
  notNow: 1013,
} as const;

const Id = z.string().min(1).max(200);
const Text = z.string().max(2000);

export const DeviceInfo = z.object({
  name: z.string().max(200).optional(),
  platform: z.string().max(200),
  version: z.string().max(200),
  /** Names of functions that the player has. The server also stores names that it does not know. */
  capabilities: z.array(z.string().max(50)).max(50),
  screen: z.object({ width: z.number().nonnegative(), height: z.number().nonnegative() }),
});
export type DeviceInfo = z.infer<typeof DeviceInfo>;

export const ServerIdentity = z.object({ id: z.string(), name: z.string(), fingerprint: z.string() });

/** Content that is visible in a zone. */
export const Showing = z.object({
  zone_id: z.string().max(200).nullable(),
  item_id: z.number().int().nullable(),
  content_id: z.string().max(200).nullable(),
  widget_id: z.string().max(200).nullable(),
  since: z.number(),
});
export type Showing = z.infer<typeof Showing>;

/**
 * Refresh times of a panel: at `at` and every `period_ms` milliseconds before and after it. A panel has 20 to 500
 * refreshes per second.
 */
export const Refresh = z.object({ at: z.number(), period_ms: z.number().min(2).max(50) });
export type Refresh = z.infer<typeof Refresh>;

/** Measurement by the panel itself of how far its picture differs from the shared clock. */
export const SyncReport = z.object({
  offset_ms: z.number(),
  uncertainty_ms: z.number(),
  error_p50_ms: z.number().nullable().optional(),
  error_p99_ms: z.number().nullable().optional(),
  /** Refresh times of the panel. Missing while they are unknown or unsteady. */
  refresh: Refresh.optional(),
});
export type SyncReport = z.infer<typeof SyncReport>;

export const Play = z.object({
  /** Id of the play, never used again. */
  id: Id,
  item_id: z.number().int().nullable(),
  playlist_id: Id.nullable(),
  content_id: Id.nullable(),
  widget_id: Id.nullable(),
  zone_id: Id.nullable(),
  content_name: Text,
  started_at: z.number().min(0).max(8.64e15),
  ended_at: z.number().min(0).max(8.64e15),
  /** Whether the play was visible for its whole planned time. */
  completed: z.boolean(),
  /** Id of the run of the player (one start of its process) that showed the content. */
  boot_id: Id.optional(),
  /**
   * Possible error of `started_at` against the server's clock in milliseconds; null: the two clocks had not been
   * compared in that run.
   */
  uncertainty_ms: z.number().nonnegative().nullable().optional(),
});
export type Play = z.infer<typeof Play>;
/** Maximum number of plays in one `plays` message; further plays wait for the next message. */
export const MAX_PLAYS_PER_MESSAGE = 500;

/** Hash chain and signature for the plays of a message (journal-chain.ts). */
export const PlaysChain = z.object({
  /** Hash of the row before the first row. */
  prev: Sha256,
  /** Hash of the last row of the message. */
  head: Sha256,
  /** Ed25519 signature of the text for the last row (`sealText`); hex. */
  signature: hex(128),
});
export type PlaysChain = z.infer<typeof PlaysChain>;
/** Ed25519 public key of the journal's signatures, 32 bytes in hex. */
const SigningKey = hex(64).optional();

/**
 * Optional messages that the player supports in addition to the messages of the first version. Unknown names are
 * ignored.
 */
const Takes = z.array(z.string().max(50)).max(50).optional();

const RunId = hex(32);
const Hex32 = hex(64);

const HelloNew = z.object({
  type: z.literal('hello'),
  protocol: z.literal(PROTOCOL_VERSION),
  secret_hash: Sha256,
  device: DeviceInfo,
  signing_key: SigningKey,
  takes: Takes,
  /**
   * The player found more than one server and shows its own code. The answer is `waiting` instead of `pairing`, and the
   * player trusts only a server that proves the code (code-proof.ts).
   */
  own_code: z.boolean().optional(),
});
const HelloClaimed = z.object({
  type: z.literal('hello'),
  protocol: z.literal(PROTOCOL_VERSION),
  device_id: Id,
  secret: Hex32,
  device: DeviceInfo,
  program_id: Sha256.optional(),
  signing_key: SigningKey,
  takes: Takes,
});

/** Returns the parser of a player's messages after hello. A function, so that the player's bundle can omit it. */
const playerReader = () =>
  readerOf(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('clock'), t0: z.number() }),
      z.object({
        type: z.literal('heartbeat'),
        telemetry: Telemetry.optional(),
        showing: z.array(Showing).max(100).optional(),
        /**
         * Whether the panel is on. It is off outside of the opening hours and after `screen_off`. The player reports
         * "off" at once, and "on" with the first visible content.
         */
        screen_on: z.boolean().optional(),
        sync: SyncReport.optional(),
        /**
         * Time of this machine's own clock, independent of the server's clock. With these times, screens can confirm
         * the server's clock.
         */
        own_time: z.number().optional(),
        /** Samples of the pictures on this panel since the last heartbeat. Only panels of a wall send them. */
        glimpses: Glimpses.optional(),
        /**
         * Formats that the screen plays. Sent in the first heartbeat of a connection, and after changes. The server
         * ignores a report that it cannot parse.
         */
        formats: ScreenFormats.optional().catch(undefined),
      }),
      /**
       * The program is visible, with the placement of this id. Id missing: an older player, or the server gave no id.
       */
      z.object({ type: z.literal('program.ready'), id: Sha256, placement_id: z.string().max(200).optional() }),
      z.object({ type: z.literal('program.failed'), id: Sha256, reason: Text, asset: z.string().max(200).optional() }),
      z.object({
        type: z.literal('plays'),
        first: z.number().int().min(1),
        plays: z.array(Play).min(1).max(MAX_PLAYS_PER_MESSAGE),
        chain: PlaysChain.optional(),
      }),
      z.object({
        type: z.literal('command.result'),
        id: Id,
        status: z.enum(['done', 'failed', 'unsupported']),
        error: Text.optional(),
      }),
      /** `at`: time since which the overlay is visible. */
      z.object({
        type: z.literal('overlay.result'),
        pip_id: Id,
        status: z.enum(['shown', 'failed', 'cleared']),
        error: Text.optional(),
        at: z.number().optional(),
      }),
      z.object({
        type: z.literal('screenshot.result'),
        id: Id,
        mime: z.enum(['image/jpeg', 'image/png', 'image/webp']).optional(),
        /** Picture in base64; at most 700 KiB. */
        data: z
          .string()
          .max(700 * 1024)
          .optional(),
        error: Text.optional(),
      }),
      z.object({
        type: z.literal('log'),
        level: z.enum(['info', 'warn', 'error']),
        message: Text,
        detail: z.unknown().optional(),
      }),
      /** Answer of the player to `claim`. */
      z.object({ type: z.literal('claim.share'), id: RunId, share: Hex32 }),
      /** Answer to `claim.proof`. Without a tag: a person entered another code than this player shows. */
      z.object({ type: z.literal('claim.result'), id: RunId, tag: Hex32.optional() }),
    ]),
  );
export const readPlayerMessage = /* @__PURE__ */ playerReader();
type Said = Extract<ReturnType<typeof readPlayerMessage>, { is: 'message' }>['message'];

/** Messages of a player after hello while it waits to be claimed. */
export type WaitingMessage = Extract<Said, { type: 'clock' | 'heartbeat' | 'claim.share' | 'claim.result' }>;
/** Messages of a claimed player after hello. */
export type PlayerMessage = Exclude<Said, { type: 'claim.share' | 'claim.result' }>;

export type Hello = z.infer<typeof HelloClaimed> | z.infer<typeof HelloNew>;
/**
 * Parses a hello as one of its two forms: claimed if it has a `device_id`, otherwise new. An error then names the
 * faults of that form.
 */
export const parseHello = (message: object) => ('device_id' in message ? HelloClaimed : HelloNew).safeParse(message);

/**
 * Overlay in the form for players (resource API, POST /pip). Lengths in pixels of the screen. `duration`: seconds from
 * the moment when it is visible, 0 = until cleared.
 */
export const PipShow = z.object({
  type: z.literal('device:pip-show'),
  pip_id: z.string(),
  kind: z.enum(['image', 'web']),
  uri: z.string(),
  position: z.enum(['top-left', 'top-right', 'bottom-left', 'bottom-right', 'center']),
  width: z.number().int(),
  height: z.number().int(),
  duration: z.number().int(),
  title: z.string().optional(),
  title_color: z.string().optional(),
  background_color: z.string().optional(),
  opacity: z.number(),
  border_radius: z.number().int(),
  close_button: z.boolean(),
  /**
   * End of the overlay on the server clock; absent: until cleared. Only for older players, which have no `begin_by`.
   */
  until: z.number().optional(),
  /**
   * Latest time on the server clock at which the overlay may become visible. If it is not visible by then, the player
   * gives it up.
   */
  begin_by: z.number().optional(),
  /** Position for a screen of any size. Older players use `position`, `width` and `height` instead. */
  area: z.enum(overlayAreas).optional(),
  /**
   * The picture or the page as a file, which is downloaded and stored before it is shown, so that no server is needed
   * then. Older players, and players whose server no longer has the file, use `uri`.
   */
  asset: Asset.optional(),
});
export type PipShow = z.infer<typeof PipShow>;

/**
 * Minimum time in milliseconds that an overlay has to become visible. If loading its picture takes longer, the player
 * may give it up.
 */
const OVERLAY_APPEARS_MS = 20_000;
/**
 * Returns the latest time at which an overlay may appear. After this time the player may give it up. The overlay has as
 * much time to appear as it lasts, but at least 20 s, counted from the message.
 * @param sentAt time of the message in milliseconds
 * @param seconds duration of the overlay
 */
export const overlayBeginsBy = (sentAt: number, seconds: number): number =>
  sentAt + Math.max(seconds * 1_000, OVERLAY_APPEARS_MS);

/**
 * `placement_id`: the server's id of the placement, returned with `program.ready`, so that the server knows whether the
 * newest placement has arrived. An id instead of a digest, because a player may know fewer fields of a placement than
 * the server. Missing: an older server.
 */
const ProgramPush = z.object({
  type: z.literal('program'),
  id: Sha256,
  url: z.string().startsWith('/'),
  placement: Placement,
  placement_id: z.string().max(200).optional(),
});
export type ProgramPush = z.infer<typeof ProgramPush>;
/**
 * Shows the name of the device on its screen. Sent only to players with the capability `identify`, because an older
 * player would close the connection. `groups`: names of the device's groups, shown so that the operator finds the
 * device in the admin window.
 */
const IdentifyPush = z.object({
  type: z.literal('identify'),
  seconds: z.number().min(1).max(600),
  groups: z.array(z.string()).max(20),
});
export type IdentifyPush = z.infer<typeof IdentifyPush>;
/** `command`: a command from commands.ts, or an unknown command of a newer server. */
const CommandPush = z.object({
  type: z.literal('command'),
  id: z.string(),
  command: z.string(),
  payload: z.record(z.string(), z.unknown()),
  expires_at: z.number(),
});
export type CommandPush = z.infer<typeof CommandPush>;

const ServerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pairing'), code: z.string(), expires_at: z.number(), server: ServerIdentity }),
  /** Sent instead of `pairing` to a player that shows its own code. */
  z.object({ type: z.literal('waiting'), server: ServerIdentity }),
  /**
   * A person entered a code at the server. The message starts an exchange of {@link CodeProof}. The server proves the
   * code with `claim.proof` and claims the player with `paired`.
   */
  z.object({ type: z.literal('claim'), id: RunId, share: Hex32 }),
  z.object({ type: z.literal('claim.proof'), id: RunId, tag: Hex32 }),
  /**
   * `server`: identity of the server, for players that reconnected in the meantime and may have missed the earlier
   * message.
   */
  z.object({
    type: z.literal('paired'),
    device_id: z.string(),
    name: z.string(),
    workspace_id: z.string(),
    server: ServerIdentity.optional(),
  }),
  z.object({ type: z.literal('unpaired'), reason: z.enum(['unknown', 'removed']) }),
  z.object({
    type: z.literal('welcome'),
    device_id: z.string(),
    name: z.string(),
    server_time: z.number(),
    server: ServerIdentity.extend({ version: z.string() }),
  }),
  /** `doubtful`: the clock of the server is untrusted; the player keeps its previous estimate. */
  z.object({
    type: z.literal('clock'),
    t0: z.number(),
    t1: z.number(),
    t2: z.number(),
    doubtful: z.literal(true).optional(),
  }),
  /**
   * `wall_refresh`: refresh times of the leading panel of the device's wall. All panels of the wall time their frames
   * by them. Missing: no wall, or that panel has not reported.
   */
  z.object({ type: z.literal('heartbeat.ack'), server_time: z.number(), wall_refresh: Refresh.optional() }),
  ProgramPush,
  /**
   * The text of the program that the next `program` message announces; its SHA-256 is `id`. Only for players that
   * support it.
   */
  z.object({ type: z.literal(PROGRAM_BODY), id: Sha256, body: z.string() }),
  z.object({ type: z.literal('plays.ack'), through: z.number().int() }),
  CommandPush,
  PipShow,
  z.object({ type: z.literal('device:pip-clear'), pip_id: z.string().optional() }),
  z.object({
    type: z.literal('device:mute-changed'),
    item_id: z.number().int(),
    content_id: z.string().nullable(),
    widget_id: z.string().nullable(),
    muted: z.boolean(),
  }),
  z.object({ type: z.literal('screenshot'), id: z.string() }),
  IdentifyPush,
]);
/** Any message that a server sends to a player. */
export type ServerMessage = z.infer<typeof ServerMessage>;
export const readServerMessage = readerOf(ServerMessage);

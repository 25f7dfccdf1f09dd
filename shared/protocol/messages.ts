/**
 * Messages between a server and its players, version 1. One JSON text frame each, at most {@link MAX_FRAME_BYTES};
 * `type` names the message. Both ends parse with these schemas; what is only newer is passed over (incoming.ts).
 * Times are epoch milliseconds (fractions allowed) on the server's clock unless told otherwise.
 */
import { z } from 'zod';
import { ScreenFormats } from '../formats/screen-formats.ts';
import { Asset, Placement, Sha256 } from '../program/program.ts';
import { Glimpses } from './glimpse.ts';
import { hex } from './hex.ts';
import { readerOf } from './incoming.ts';
import { overlayAreas } from './overlay-area.ts';
import { Telemetry } from './telemetry.ts';

export const PROTOCOL_VERSION = 1;
export const SUBPROTOCOL = 'vitrine.v1';
export const MAX_FRAME_BYTES = 1024 * 1024;
/** A player sends a heartbeat this often. */
export const HEARTBEAT_MS = 15_000;
/** Nothing heard for so long: the device is offline. */
export const SILENCE_MS = 45_000;
/** A socket gone for so long: the device is offline. */
export const GONE_MS = 5_000;

/**
 * Said in `takes` of a hello: this player takes a program from the socket, in a `program.body` ahead of the message that
 * tells it. Who does not say so, and whom an older server tells, fetches it.
 */
export const PROGRAM_BODY = 'program.body';
/** A larger program is fetched: escaped and in its message it is still far below {@link MAX_FRAME_BYTES}. */
export const MAX_PROGRAM_BODY_BYTES = 384 * 1024;

export const CloseCode = {
  malformed: 4400,
  notPaired: 4401,
  saidNothing: 4408,
  replaced: 4409,
  tooFast: 4429,
  serverStops: 1001,
  /** The server cannot say now who this is; whoever hears it comes back, and forgets nothing. */
  notNow: 1013,
} as const;

const Id = z.string().min(1).max(200);
const Text = z.string().max(2000);

export const DeviceInfo = z.object({
  name: z.string().max(200).optional(),
  platform: z.string().max(200),
  version: z.string().max(200),
  /** Unknown ones are kept: they inform the operator only. */
  capabilities: z.array(z.string().max(50)).max(50),
  screen: z.object({ width: z.number().nonnegative(), height: z.number().nonnegative() }),
});
export type DeviceInfo = z.infer<typeof DeviceInfo>;

export const ServerIdentity = z.object({ id: z.string(), name: z.string(), fingerprint: z.string() });

/** What is visible now, by zone. */
export const Showing = z.object({
  zone_id: z.string().max(200).nullable(),
  item_id: z.number().int().nullable(),
  content_id: z.string().max(200).nullable(),
  widget_id: z.string().max(200).nullable(),
  since: z.number(),
});
export type Showing = z.infer<typeof Showing>;

/**
 * When a panel puts new pictures on the glass: at `at` and every `period_ms` milliseconds before and after it. 20 to
 * 500 a second.
 */
export const Refresh = z.object({ at: z.number(), period_ms: z.number().min(2).max(50) });
export type Refresh = z.infer<typeof Refresh>;

/** The panel's own measure of how far it is from the shared clock. */
export const SyncReport = z.object({
  offset_ms: z.number(),
  uncertainty_ms: z.number(),
  error_p50_ms: z.number().nullable().optional(),
  error_p99_ms: z.number().nullable().optional(),
  /** Missing while it is not known or not steady. */
  refresh: Refresh.optional(),
});
export type SyncReport = z.infer<typeof SyncReport>;

export const Play = z.object({
  /** Unique for ever. */
  id: Id,
  item_id: z.number().int().nullable(),
  playlist_id: Id.nullable(),
  content_id: Id.nullable(),
  widget_id: Id.nullable(),
  zone_id: Id.nullable(),
  content_name: Text,
  started_at: z.number().min(0).max(8.64e15),
  ended_at: z.number().min(0).max(8.64e15),
  /** Shown for its whole turn. */
  completed: z.boolean(),
  /** The run of the player in which it was shown. */
  boot_id: Id.optional(),
  /**
   * How far `started_at` may be from the server's clock, in milliseconds; null: the clock had not been compared in that
   * run.
   */
  uncertainty_ms: z.number().nonnegative().nullable().optional(),
});
export type Play = z.infer<typeof Play>;
/** Plays in one `plays` message; more wait for the next. */
export const MAX_PLAYS_PER_MESSAGE = 500;

/** Vouches for the plays of a message (journal-chain.ts). */
export const PlaysChain = z.object({
  /** Hash of the row before the first. */
  prev: Sha256,
  /** Hash of the last row. */
  head: Sha256,
  /** Ed25519, of the last row's seal; hex. */
  signature: hex(128),
});
export type PlaysChain = z.infer<typeof PlaysChain>;
/** Ed25519, the 32 bytes in hex: with it the journal is signed. */
const SigningKey = hex(64).optional();

/** What the player can be told beyond the first version's messages. Names that are not known are passed over. */
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
   * It hears more than one server and shows a code of its own: it is answered `waiting`, not `pairing`, and believes
   * only who can name the code (code-proof.ts).
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

/** Makes the reader of what a player says after hello; a function, so that what a player loads can leave it out. */
const playerReader = () =>
  readerOf(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('clock'), t0: z.number() }),
      z.object({
        type: z.literal('heartbeat'),
        telemetry: Telemetry.optional(),
        showing: z.array(Showing).max(100).optional(),
        /**
         * Whether the panel is on: not outside of the opening hours, and not after `screen_off`. Off is said at once,
         * on with the first thing shown.
         */
        screen_on: z.boolean().optional(),
        sync: SyncReport.optional(),
        /**
         * What this machine's own clock says, whatever the server's does: screens can tell a server that its clock is
         * right.
         */
        own_time: z.number().optional(),
        /** Of a panel of a wall, since the last heartbeat. */
        glimpses: Glimpses.optional(),
        /**
         * Which files the screen plays. In the first heartbeat of a connection, and when it changes. A report that this
         * server does not understand counts as none.
         */
        formats: ScreenFormats.optional().catch(undefined),
      }),
      /**
       * The program is on the screen, with the placement of this name; missing: an older player, or the server gave it
       * none.
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
      /** `at`: since when it can be seen. */
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
        /** Base64; 700 KiB at most. */
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
      /** Answers `claim`. */
      z.object({ type: z.literal('claim.share'), id: RunId, share: Hex32 }),
      /** Answers `claim.proof`; without a tag: somebody typed another code than this player shows. */
      z.object({ type: z.literal('claim.result'), id: RunId, tag: Hex32.optional() }),
    ]),
  );
export const readPlayerMessage = /* @__PURE__ */ playerReader();
type Said = Extract<ReturnType<typeof readPlayerMessage>, { is: 'message' }>['message'];

/** What a player says after hello while it waits to be claimed. */
export type WaitingMessage = Extract<Said, { type: 'clock' | 'heartbeat' | 'claim.share' | 'claim.result' }>;
/** What a claimed player says after hello. */
export type PlayerMessage = Exclude<Said, { type: 'claim.share' | 'claim.result' }>;

export type Hello = z.infer<typeof HelloClaimed> | z.infer<typeof HelloNew>;
/** By which of the two it wants to be, so that what is wrong with it can be named. */
export const parseHello = (message: object) => ('device_id' in message ? HelloClaimed : HelloNew).safeParse(message);

/**
 * Overlay as the player gets it (resource API, POST /pip). Lengths in pixels of the screen. `duration`: seconds from
 * the moment at which it can be seen, 0 = until cleared.
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
   * Server clock; absent: until cleared. For players that count from the message on: those that know `begin_by` go by
   * that.
   */
  until: z.number().optional(),
  /** Server clock: one that nobody has seen by then is over. */
  begin_by: z.number().optional(),
  /** Where, on a screen of any size. Players that do not know it go by `position`, `width` and `height`. */
  area: z.enum(overlayAreas).optional(),
  /**
   * The picture, or the page, as a file: it is fetched and kept before it shows, so that it shows without the server.
   * Players that do not know it, and those for which the server has it no more, go by `uri`.
   */
  asset: Asset.optional(),
});
export type PipShow = z.infer<typeof PipShow>;

/** A slow picture needs that long at most until it is there, or is given up. */
const OVERLAY_APPEARS_MS = 20_000;
/** An overlay is worth beginning for as long as it lasts. `seconds`: its duration. */
export const overlayBeginsBy = (sentAt: number, seconds: number): number =>
  sentAt + Math.max(seconds * 1_000, OVERLAY_APPEARS_MS);

/**
 * `placement_id`: what the server calls the placement, said back with `program.ready`, so that it can tell whether the
 * newest has arrived. A name and no digest of what the player has: it may know less of a placement than the server
 * does. Missing: an older server.
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
 * Say on the screen which one it is. Only for players that name the capability `identify`: an older one would take the
 * message for a malformed one. `groups`: the names of the device's groups, where the operator looks for it.
 */
const IdentifyPush = z.object({
  type: z.literal('identify'),
  seconds: z.number().min(1).max(600),
  groups: z.array(z.string()).max(20),
});
export type IdentifyPush = z.infer<typeof IdentifyPush>;
/** `command`: one of commands.ts, or a later one. */
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
  /** To a player with a code of its own, in the place of `pairing`. */
  z.object({ type: z.literal('waiting'), server: ServerIdentity }),
  /**
   * Somebody has typed a code at the server: a run of {@link CodeProof} begins. It proves the code with `claim.proof`
   * and claims with `paired`.
   */
  z.object({ type: z.literal('claim'), id: RunId, share: Hex32 }),
  z.object({ type: z.literal('claim.proof'), id: RunId, tag: Hex32 }),
  /** `server`: for players that have come back meanwhile and may not have been told. */
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
  /** `doubtful`: the server does not know whether its clock is right; a player goes on by what it knew before. */
  z.object({
    type: z.literal('clock'),
    t0: z.number(),
    t1: z.number(),
    t2: z.number(),
    doubtful: z.literal(true).optional(),
  }),
  /**
   * `wall_refresh`: of the panel that leads the device's wall, for all of it to aim at. Missing: no wall, or nothing
   * heard of that panel.
   */
  z.object({ type: z.literal('heartbeat.ack'), server_time: z.number(), wall_refresh: Refresh.optional() }),
  ProgramPush,
  /** The text of the program that the next `program` tells; its SHA-256 is `id`. Only for players that take it. */
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
/** What a server says. */
export type ServerMessage = z.infer<typeof ServerMessage>;
export const readServerMessage = readerOf(ServerMessage);

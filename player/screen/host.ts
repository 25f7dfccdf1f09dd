/**
 * What the screen (a web page) needs from the host beneath it. The agent provides it over loopback HTTP
 * (agent/screen-server.ts ↔ screen/agent-host.ts), a bare browser in the same page (web/).
 * The screen decides what is visible from (program, placement, clock); the host owns files, identity and the journal.
 */
import { z } from 'zod';
import { ScreenFormats } from '../../shared/formats/screen-formats.ts';
import { Placement, Program } from '../../shared/program/program.ts';
import { Glimpses } from '../../shared/protocol/glimpse.ts';
import { PipShow, Refresh } from '../../shared/protocol/messages.ts';

const SeenServer = z.object({ name: z.string(), url: z.string() });

/** Replaces the state before it, whole; the screen renders the difference without a blank frame. */
export const ScreenState = z.discriminatedUnion('phase', [
  /** No server found or answering yet, and nothing was ever paired. `servers` are those seen on the LAN. */
  z.object({
    phase: z.literal('searching'),
    servers: z.array(SeenServer),
    setup_url: z.string().nullable(),
  }),
  /** Waiting to be claimed. `claim_url` goes into the QR code. */
  z.object({
    phase: z.literal('pairing'),
    code: z.string(),
    server_name: z.string(),
    fingerprint: z.string(),
    claim_url: z.string(),
    device_name: z.string(),
  }),
  /**
   * Waiting to be claimed where more than one server is heard: the player's own code ('': the store's, which is not
   * shown), and the servers of which one may claim it.
   */
  z.object({
    phase: z.literal('choosing'),
    code: z.string(),
    servers: z.array(SeenServer.extend({ fingerprint: z.string() })),
    device_name: z.string(),
  }),
  /** Paired. `program` is null until the first one is complete on disk. */
  z.object({
    phase: z.literal('playing'),
    device_name: z.string(),
    program_id: z.string().nullable(),
    program: Program.nullable(),
    placement: Placement.nullable(),
    /** A name of the placement, said back once it is on the glass. */
    placement_id: z.string().nullable().optional(),
    overlay: PipShow.nullable(),
    /** False: black and silent, the panel is (or ought to be) off. */
    screen_on: z.boolean(),
    /** Opened by the `launch` command instead of the program; null: the program. */
    launch_url: z.string().nullable(),
    /** Show the device's name over everything until then (server clock). */
    identify_until: z.number().nullable(),
    /** Names of the groups that the device is in, shown with its own. */
    identify_groups: z.array(z.string()),
    /** Counts files that were damaged and are whole again: what failed is worth another try at once. */
    repairs: z.number().int(),
  }),
]);
export type ScreenState = z.infer<typeof ScreenState>;

const itemMessage = {
  item_id: z.number().int().nullable(),
  asset: z.string().nullable(),
  message: z.string(),
};

/** What the screen tells its host. */
export const ScreenReport = z.discriminatedUnion('type', [
  /**
   * Every second, from an animation frame: the page paints. `touch`: a finger can reach it; `refresh`: of this panel,
   * once it is known. Missing for 3 s: the host restarts the browser.
   */
  z.object({
    type: z.literal('alive'),
    width: z.number(),
    height: z.number(),
    frames: z.number(),
    touch: z.boolean().optional(),
    refresh: Refresh.optional(),
  }),
  /** The program with this id is what is on screen from now on, placed as the state of this `placement_id` says. */
  z.object({ type: z.literal('switched'), program_id: z.string(), placement_id: z.string().nullable().optional() }),
  /** A turn became visible. */
  z.object({
    type: z.literal('shown'),
    turn: z.string(),
    zone_id: z.string(),
    item_id: z.number().int().nullable(),
    playlist_id: z.string().nullable(),
    content_id: z.string().nullable(),
    widget_id: z.string().nullable(),
    content_name: z.string(),
    /** Server clock, when it was painted. */
    started_at: z.number(),
    /** Painted start minus planned start, in milliseconds: + = late. */
    late_ms: z.number(),
    /** Server clock, when the turn should end; what the journal assumes when the power goes. */
    planned_end: z.number(),
  }),
  /** The turn is no longer visible. `completed`: it was shown for its whole planned turn. */
  z.object({ type: z.literal('ended'), turn: z.string(), ended_at: z.number(), completed: z.boolean() }),
  /** An item could not be shown and was skipped, or shows nothing but its last picture. */
  z.object({ type: z.literal('fault'), ...itemMessage }),
  /** An item of which a fault was told is shown again, or shows more than its last picture again. */
  z.object({ type: z.literal('mended'), ...itemMessage }),
  /** `at`: since when it can be seen, server clock. */
  z.object({
    type: z.literal('overlay'),
    pip_id: z.string(),
    status: z.enum(['shown', 'failed', 'cleared']),
    error: z.string().optional(),
    at: z.number().optional(),
  }),
  z.object({ type: z.literal('sync'), error_p50_ms: z.number(), error_p99_ms: z.number() }),
  /** Once after the page is there: which files its browser plays. */
  z.object({ type: z.literal('formats'), formats: ScreenFormats }),
  /** Of a panel of a wall: what it showed in a window of time, for the server to compare. */
  z.object({ type: z.literal('glimpses'), glimpses: Glimpses }),
]);
export type ScreenReport = z.infer<typeof ScreenReport>;

export interface ScreenHost {
  /** Calls back at once with the current state and on every change; returns its own undo. */
  subscribe(listener: (state: ScreenState) => void): () => void;
  /**
   * Never throws and never blocks: kept in order and retried until the host has it (at most 1,000, oldest `alive` and
   * `sync` dropped first).
   */
  report(report: ScreenReport): void;
  /** Address of a file of the current program, on this machine. */
  assetUrl(sha256: string): string;
  /**
   * Opens a page that is a file of the program in a frame. Absent: its address is all it takes. Rejects with a sentence
   * for the operator.
   */
  openPage?(frame: HTMLIFrameElement, sha256: string): Promise<void>;
  /**
   * Why the page at this address cannot be shown in a frame, as a sentence; null: it can. Absent: this host cannot
   * know.
   */
  pageProblem?(address: string, signal: AbortSignal): Promise<string | null>;
  /** Server clock now, epoch milliseconds with fractions, monotonic. */
  now(): number;
  /** What the panels of this one's wall aim at; null: nothing but its own refreshes. */
  wallRefresh(): Refresh | null;
  /** Latest data of a widget from the host's store; null when there never was any. */
  widgetData(path: string): Promise<unknown>;
}

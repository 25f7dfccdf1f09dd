/**
 * Interface that the screen (a web page) needs from its host. The agent implements it over loopback HTTP
 * (agent/screen-server/screen-server.ts ↔ screen/host/agent-host.ts), a bare browser in the same page (web/).
 * The screen computes what is visible from (program, placement, clock). The host owns files, identity and the journal.
 */
import { z } from 'zod';
import { ScreenFormats } from '../../../shared/formats/screen-formats.ts';
import { Placement, Program } from '../../../shared/program/program.ts';
import { PipShow, Refresh } from '../../../shared/protocol/messages.ts';
import { Glimpses } from '../../../shared/protocol/wall/glimpse.ts';

const SeenServer = z.object({ name: z.string(), url: z.string() });

/**
 * The state of the screen. A new state replaces the previous state completely. The screen shows the difference without
 * a blank frame.
 */
export const ScreenState = z.discriminatedUnion('phase', [
  /** Unpaired, and no server has answered yet. `servers` are the servers found on the LAN. */
  z.object({
    phase: z.literal('searching'),
    servers: z.array(SeenServer),
    setup_url: z.string().nullable(),
  }),
  /** Waiting to be claimed. The QR code contains `claim_url`. */
  z.object({
    phase: z.literal('pairing'),
    code: z.string(),
    server_name: z.string(),
    fingerprint: z.string(),
    claim_url: z.string(),
    device_name: z.string(),
  }),
  /**
   * Waiting to be claimed with more than one server: the player's own code (empty for the store's code, which is not
   * shown), and the servers of which one may claim the player.
   */
  z.object({
    phase: z.literal('choosing'),
    code: z.string(),
    servers: z.array(SeenServer.extend({ fingerprint: z.string() })),
    device_name: z.string(),
  }),
  /** Paired. `program` is null until the first program is complete on disk. */
  z.object({
    phase: z.literal('playing'),
    device_name: z.string(),
    program_id: z.string().nullable(),
    program: Program.nullable(),
    placement: Placement.nullable(),
    /** Id of the placement. The screen reports it once the placement is visible. */
    placement_id: z.string().nullable().optional(),
    overlay: PipShow.nullable(),
    /** False: the page is black and silent, because the panel is off or should be off. */
    screen_on: z.boolean(),
    /** Address opened by the `launch` command instead of the program; null: the program. */
    launch_url: z.string().nullable(),
    /** End of the identification on the server clock. Until then the device's name covers everything. */
    identify_until: z.number().nullable(),
    /** Names of the groups of the device, shown with its name. */
    identify_groups: z.array(z.string()),
    /** Number of repaired files. After a change the screen retries failed items at once. */
    repairs: z.number().int(),
  }),
]);
export type ScreenState = z.infer<typeof ScreenState>;

const itemMessage = {
  item_id: z.number().int().nullable(),
  asset: z.string().nullable(),
  message: z.string(),
};

/** A report of the screen to its host. */
export const ScreenReport = z.discriminatedUnion('type', [
  /**
   * Sent every second from an animation frame, as proof that the page paints. `touch`: the screen has touch; `refresh`:
   * refresh of this panel, once known. After 3 s without this report the host restarts the browser.
   */
  z.object({
    type: z.literal('alive'),
    width: z.number(),
    height: z.number(),
    frames: z.number(),
    touch: z.boolean().optional(),
    refresh: Refresh.optional(),
  }),
  /** From now on the program with this id is visible, with the placement that has this id. */
  z.object({ type: z.literal('switched'), program_id: z.string(), placement_id: z.string().nullable().optional() }),
  /** An item has become visible: a play begins. */
  z.object({
    type: z.literal('shown'),
    turn: z.string(),
    zone_id: z.string(),
    item_id: z.number().int().nullable(),
    playlist_id: z.string().nullable(),
    content_id: z.string().nullable(),
    widget_id: z.string().nullable(),
    content_name: z.string(),
    /** Time of the paint on the server clock. */
    started_at: z.number(),
    /** Painted start minus planned start in milliseconds. Positive: the paint was late. */
    late_ms: z.number(),
    /** Planned end of the play on the server clock. The journal uses this end after a power cut. */
    planned_end: z.number(),
  }),
  /** The play is no longer visible. `completed`: the whole planned play was visible. */
  z.object({ type: z.literal('ended'), turn: z.string(), ended_at: z.number(), completed: z.boolean() }),
  /** An item failed. It was skipped, or only its last picture stays visible. */
  z.object({ type: z.literal('fault'), ...itemMessage }),
  /** An item with a reported fault is shown again, or plays on after its last picture had stood still. */
  z.object({ type: z.literal('mended'), ...itemMessage }),
  /** State of the overlay. `at`: time on the server clock since which the overlay is visible. */
  z.object({
    type: z.literal('overlay'),
    pip_id: z.string(),
    status: z.enum(['shown', 'failed', 'cleared']),
    error: z.string().optional(),
    at: z.number().optional(),
  }),
  z.object({ type: z.literal('sync'), error_p50_ms: z.number(), error_p99_ms: z.number() }),
  /** Sent once after the page has loaded: the formats that its browser plays. */
  z.object({ type: z.literal('formats'), formats: ScreenFormats }),
  /** Samples of the pictures that a panel of a wall showed in a time window, for comparison by the server. */
  z.object({ type: z.literal('glimpses'), glimpses: Glimpses }),
]);
export type ScreenReport = z.infer<typeof ScreenReport>;

export interface ScreenHost {
  /** Calls the listener at once with the current state and on every change. Returns a function that unsubscribes. */
  subscribe(listener: (state: ScreenState) => void): () => void;
  /**
   * Sends a report. Never throws and never blocks. Reports are kept in order and retried until the host has received
   * them (at most 1,000; the oldest `alive`, `sync` and `glimpses` are dropped first).
   */
  report(report: ScreenReport): void;
  /** Address of a file of the current program on this machine. */
  assetUrl(sha256: string): string;
  /**
   * Opens a page that is a file of the program in a frame. Absent: setting the address is enough. Rejects with a
   * sentence for the operator.
   */
  openPage?(frame: HTMLIFrameElement, sha256: string): Promise<void>;
  /**
   * Returns the reason why the page at this address cannot be shown in a frame, as a sentence; null: it can. Absent:
   * this host cannot determine it.
   */
  pageProblem?(address: string, signal: AbortSignal): Promise<string | null>;
  /** Returns the server clock: epoch milliseconds with fractions, monotonic. */
  now(): number;
  /** The refresh that all panels of this screen's wall aim at; null: the panel follows its own refreshes. */
  wallRefresh(): Refresh | null;
  /** Returns the latest stored data of a widget; null if there is none. */
  widgetData(path: string): Promise<unknown>;
}

/**
 * Handles the messages of signed-in players. If a handler for a type of message is missing, the compiler reports an
 * error.
 */

import type { Play, PlayerMessage, PlaysChain, Refresh } from '../../../shared/protocol/messages.ts';
import type { Glimpse } from '../../../shared/protocol/wall/glimpse.ts';
import { withoutBrowserWords } from '../../../shared/sentences/browser-words.ts';
import { isOwnAddress } from '../../discovery/addresses.ts';
import type { Commands } from '../screens/commands.ts';
import type { Overlays } from '../screens/overlays.ts';
import type { PreciseClock } from '../screens/precise-clock.ts';
import type { ProgramPush } from '../screens/program-push.ts';
import type { Screenshots } from '../screens/screenshots.ts';
import type { WallSync } from '../screens/wall-sync.ts';
import { type PlayerFaults, subjectOf } from '../state/fault-log.ts';
import type { LiveRegistry } from '../state/live-registry.ts';
import { NOT_TAKEN_OVER, type OpenFaults, type Subject } from '../state/open-faults.ts';
import type { Wheel } from '../wheel.ts';
import type { PlayerSocket } from './player-socket.ts';

/** Stores plays (features/reports/plays-ingest). */
interface PlaySink {
  /**
   * Resolves with the journal number up to which all plays are on disk; undefined when the player must send this
   * message and all later ones of the connection again.
   */
  add(
    connection: object,
    deviceId: string,
    first: number,
    plays: readonly Play[],
    chain?: PlaysChain,
  ): Promise<number | undefined>;
}

/** Walls of devices and their leading panels (server/programs). */
export interface Walls {
  wallLeader(deviceId: string): string | undefined;
  wallPanels(deviceId: string): { readonly wallId: string; readonly panels: readonly string[] } | undefined;
}
const LOG_GAP_MS = 1_000;
/** Number of clock answers after which an older player uses only these answers to compute the server's time. */
const SURE_REPLIES = 8;

type Handlers = {
  readonly [K in PlayerMessage['type']]: (socket: PlayerSocket, message: Extract<PlayerMessage, { type: K }>) => void;
};

/** The server's clock, which the screens' clocks may confirm. */
interface ConfirmedClock {
  readonly doubtful: boolean;
  /** True when the time is known to continue as before the doubt. */
  readonly steady: boolean;
  /** Returns epoch milliseconds. */
  now(): number;
  recordScreenClock(deviceId: string, wall: number, from: { readonly address: string; readonly isHere: boolean }): void;
}

interface Deps {
  readonly precise: PreciseClock;
  readonly wheel: Wheel;
  readonly registry: LiveRegistry;
  readonly walls: Walls;
  readonly wallSync: WallSync;
  readonly plays: PlaySink;
  readonly commands: Pick<Commands, 'result'>;
  readonly overlays: Pick<Overlays, 'result'>;
  readonly screenshots: Pick<Screenshots, 'result'>;
  readonly programs: Pick<ProgramPush, 'ready' | 'failed'>;
  readonly faults: Pick<PlayerFaults, 'add' | 'note'>;
  readonly openFaults: Pick<OpenFaults, 'shows' | 'played'>;
  readonly time: ConfirmedClock;
}

export class PlayerTalk {
  readonly #deps: Deps;
  readonly #handlers: Handlers;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#handlers = {
      clock: (socket, { t0 }) => this.clock(socket, t0),
      heartbeat: (socket, message) => {
        this.#deps.registry.heartbeat(socket.deviceId, message);
        if (message.showing) deps.openFaults.shows(socket.deviceId, message.showing);
        if (this.#deps.time.doubtful) this.#opinion(socket, message);
        if (message.glimpses) this.#compare(socket.deviceId, message.glimpses);
        this.acknowledge(socket, this.#wallRefresh(socket.deviceId));
      },
      'program.ready': (socket, message) => deps.programs.ready(socket.deviceId, message),
      'program.failed': (socket, message) => {
        const { asset } = message;
        const reason = withoutBrowserWords(message.reason);
        deps.programs.failed(socket.deviceId, { ...message, reason });
        this.#fault(socket, 'error', `${NOT_TAKEN_OVER}: ${reason}${asset ? ` (${asset})` : ''}`, 'program');
      },
      plays: (socket, message) => void this.#takePlays(socket, message),
      'command.result': (socket, message) => deps.commands.result(socket.deviceId, message),
      'overlay.result': (socket, message) =>
        deps.overlays.result(socket.deviceId, {
          ...message,
          ...(message.error !== undefined && { error: withoutBrowserWords(message.error) }),
        }),
      'screenshot.result': (socket, message) => deps.screenshots.result(socket.deviceId, message),
      log: (socket, { level, message, detail }) => this.#fault(socket, level, message, subjectOf(detail)),
    };
  }

  receive<K extends PlayerMessage['type']>(socket: PlayerSocket, message: Extract<PlayerMessage, { type: K }>): void {
    (this.#handlers[message.type as K] as (socket: PlayerSocket, message: unknown) => void)(socket, message);
  }

  clock(socket: PlayerSocket, t0: number): void {
    const t1 = this.#deps.precise.now();
    socket.clockReplies++;
    socket.sendMessage(
      `{"type":"clock","t0":${t0},"t1":${t1},"t2":${this.#deps.precise.now()}${this.#deps.time.doubtful ? ',"doubtful":true' : ''}}`,
    );
  }

  acknowledge(socket: PlayerSocket, wall_refresh?: Refresh): void {
    socket.sendMessage({
      type: 'heartbeat.ack',
      server_time: this.#deps.precise.now(),
      ...(wall_refresh && { wall_refresh }),
    });
  }

  /**
   * Passes the time of the screen's own clock to the server's trusted clock. An older player reports only the
   * difference to the server's clock.
   */
  #opinion(socket: PlayerSocket, { own_time, sync }: Extract<PlayerMessage, { type: 'heartbeat' }>): void {
    const { time } = this.#deps;
    const from = { address: socket.ip, isHere: isOwnAddress(socket.ip) };
    if (own_time !== undefined) time.recordScreenClock(socket.deviceId, own_time, from);
    else if (sync && (time.steady || socket.clockReplies >= SURE_REPLIES))
      time.recordScreenClock(socket.deviceId, time.now() - sync.offset_ms, from);
  }

  #wallRefresh(deviceId: string): Refresh | undefined {
    const leader = this.#deps.walls.wallLeader(deviceId);
    return leader === undefined ? undefined : this.#deps.registry.get(leader)?.sync?.refresh;
  }

  #compare(deviceId: string, glimpses: readonly Glimpse[]): void {
    const wall = this.#deps.walls.wallPanels(deviceId);
    if (!wall) return;
    const there = wall.panels.filter((panel) => this.#deps.registry.get(panel)?.status === 'online');
    this.#deps.wallSync.record(wall.wallId, deviceId, there, glimpses);
  }

  async #takePlays(
    socket: PlayerSocket,
    { first, plays, chain }: Extract<PlayerMessage, { type: 'plays' }>,
  ): Promise<void> {
    this.#deps.openFaults.played(socket.deviceId, plays);
    const through = await this.#deps.plays.add(socket, socket.deviceId, first, plays, chain);
    if (through !== undefined) socket.sendMessage(`{"type":"plays.ack","through":${through}}`);
  }

  /**
   * Stores at most one log message per second and device (player protocol). Further messages within the second only
   * open and end faults.
   */
  #fault(socket: PlayerSocket, level: 'info' | 'warn' | 'error', message: string, subject: Subject): void {
    const { faults, wheel } = this.#deps;
    const device = { id: socket.deviceId, workspaceId: socket.workspaceId };
    const now = wheel.now();
    if (now - socket.loggedAt < LOG_GAP_MS) return faults.note(device, level, message, subject);
    socket.loggedAt = now;
    faults.add(device, level, message, subject);
  }
}

/**
 * Sends commands to devices: to connected devices at once, with one frame for all; to other devices when they reconnect
 * before the command expires. A command that a device answers in time is never stored. Commands without an answer are
 * saved before the caller gets the result.
 */
import type { CommandResult, CommandStatus } from '../../../shared/contract/screens/devices.ts';
import { COMMANDS, type CommandName } from '../../../shared/protocol/commands.ts';
import type { CommandPush, PlayerMessage } from '../../../shared/protocol/messages.ts';
import { newId } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { textFrame } from '../players/frame.ts';
import type { PlayerHub } from '../players/player-hub.ts';
import type { PlayersStore } from '../players/players.store.ts';
import type { Wheel } from '../wheel.ts';
import type { DeliveryStore } from './delivery.store.ts';
import { Gathering } from './gathering.ts';

/**
 * Time in milliseconds for which a caller waits for results of devices. Timers tick every 0.1 s, so the caller gets the
 * answer within 2 s.
 */
const WAIT_MS = 1_900;
/** Interval in milliseconds at which expired commands and overlays are deleted. */
const SWEEP_MS = 3_600_000;

type Answer = Extract<PlayerMessage, { type: 'command.result' }>;

interface UnderWay {
  readonly frame: Buffer;
  readonly reached: Set<string>;
  readonly missed: Set<string>;
  readonly gathering: Gathering<Answer>;
}

interface Commanded {
  /** Id of the command, the same for all its devices. */
  readonly id: string;
  /** One result per device of the workspace, in the given order. Devices of other workspaces are omitted. */
  readonly results: CommandResult[];
}

interface Deps extends Pick<Parts, 'db' | 'clock'> {
  readonly store: DeliveryStore;
  readonly players: PlayersStore;
  readonly hub: PlayerHub;
  readonly wheel: Wheel;
}

export class Commands implements Lifecycle {
  readonly name = 'delivery';
  readonly #deps: Deps;
  readonly #underWay = new Map<string, UnderWay>();
  /** Devices that may have waiting commands. All other devices need no database query when they sign in. */
  #waiting: Set<string> | undefined;
  #undo: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    const { wheel, clock, db, store } = this.#deps;
    this.#undo = wheel.every(SWEEP_MS, () => {
      if (!clock.doubtful) db.write(() => store.dropPast(clock.now()));
    });
  }

  stop(): void {
    this.#undo?.();
  }

  /** Sends a command and waits up to 2 s for the results. */
  async send(
    workspaceId: string,
    deviceIds: readonly string[],
    command: CommandName,
    payload: Record<string, unknown>,
  ): Promise<Commanded> {
    const id = newId();
    const expiresAt = this.#deps.clock.now() + COMMANDS[command].expiresAfterMs;
    const { hub, players, wheel } = this.#deps;
    const frame = textFrame(
      JSON.stringify({ type: 'command', id, command, payload, expires_at: expiresAt } satisfies CommandPush),
    );
    const reached = new Set<string>();
    // Uses the hub to find out which devices are connected, without a database query. Names are queried while the
    // devices answer.
    for (const deviceId of deviceIds)
      if (hub.get(deviceId)?.workspaceId === workspaceId && hub.send(deviceId, frame)) reached.add(deviceId);
    const targets = players.names(workspaceId, deviceIds);
    const missed = new Set(targets.flatMap(({ id: deviceId }) => (reached.has(deviceId) ? [] : [deviceId])));
    const gathering = new Gathering<Answer>(reached, wheel, WAIT_MS);
    this.#underWay.set(id, { frame, reached, missed, gathering });
    await gathering.done;
    this.#underWay.delete(id);
    this.#keepUnanswered({ id, command, payload, expiresAt, reached, missed, answers: gathering.answers });
    return { id, results: targets.map((target) => resultOf(target, reached, gathering.answers.get(target.id))) };
  }

  result(deviceId: string, message: Answer): void {
    if (this.#underWay.get(message.id)?.gathering.answer(deviceId, message)) return;
    this.#deps.db.write(() =>
      this.#deps.store.commandResult(rowId(message.id, deviceId), message.status, message.error ?? null),
    );
  }

  /** Sends a reconnected device the commands that it missed and that have not expired. */
  catchUp(deviceId: string): void {
    const { hub, store, clock } = this.#deps;
    for (const one of this.#underWay.values()) {
      if (!one.missed.has(deviceId) && !one.gathering.expects(deviceId)) continue;
      if (!hub.send(deviceId, one.frame)) continue;
      one.missed.delete(deviceId);
      one.reached.add(deviceId);
      one.gathering.expect(deviceId);
    }
    this.#waiting ??= new Set(store.devicesWithCommands(seconds(clock)));
    if (!this.#waiting.has(deviceId)) return;
    const waiting = store.waitingCommands(deviceId, seconds(clock));
    if (waiting.length === 0) {
      this.#waiting.delete(deviceId);
      return;
    }
    for (const row of waiting)
      hub.send(deviceId, {
        type: 'command',
        id: row.id.split(':')[0]!,
        command: row.command,
        payload: JSON.parse(row.payload) as Record<string, unknown>,
        expires_at: row.expires_at * 1000,
      });
  }

  #keepUnanswered(one: {
    id: string;
    command: string;
    payload: unknown;
    expiresAt: number;
    reached: ReadonlySet<string>;
    missed: ReadonlySet<string>;
    answers: ReadonlyMap<string, Answer>;
  }): void {
    const { clock, db, store } = this.#deps;
    const unanswered = [...one.reached].filter((deviceId) => !one.answers.has(deviceId));
    if (unanswered.length === 0 && one.missed.size === 0) return;
    const rest = {
      command: one.command,
      payload: JSON.stringify(one.payload),
      created_at: seconds(clock),
      expires_at: Math.ceil(one.expiresAt / 1000),
    };
    for (const deviceId of [...unanswered, ...one.missed]) this.#waiting?.add(deviceId);
    db.write(() => {
      for (const deviceId of unanswered)
        store.storeCommand({ id: rowId(one.id, deviceId), device_id: deviceId, status: 'sent', ...rest });
      for (const deviceId of one.missed)
        store.storeCommand({ id: rowId(one.id, deviceId), device_id: deviceId, status: 'waiting', ...rest });
    });
  }
}

const rowId = (commandId: string, deviceId: string): string => `${commandId}:${deviceId}`;

const resultOf = (
  target: { id: string; name: string },
  reached: ReadonlySet<string>,
  answer: Answer | undefined,
): CommandResult => {
  const status: CommandStatus = answer?.status ?? (reached.has(target.id) ? 'sent' : 'offline');
  return { device_id: target.id, name: target.name, status, ...(answer?.error && { error: answer.error }) };
};

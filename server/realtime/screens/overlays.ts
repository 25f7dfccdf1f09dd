/**
 * Overlays: one per device; a new overlay replaces the previous overlay. Stored, so that a disconnected device gets the
 * overlay, or the command to clear it, when it reconnects.
 */
import { overlayBeginsBy, type PipShow, type PlayerMessage } from '../../../shared/protocol/messages.ts';
import type { Parts } from '../../kernel/parts.ts';
import { Slices } from '../../kernel/threads/slices.ts';
import { seconds } from '../../kernel/time/clock.ts';
import { textFrame } from '../players/frame.ts';
import type { PlayerHub } from '../players/player-hub.ts';
import type { PlayersStore } from '../players/players.store.ts';
import type { Wheel } from '../wheel.ts';
import type { DeliveryStore } from './delivery.store.ts';
import { Gathering } from './gathering.ts';

const WAIT_MS = 1_900;

type Answer = Extract<PlayerMessage, { type: 'overlay.result' }>;

/**
 * State of an overlay on a device. `sent`: written to the player's socket and not answered yet (when clearing:
 * cleared).
 */
export interface OverlayResult {
  readonly device_id: string;
  readonly name: string;
  readonly status: 'sent' | 'shown' | 'failed' | 'offline';
  readonly error?: string;
}

/** An overlay as sent to the player, without the fields that this class sets. */
export type NewOverlay = Omit<PipShow, 'type' | 'until' | 'begin_by'>;

interface Deps extends Pick<Parts, 'db' | 'clock' | 'bus'> {
  readonly store: DeliveryStore;
  readonly players: PlayersStore;
  readonly hub: PlayerHub;
  readonly wheel: Wheel;
}

export class Overlays {
  readonly #deps: Deps;
  /** Requests that wait for answers. `pipId`: id of the overlay, or `clear` and a number. */
  readonly #underWay = new Set<{
    readonly pipId: string | undefined;
    readonly wanted: Answer['status'][];
    readonly gathering: Gathering<Answer>;
  }>();

  /** Devices that may have an overlay. Other devices need no database query when they sign in. */
  #having: Set<string> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Shows an overlay and waits up to 2 s for the players' results. Devices outside of the workspace are omitted. */
  async show(workspaceId: string, deviceIds: readonly string[], overlay: NewOverlay): Promise<OverlayResult[]> {
    const { clock, players, db, store } = this.#deps;
    const now = clock.now();
    const lasts = overlay.duration * 1000;
    const begin_by = overlayBeginsBy(now, overlay.duration);
    const message: PipShow = {
      type: 'device:pip-show',
      ...overlay,
      ...(lasts > 0 && { until: now + lasts, begin_by }),
    };
    // Computes the latest possible end: an overlay that is shown at the last possible moment still has its full
    // duration. Until then, it may have to be cleared.
    const until_ms = lasts > 0 ? begin_by + lasts : null;
    const text = JSON.stringify(message);
    const targets = players.names(workspaceId, deviceIds);
    for (const { id } of targets) this.#having?.add(id);
    await this.#inSlices(targets, ({ id }) =>
      db.write(() =>
        store.setOverlay({
          device_id: id,
          pip_id: overlay.pip_id,
          message: text,
          until_ms,
          created_at: seconds(clock),
        }),
      ),
    );
    await db.durable();
    return this.#tell(targets, {
      frame: textFrame(text),
      pipId: overlay.pip_id,
      wanted: ['shown', 'failed', 'cleared'],
      waitFor: () => true,
    });
  }

  /** @param pipId id of the overlay to clear; without it, any overlay */
  async clear(workspaceId: string, deviceIds: readonly string[], pipId?: string): Promise<OverlayResult[]> {
    const { players, db, store, clock } = this.#deps;
    const targets = players.names(workspaceId, deviceIds);
    const text = JSON.stringify({ type: 'device:pip-clear', ...(pipId !== undefined && { pip_id: pipId }) });
    const showing = new Set<string>();
    await this.#inSlices(targets, ({ id }) => {
      const row = store.overlay(id);
      if (!row || (pipId !== undefined && row.pip_id !== pipId)) return;
      showing.add(id);
      // Replaces the stored overlay by the message to clear it: a disconnected player may be showing the overlay and
      // must clear it when it reconnects.
      const later = JSON.stringify({ type: 'device:pip-clear', pip_id: row.pip_id });
      db.write(() =>
        store.setOverlay({
          device_id: id,
          pip_id: row.pip_id,
          message: later,
          until_ms: row.until_ms,
          created_at: seconds(clock),
        }),
      );
    });
    await db.durable();
    const results = await this.#tell(targets, {
      frame: textFrame(text),
      pipId,
      wanted: ['cleared', 'failed'],
      waitFor: (id) => showing.has(id),
    });
    return results.map(({ error: _error, ...result }) => ({
      ...result,
      status: result.status === 'offline' ? 'offline' : 'sent',
    }));
  }

  result(deviceId: string, message: Answer): void {
    for (const one of this.#underWay) {
      if ((one.pipId === undefined || one.pipId === message.pip_id) && one.wanted.includes(message.status))
        one.gathering.answer(deviceId, message);
    }
    this.#deps.db.write(() => {
      if (message.status === 'cleared') this.#deps.store.dropOverlay(deviceId, message.pip_id);
      else this.#deps.store.overlayStatus(deviceId, message.pip_id, message.status);
    });
    this.#deps.bus.emit('overlay', { ...message, deviceId });
  }

  /** Works in slices, so that two thousand devices do not block other requests. */
  async #inSlices<T>(targets: readonly T[], work: (target: T) => void): Promise<void> {
    const slices = new Slices({ durable: () => this.#deps.db.durable() });
    for (const target of targets) {
      work(target);
      await slices.next();
    }
  }

  /**
   * Sends a reconnected device its overlay. The player compares the id with the overlay that it is showing or has
   * shown.
   */
  catchUp(deviceId: string): void {
    const { store, clock, hub } = this.#deps;
    this.#having ??= new Set(store.devicesWithOverlay());
    if (!this.#having.has(deviceId)) return;
    const row = store.overlay(deviceId);
    if (!row) this.#having.delete(deviceId);
    const now = clock.now();
    if (!row || (row.until_ms !== null && row.until_ms <= now) || (beginsBy(row.message) ?? now + 1) <= now) return;
    hub.send(deviceId, row.message);
  }

  async #tell(
    targets: readonly { id: string; name: string }[],
    one: {
      frame: Buffer;
      pipId: string | undefined;
      wanted: Answer['status'][];
      waitFor: (deviceId: string) => boolean;
    },
  ): Promise<OverlayResult[]> {
    const { hub, wheel } = this.#deps;
    const reached = new Set<string>();
    // Registers the devices before sending, because the first player may answer before the last player was notified.
    const there = targets.map(({ id }) => id).filter((id) => hub.get(id) && one.waitFor(id));
    const gathering = new Gathering<Answer>(there, wheel, WAIT_MS);
    const underWay = { pipId: one.pipId, wanted: one.wanted, gathering };
    this.#underWay.add(underWay);
    await this.#inSlices(targets, ({ id }) => {
      if (hub.send(id, one.frame)) reached.add(id);
    });
    await gathering.done;
    this.#underWay.delete(underWay);
    return targets.map(({ id, name }) => {
      const answer = gathering.answers.get(id);
      if (!reached.has(id)) return { device_id: id, name, status: 'offline' };
      if (!answer || answer.status === 'cleared') return { device_id: id, name, status: 'sent' };
      return { device_id: id, name, status: answer.status, ...(answer.error && { error: answer.error }) };
    });
  }
}

/** Returns `begin_by` of a stored message; undefined for a message that clears the overlay. */
const beginsBy = (message: string): number | undefined => (JSON.parse(message) as Partial<PipShow>).begin_by;

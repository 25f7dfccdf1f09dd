/**
 * Overlays (decisions, Overlays): one at a time per device, the newest wins; kept so that a device that is away gets
 * it, or learns that it was cleared, when it comes back.
 */
import { overlayBeginsBy, type PipShow, type PlayerMessage } from '../../shared/protocol/messages.ts';
import { seconds } from '../kernel/clock.ts';
import type { Parts } from '../kernel/parts.ts';
import { Slices } from '../kernel/slices.ts';
import type { DeliveryStore } from './delivery.store.ts';
import { textFrame } from './frame.ts';
import { Gathering } from './gathering.ts';
import type { PlayerHub } from './player-hub.ts';
import type { PlayersStore } from './players.store.ts';
import type { Wheel } from './wheel.ts';

const WAIT_MS = 1_900;

type Answer = Extract<PlayerMessage, { type: 'overlay.result' }>;

/** `sent`: the player's socket took it, and it has not answered yet (or, of a clear, it did as told). */
export interface OverlayResult {
  readonly device_id: string;
  readonly name: string;
  readonly status: 'sent' | 'shown' | 'failed' | 'offline';
  readonly error?: string;
}

/** The overlay as the player gets it, without what is filled in here. */
export type NewOverlay = Omit<PipShow, 'type' | 'until' | 'begin_by'>;

interface Deps extends Pick<Parts, 'db' | 'clock' | 'bus'> {
  readonly store: DeliveryStore;
  readonly players: PlayersStore;
  readonly hub: PlayerHub;
  readonly wheel: Wheel;
}

export class Overlays {
  readonly #deps: Deps;
  /** By pip_id, or `clear` and a number. */
  readonly #underWay = new Set<{
    readonly pipId: string | undefined;
    readonly wanted: Answer['status'][];
    readonly gathering: Gathering<Answer>;
  }>();

  /** Devices that may have one; the others are not looked up when they sign in. */
  #having: Set<string> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Shows it, and waits at most 2 s until the players say so. Devices that are not in the workspace are left out. */
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
    // Seen at the last moment it lasts its time; until then it may have to be cleared.
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

  /** @param pipId absent: whatever shows */
  async clear(workspaceId: string, deviceIds: readonly string[], pipId?: string): Promise<OverlayResult[]> {
    const { players, db, store, clock } = this.#deps;
    const targets = players.names(workspaceId, deviceIds);
    const text = JSON.stringify({ type: 'device:pip-clear', ...(pipId !== undefined && { pip_id: pipId }) });
    const showing = new Set<string>();
    await this.#inSlices(targets, ({ id }) => {
      const row = store.overlay(id);
      if (!row || (pipId !== undefined && row.pip_id !== pipId)) return;
      showing.add(id);
      // It takes the overlay's place: a player that is away may be showing it, and has to learn that it is over.
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

  /** Of two thousand devices nobody else waits for all. */
  async #inSlices<T>(targets: readonly T[], work: (target: T) => void): Promise<void> {
    const slices = new Slices({ durable: () => this.#deps.db.durable() });
    for (const target of targets) {
      work(target);
      await slices.next();
    }
  }

  /** The device is back. A player knows by the id what it shows or has shown already. */
  catchUp(deviceId: string): void {
    const { store, clock, hub } = this.#deps;
    this.#having ??= new Set(store.devicesWithOverlay());
    if (!this.#having.has(deviceId)) return;
    const row = store.overlay(deviceId);
    if (!row) this.#having.delete(deviceId);
    const now = clock.now();
    if (!row || (row.until_ms !== null && row.until_ms <= now) || (beginsBy(row.message) ?? now + 1) <= now) return;
    hub.say(deviceId, row.message);
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
    // The first may answer before the last is told.
    const there = targets.map(({ id }) => id).filter((id) => hub.get(id) && one.waitFor(id));
    const gathering = new Gathering<Answer>(there, wheel, WAIT_MS);
    const underWay = { pipId: one.pipId, wanted: one.wanted, gathering };
    this.#underWay.add(underWay);
    await this.#inSlices(targets, ({ id }) => {
      if (hub.say(id, one.frame)) reached.add(id);
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

/** Of a message as it is kept here; a clear has none. */
const beginsBy = (message: string): number | undefined => (JSON.parse(message) as Partial<PipShow>).begin_by;

/** Claims players. The typed code proves that the user stands in front of the screen. */

import { ApiError, forbidden, notFound } from '../../../shared/contract/errors.ts';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import type { PairBody, PendingPlayer } from '../../../shared/contract/screens/pairing.ts';
import type { DeviceInfo } from '../../../shared/protocol/messages.ts';
import { plainCode } from '../../../shared/protocol/pairing-code.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Versioned } from '../../kernel/revision.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import type { DevicesStore } from './devices.store.ts';
import { toDevice } from './devices.view.ts';

/** A player that shows a pairing code (server/realtime). */
export interface WaitingPlayer {
  readonly pendingId: string;
  readonly secretHash: string;
  /** Name that the player reports; may be empty. */
  readonly name: string;
  readonly info: DeviceInfo;
  readonly shownAs: string;
  /** Time since which the player waits, in epoch milliseconds. */
  readonly since: number;
  readonly codes: readonly { readonly text: string }[];
  /**
   * Whether the player shows a code that it made itself. Such a player accepts only a server that proves that it
   * knows the code.
   */
  readonly ownCode: boolean;
  /** Whether the player is being claimed, so that two users cannot both claim it. */
  taken: boolean;
}

interface WaitingPlayers<W extends WaitingPlayer = WaitingPlayer> {
  list(): W[];
  /** Returns the waiting players that show a code that they made themselves. */
  withOwnCode(): W[];
  byCode(typed: string): W | undefined;
  byId(pendingId: string): W | undefined;
}

/** Asks a player that made its own code whether the typed code is right. */
interface CodeProofs<W extends WaitingPlayer = WaitingPlayer> {
  /** Returns whether the player confirmed the code. The promise never rejects. */
  prove(waiting: W, code: string): Promise<boolean>;
}

/** Notifies a player that it was claimed, with its device id. */
interface Claimed<W extends WaitingPlayer = WaitingPlayer> {
  claimed(waiting: W, deviceId: string): void;
}

/**
 * Counts wrong codes per user. Ten wrong codes lock a user out for 15 minutes, also across restarts
 * (features/accounts).
 */
export interface CodeLock {
  /** @throws 429 while locked */
  check(userId: string): void;
  failed(userId: string): void;
  forget(userId: string): void;
}

/**
 * Maximum number of players that the server asks about a typed code when the user chose no screen. Each question lets a
 * program that only pretends to be a screen guess the code once more.
 */
const MOST_ASKED = 20;

interface Deps<W extends WaitingPlayer> extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: DevicesStore;
  readonly waiting: WaitingPlayers<W>;
  readonly claims: CodeProofs<W>;
  readonly claimed: Claimed<W>;
  readonly lock: CodeLock;
  readonly hosted: boolean;
  /** The server's time zone, the initial zone of a new device. */
  readonly zone: () => string;
}

export class PairingService<W extends WaitingPlayer> {
  readonly #deps: Deps<W>;

  constructor(deps: Deps<W>) {
    this.#deps = deps;
  }

  /** Returns players, longest waiting first. */
  pending(): PendingPlayer[] {
    this.#requireSelfHosted();
    return this.#deps.waiting.list().map((one) => ({
      pending_id: one.pendingId,
      name: one.name,
      platform: one.info.platform,
      ip_address: one.shownAs || null,
      code: one.codes.at(-1)?.text ?? '',
      own_code: one.ownCode,
      waiting_since: Math.floor(one.since / 1000),
    }));
  }

  async pair(actor: Actor, body: PairBody): Promise<Versioned<Device>> {
    const { store, clock, db, zone, activity, bus, claimed } = this.#deps;
    const workspaceId = actor.workspaceId!;
    const waiting = await this.#find(actor, body);
    // Another user is claiming the player, or has claimed it.
    if (waiting.taken || store.hasSecret(waiting.secretHash)) throw notFound('Waiting player');
    const now = seconds(clock);
    const id = newId();
    const name = body.name || waiting.name || `Screen ${store.count(workspaceId) + 1}`;
    waiting.taken = true;
    try {
      return db.write(() => {
        store.insert({
          id,
          workspace_id: workspaceId,
          name,
          timezone: zone(),
          secret_hash: waiting.secretHash,
          platform: waiting.info.platform,
          created_at: now,
          updated_at: now,
        });
        activity.add({ workspaceId, actor, action: 'device.paired', details: name, deviceId: id });
        db.afterCommit(() => {
          bus.emit('changed', { workspaceId, topic: 'devices', ids: [id], by: actor.userId });
          claimed.claimed(waiting, id);
        });
        const row = store.find(workspaceId, id)!;
        return { record: toDevice(row, undefined), revision: row.revision };
      });
    } catch (error) {
      waiting.taken = false;
      throw error;
    } finally {
      db.durable()?.catch(() => void (waiting.taken = false));
    }
  }

  async #find(actor: Actor, { pending_id, code }: PairBody): Promise<W> {
    const { lock } = this.#deps;
    const typed = plainCode(code ?? '');
    if (!typed) {
      const waiting = this.#byId(pending_id!);
      if (waiting.ownCode)
        throw new ApiError(
          409,
          'This screen is in contact with more than one server. To connect the screen to this server, enter the code that the screen shows.',
          { code: 'needs_code' },
        );
      return waiting;
    }
    lock.check(actor.userId);
    const waiting = pending_id
      ? await this.#withCode(this.#byId(pending_id), typed)
      : (this.#deps.waiting.byCode(typed) ?? (await this.#whoeverShows(typed)));
    if (!waiting) {
      lock.failed(actor.userId);
      throw new ApiError(
        404,
        'No screen has this code. Codes change every 15 minutes. Check the screen and enter the code again.',
      );
    }
    lock.forget(actor.userId);
    return waiting;
  }

  async #withCode(waiting: W, code: string): Promise<W | undefined> {
    const shows = waiting.ownCode
      ? await this.#deps.claims.prove(waiting, code)
      : this.#deps.waiting.byCode(code) === waiting;
    return shows ? waiting : undefined;
  }

  /**
   * Asks players that made their own code, one player per turn of the event loop, because a proof takes some
   * milliseconds.
   */
  async #whoeverShows(code: string): Promise<W | undefined> {
    const asked: Promise<W | undefined>[] = [];
    for (const waiting of this.#deps.waiting.withOwnCode().slice(0, MOST_ASKED)) {
      asked.push(this.#withCode(waiting, code));
      await new Promise((next) => setImmediate(next));
    }
    return (await Promise.all(asked)).find((waiting) => waiting !== undefined);
  }

  #byId(pendingId: string): W {
    this.#requireSelfHosted();
    const waiting = this.#deps.waiting.byId(pendingId);
    if (!waiting) throw notFound('Waiting player');
    return waiting;
  }

  #requireSelfHosted(): void {
    if (this.#deps.hosted)
      throw forbidden(
        'On a hosted server, a screen can be connected only with the code that the screen shows. Enter that code.',
      );
  }
}

/**
 * Delivers commands to stores. Commands are stored on the disk and sent as soon as a store listens, one after the other
 * in the order of their creation. A store recognises a repeated command by its id and gives the same answer. Expired
 * commands are not sent.
 */
import type { Visitor } from '../../../shared/chain/wire.ts';
import type { CommandBody } from '../../../shared/contract/screens/devices.ts';
import { COMMANDS, isCommandName } from '../../../shared/protocol/commands.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { type Downlink, NotDone } from '../transport/downlink.ts';
import type { NextRow, RemoteCommandRow, RemoteCommandsStore, Settled, Whose } from './remote-commands.store.ts';

/** Maximum number of stores that receive commands at the same time, over all workspaces. */
const MAX_AT_ONCE = 64;
/** Delays in milliseconds before a command is sent again: to a busy store, and to a store that did not answer. */
const BUSY_MS = 10_000;
const AGAIN_MS = 60_000;

const BROKE_OFF =
  'The store received the command, but the connection was lost before the answer. The store may have run the command. The command is not sent again, so that no screen restarts or shuts down twice.';

interface Deps extends Pick<Parts, 'db' | 'clock' | 'mono' | 'log'> {
  readonly store: Pick<
    RemoteCommandsStore,
    'isTold' | 'next' | 'settle' | 'markSent' | 'listUnanswered' | 'markUnsent'
  >;
  readonly downlink: Pick<Downlink, 'request' | 'isListening' | 'onCame'>;
  /** Called when the state of a command has changed. */
  readonly became: (order: Pick<RemoteCommandRow, 'id' | 'workspace_id'>) => void;
}

export class RemoteCommandDelivery {
  readonly #deps: Deps;
  /** Two sets of store numbers: stores with commands to send, and stores that are receiving a command now. */
  readonly #due = new Set<number>();
  readonly #busy = new Map<number, Promise<void>>();
  /** Numbers of stores that have connected, and to which no command was sent since then. */
  readonly #fresh = new Set<number>();
  /** Stores that get no command until this monotonic time ({@link Parts.mono}), by store number. */
  readonly #held = new Map<number, number>();
  #isOver = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.downlink.onCame((store) => {
      this.#held.delete(store.id);
      this.#fresh.add(store.id);
      this.call(store);
    });
  }

  /** Stops, and resolves when no delivery is running any more. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#busy.values());
  }

  /** Resolves when no delivery is running. For tests. */
  async idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
  }

  /** Queues a listening store for delivery. */
  call(store: { readonly id: number }): void {
    if (!this.#deps.downlink.isListening(store)) return;
    this.#due.add(store.id);
    this.#pump();
  }

  /** Queues the stores whose retry delay is over. */
  again(): void {
    const now = this.#deps.mono();
    for (const [id, until] of this.#held) {
      if (until > now) continue;
      this.#held.delete(id);
      this.call({ id });
    }
  }

  #pump(): void {
    if (this.#isOver) return;
    for (const store of this.#due) {
      if (this.#busy.size >= MAX_AT_ONCE) return;
      if (this.#busy.has(store)) continue;
      this.#due.delete(store);
      const serving = this.#serve(store)
        .catch((error: unknown) => {
          this.#deps.log.warn('A command could not be told to a store; it is tried again', { error });
          this.#hold(store, BUSY_MS);
        })
        .finally(() => {
          this.#busy.delete(store);
          this.#pump();
        });
      this.#busy.set(store, serving);
    }
  }

  /** Sends the waiting commands of a store, until one fails or none is left. */
  async #serve(id: number): Promise<void> {
    const { store, downlink, clock } = this.#deps;
    for (;;) {
      if (this.#isOver || !downlink.isListening({ id }) || this.#isHeld(id)) return;
      if (this.#fresh.delete(id)) this.#giveUp(id);
      const next = store.next(id, sureNow(clock));
      if (!next || !(await this.#tell(next, id))) return;
    }
  }

  /** Sends one command. Returns false when the store should get no further command for now. */
  async #tell(order: NextRow, id: number): Promise<boolean> {
    const { db, store, clock, downlink, became } = this.#deps;
    const whose = { order: order.id, store: id };
    db.write(() => store.markSent(whose, clock.now()));
    became(order);
    // The command is marked as sent before it is sent. After a crash, headquarters then knows that the store may have
    // received it.
    await db.durable();
    // Does not send the command: it was cancelled meanwhile, or the store was removed.
    if (!store.isTold(whose)) return true;
    try {
      const answer = await downlink.request({ id }, 'command', {
        id: order.id,
        visitor: JSON.parse(order.visitor) as Visitor,
        command: JSON.parse(order.command) as CommandBody,
        tag: order.tag,
      });
      this.#settle(whose, { ...answer, state: 'done', error: '' });
      return true;
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      return this.#notDone(whose, error);
    } finally {
      became(order);
    }
  }

  #notDone(whose: Whose, { code, message }: NotDone): boolean {
    switch (code) {
      case 'away':
        // The store does not listen. The command is sent again when the store listens.
        this.#untell(whose);
        return false;
      case 'busy':
        this.#untell(whose);
        this.#hold(whose.store, BUSY_MS);
        return false;
      case 'silent':
        // The delay does not apply to a store that has reconnected since the command was sent: this store gets the
        // command again at once.
        if (!this.#fresh.has(whose.store)) this.#hold(whose.store, AGAIN_MS);
        return false;
      default:
        this.#settle(whose, { ...NONE, state: 'refused', error: message });
        return true;
    }
  }

  /**
   * Expires unanswered commands when a store reconnects, if these commands may have stopped its PC. The restarted
   * server may not remember such a command, and sending the command again would stop the PC after each start.
   */
  #giveUp(id: number): void {
    const { db, store, became } = this.#deps;
    const ending = store.listUnanswered(id).filter(({ command }) => {
      const { type } = JSON.parse(command) as { type: string };
      return isCommandName(type) && COMMANDS[type].endsPlayer;
    });
    if (ending.length === 0) return;
    db.write(() => {
      for (const order of ending) {
        this.#settle({ order: order.id, store: id }, { ...NONE, state: 'expired', error: BROKE_OFF });
        became(order);
      }
    });
  }

  #untell(whose: Whose): void {
    const { db, store } = this.#deps;
    db.write(() => store.markUnsent(whose));
  }

  #settle(whose: Whose, result: Omit<Settled, 'at'>): void {
    const { db, store, clock } = this.#deps;
    db.write(() => store.settle(whose, { ...result, at: clock.now() }));
  }

  #hold(store: number, ms: number): void {
    this.#held.set(store, this.#deps.mono() + ms);
  }

  #isHeld(store: number): boolean {
    const until = this.#held.get(store);
    if (until === undefined) return false;
    if (until > this.#deps.mono()) return true;
    this.#held.delete(store);
    return false;
  }
}

const NONE = { screens: 0, acked: 0, failed: 0 };

/**
 * Returns the time for expiry in epoch milliseconds. While the clock is untrusted, this is the earliest possible
 * time, so that nothing expires too early.
 */
export const sureNow = (clock: Clock): number => (clock.doubtful ? (clock.least ?? clock.now()) : clock.now());

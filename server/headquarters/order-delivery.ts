/**
 * Tells stores what waits for them. It stands on the disk, and is told as soon as a store listens, in the order in which
 * it was given, one command after the other; a store knows an order again by its id and answers as before. Nothing is
 * told after its time is over.
 */
import type { Visitor } from '../../shared/chain/wire.ts';
import type { CommandBody } from '../../shared/contract/devices.ts';
import { COMMANDS, isCommandName } from '../../shared/protocol/commands.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Parts } from '../kernel/parts.ts';
import { type Downlink, NotDone } from './downlink.ts';
import type { NextRow, OrderRow, OrdersStore, Settled, Whose } from './orders.store.ts';

/** Stores that are being told at once, of all workspaces. */
const MAX_AT_ONCE = 64;
/** A store that is busy is told again after so long, and one that was told and says nothing. */
const BUSY_MS = 10_000;
const AGAIN_MS = 60_000;

const BROKE_OFF =
  'The store received the command, but the connection was lost before it answered. It may have run it. The command is not sent again, so that no screen restarts or shuts down twice.';

interface Deps extends Pick<Parts, 'db' | 'clock' | 'mono' | 'log'> {
  readonly store: Pick<OrdersStore, 'isTold' | 'next' | 'settle' | 'tell' | 'told' | 'untell'>;
  readonly downlink: Pick<Downlink, 'ask' | 'isListening' | 'onCame'>;
  /** Something came of an order. */
  readonly became: (order: Pick<OrderRow, 'id' | 'workspace_id'>) => void;
}

export class OrderDelivery {
  readonly #deps: Deps;
  /** Numbers of stores to which something is to be told, and of those that are being told. */
  readonly #due = new Set<number>();
  readonly #busy = new Map<number, Promise<void>>();
  /** Stores that began to listen and were not looked at since. */
  readonly #fresh = new Set<number>();
  /** Stores that are left alone until then ({@link Parts.mono}). */
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

  /** Resolves when no store is being told anything any more. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#busy.values());
  }

  /** Resolves when no store is being told anything. For tests. */
  async idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
  }

  /** A store that listens is told what waits for it, as soon as there is time. */
  call(store: { readonly id: number }): void {
    if (!this.#deps.downlink.isListening(store)) return;
    this.#due.add(store.id);
    this.#pump();
  }

  /** Tells those again that were left alone for long enough. */
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

  /** Tells a store what waits for it, until it does not answer. */
  async #serve(id: number): Promise<void> {
    const { store, downlink, clock } = this.#deps;
    for (;;) {
      if (this.#isOver || !downlink.isListening({ id }) || this.#isHeld(id)) return;
      if (this.#fresh.delete(id)) this.#giveUp(id);
      const next = store.next(id, sureNow(clock));
      if (!next || !(await this.#tell(next, id))) return;
    }
  }

  /** Returns false: the store has to be left alone for now. */
  async #tell(order: NextRow, id: number): Promise<boolean> {
    const { db, store, clock, downlink, became } = this.#deps;
    const whose = { order: order.id, store: id };
    db.write(() => store.tell(whose, clock.now()));
    became(order);
    // A headquarters that dies now knows that the store may have been told.
    await db.durable();
    // Taken back in the meantime, or the store is gone.
    if (!store.isTold(whose)) return true;
    try {
      const answer = await downlink.ask({ id }, 'command', {
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
        // Told as soon as it comes.
        this.#untell(whose);
        return false;
      case 'busy':
        this.#untell(whose);
        this.#hold(whose.store, BUSY_MS);
        return false;
      case 'silent':
        // Who came in the meantime is told at once.
        if (!this.#fresh.has(whose.store)) this.#hold(whose.store, AGAIN_MS);
        return false;
      default:
        this.#settle(whose, { ...NONE, state: 'refused', error: message });
        return true;
    }
  }

  /**
   * A store listens anew: it may be the same server, or one that was started since and knows no order. A command by
   * which its machine may have gone down with the screen's is not told again, or it would go down each time it comes.
   */
  #giveUp(id: number): void {
    const { db, store, became } = this.#deps;
    const ending = store.told(id).filter(({ command }) => {
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
    db.write(() => store.untell(whose));
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

/** While the clock is doubted, nothing is over that may not be. Epoch milliseconds. */
export const sureNow = (clock: Clock): number => (clock.doubtful ? (clock.least ?? clock.now()) : clock.now());

/**
 * Commands of headquarters to screens of its stores. What is to be told stands on the disk, and is told as soon as a
 * store listens, in the order in which it was made, one command after the other; a store knows an order again by its id
 * and answers as before. Nothing is told after its time is over.
 */
import type { Visitor } from '../../shared/chain/wire.ts';
import type { CommandBody } from '../../shared/contract/devices.ts';
import type { BodyOf, QueryOf } from '../../shared/contract/endpoint.ts';
import { badRequest, conflict, notFound } from '../../shared/contract/errors.ts';
import {
  type createOrder,
  type listOrderStores,
  ORDER_STATES,
  type OrderState,
  type OrderStore,
  type StoreOrder,
} from '../../shared/contract/orders.ts';
import { COMMANDS, isCommandName } from '../../shared/protocol/commands.ts';
import type { Actor, WorkspaceActor } from '../kernel/actor.ts';
import { announce } from '../kernel/bus.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Parts } from '../kernel/parts.ts';
import { recent } from '../kernel/recent.ts';
import { inSlices } from '../kernel/slices.ts';
import { type Downlink, NotDone } from './downlink.ts';
import type { Count, NextRow, OrderRow, OrdersStore, Settled, Whose } from './orders.store.ts';
import type { StoreBook, StoreNow } from './store-book.ts';
import { visitorOf } from './store-windows.ts';
import { isWanted, workspaceOf } from './stores.service.ts';

/** Stores that are being told at once, of all workspaces. */
const MAX_AT_ONCE = 64;
/** Of a workspace. */
const MAX_KEPT = 500;
const MAX_OPEN = 100;
/** Orders, of all workspaces. */
const MAX_REMEMBERED = 2_000;
const MINUTE_MS = 60_000;
/** What is over is looked for so often, and stores that were busy are told again. */
const LOOK_MS = 10_000;
/** A store that was told and says nothing is told again. */
const AGAIN_MS = MINUTE_MS;
/** Windows are told so often that something came of a command. */
const ANNOUNCE_MS = 2_000;

const UNANSWERED = 'The store was told, and has not answered in time. It may have done it all the same.';
const BROKE_OFF =
  'The store was told, and its line broke before it answered. It may have done it; so that no screen is restarted or shut down twice, it is not told again.';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'mono' | 'activity' | 'log'> {
  readonly store: OrdersStore;
  readonly book: Pick<StoreBook, 'all' | 'byRef'>;
  readonly downlink: Pick<Downlink, 'ask' | 'isListening' | 'onCame'>;
}

export class OrdersService implements Lifecycle {
  readonly name = 'orders';
  readonly #deps: Deps;
  /** Numbers of stores to which something is to be told, and of those that are being told. */
  readonly #due = new Set<number>();
  readonly #busy = new Map<number, Promise<void>>();
  /** Stores that began to listen and were not looked at since. */
  readonly #fresh = new Set<number>();
  /** Stores that are left alone until then ({@link Parts.mono}). */
  readonly #held = new Map<number, number>();
  /** Workspaces whose windows have to be told. */
  readonly #changed = new Set<string>();
  /** What became of orders that are over. */
  readonly #over = recent<string, readonly Count[]>(MAX_REMEMBERED);
  /** Up to when everything is marked that is over, epoch milliseconds. */
  #through = 0;
  #timers: NodeJS.Timeout[] = [];
  #isOver = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.db.onLost(() => this.#over.clear());
    // A store that is removed is in no order any more.
    deps.bus.on('changed', ({ topic, ids }) => {
      if (topic === 'stores' && ids) this.#over.clear();
    });
    deps.downlink.onCame(({ id }) => {
      this.#held.delete(id);
      this.#fresh.add(id);
      this.#call(id);
    });
  }

  start(): void {
    this.#isOver = false;
    this.#timers = [
      setInterval(() => this.look(), LOOK_MS).unref(),
      setInterval(() => this.announceChanges(), ANNOUNCE_MS).unref(),
    ];
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await Promise.all(this.#busy.values());
  }

  /** Resolves when no store is being told anything. For tests. */
  async idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
  }

  /** @throws ApiError 400 where no store is meant, 404, 409 when too many are under way */
  create(actor: Actor, body: BodyOf<typeof createOrder>): StoreOrder {
    const { db, store, clock, downlink } = this.#deps;
    const workspaceId = workspaceOf(actor);
    const stores = this.#choose(actor, body.stores);
    const now = clock.now();
    const row: OrderRow = {
      id: newId(),
      workspace_id: workspaceId,
      command: JSON.stringify(body.command),
      tag: body.tag,
      visitor: JSON.stringify(visitorOf(actor)),
      created_at: now,
      expires_at: now + body.lasts_minutes * MINUTE_MS,
    };
    db.write(() => {
      this.#makeRoom(workspaceId);
      store.insert(
        row,
        stores.map(({ id }) => id),
      );
      this.#note(actor, 'store.commanded', body.command, stores.length);
      db.afterCommit(() => {
        for (const one of stores) if (downlink.isListening(one)) this.#call(one.id);
      });
    });
    return this.#view(row);
  }

  async list(actor: Actor, page: { limit: number; offset: number }): Promise<{ rows: StoreOrder[]; total: number }> {
    this.#expire();
    const { store } = this.#deps;
    const workspaceId = workspaceOf(actor);
    const rows: StoreOrder[] = [];
    // Milliseconds each, of thousands of stores.
    for await (const row of inSlices(store.list(workspaceId, page))) rows.push(this.#view(row));
    return { rows, total: store.count(workspaceId) };
  }

  /** @throws ApiError 404 */
  get(actor: Actor, id: string): StoreOrder {
    this.#expire();
    return this.#view(this.#find(actor, id));
  }

  /** @throws ApiError 404 */
  stores(actor: Actor, id: string, query: QueryOf<typeof listOrderStores>): { rows: OrderStore[]; total: number } {
    const { states } = this.get(actor, id);
    const counted = ORDER_STATES.filter((state) => query.state === undefined || state === query.state);
    const total = counted.reduce((sum, state) => sum + states[state], 0);
    return { rows: this.#deps.store.stores(id, query), total };
  }

  /** From those that were not told. @throws ApiError 404 */
  takeBack(actor: Actor, id: string): void {
    const { db, store, clock } = this.#deps;
    this.#expire();
    db.write(() => {
      const row = this.#find(actor, id);
      const { states } = this.#view(row);
      if (states.waiting + states.told === 0) return;
      store.takeBack(id, { at: clock.now(), unanswered: UNANSWERED });
      this.#note(actor, 'store.command_taken_back', JSON.parse(row.command) as CommandBody, states.waiting);
    });
  }

  /** Marks what is over, and tells again what was not heard. Returns when it was begun. */
  look(): void {
    this.#expire();
    const now = this.#deps.mono();
    for (const [store, until] of this.#held) {
      if (until > now) continue;
      this.#held.delete(store);
      this.#call(store);
    }
  }

  announceChanges(): void {
    for (const workspaceId of this.#changed)
      announce(this.#deps, { workspaceId, userId: null }, { topic: 'stores', screens: false });
    this.#changed.clear();
  }

  #choose(actor: Actor, choice: BodyOf<typeof createOrder>['stores']): StoreNow[] {
    const { book } = this.#deps;
    const workspaceId = workspaceOf(actor);
    if (choice.which === 'all') {
      const { region, tag } = choice;
      const meant = book.all(workspaceId).filter((store) => store.key !== null && isWanted(store, { region, tag }));
      if (meant.length === 0) throw badRequest('No enrolled store is meant by this. Nothing was sent.');
      return meant;
    }
    return choice.ids.map((ref) => {
      const found = book.byRef(ref);
      if (found?.workspace_id !== workspaceId) throw notFound('Store');
      return found;
    });
  }

  /** Within a write. @throws ApiError 409 */
  #makeRoom(workspaceId: string): void {
    const { store, clock } = this.#deps;
    const unexpired = store.unexpired(workspaceId, clock.now());
    const open = new Set(unexpired.filter((id) => !this.#over.has(id) && store.isOpen(id)));
    if (open.size >= MAX_OPEN)
      throw conflict(
        `At most ${MAX_OPEN} commands to stores can be under way. Wait until some are done, or take some back.`,
      );
    const ids = store.ids(workspaceId);
    const over = ids.filter((id) => !open.has(id));
    for (const id of over.slice(0, Math.max(0, ids.length - MAX_KEPT + 1))) store.delete(id);
  }

  #find(actor: Actor, id: string): OrderRow {
    const found = this.#deps.store.find(workspaceOf(actor), id);
    if (!found) throw notFound('Command');
    return found;
  }

  #view(row: OrderRow): StoreOrder {
    const known = this.#over.get(row.id);
    if (known) return viewOf(row, known);
    const counts = this.#deps.store.counts(row.id);
    if (!counts.some(({ state }) => isOpen(state))) this.#over.set(row.id, counts);
    return viewOf(row, counts);
  }

  /** Within a write. */
  #note(
    actor: Actor,
    action: 'store.commanded' | 'store.command_taken_back',
    { type }: Pick<CommandBody, 'type'>,
    stores: number,
  ): void {
    const { activity } = this.#deps;
    const details = `${type}: ${stores} ${stores === 1 ? 'store' : 'stores'}`;
    activity.add({ workspaceId: workspaceOf(actor), actor, action, details });
    announce(this.#deps, actor as WorkspaceActor, { topic: 'stores', screens: false });
  }

  /** A store is to be told what waits for it, as soon as there is time. */
  #call(store: number): void {
    this.#due.add(store);
    this.#pump();
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
          this.#hold(store, LOOK_MS);
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
    const { db, store, clock, downlink } = this.#deps;
    const whose = { order: order.id, store: id };
    db.write(() => store.tell(whose, clock.now()));
    this.#changed.add(order.workspace_id);
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
      this.#changed.add(order.workspace_id);
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
        this.#hold(whose.store, LOOK_MS);
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
    const { db, store } = this.#deps;
    const ending = store.told(id).filter(({ command }) => {
      const { type } = JSON.parse(command) as { type: string };
      return isCommandName(type) && COMMANDS[type].endsPlayer;
    });
    if (ending.length === 0) return;
    db.write(() => {
      for (const { id: order, workspace_id } of ending) {
        this.#changed.add(workspace_id);
        this.#settle({ order, store: id }, { ...NONE, state: 'expired', error: BROKE_OFF });
      }
    });
  }

  #untell(whose: Whose): void {
    const { db, store } = this.#deps;
    db.write(() => store.untell(whose));
    this.#over.delete(whose.order);
  }

  #settle(whose: Whose, result: Omit<Settled, 'at'>): void {
    const { db, store, clock } = this.#deps;
    db.write(() => store.settle(whose, { ...result, at: clock.now() }));
    this.#over.delete(whose.order);
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

  #expire(): void {
    const { db, store, clock, log } = this.#deps;
    const to = sureNow(clock);
    // Where the clock was set back, all of them are looked at once more.
    const from = to < this.#through ? 0 : this.#through;
    const workspaces = store.ended(from, to);
    if (workspaces.length === 0) {
      this.#through = to;
      return;
    }
    try {
      db.write(() => {
        store.expire({ from, to, unanswered: UNANSWERED });
        db.afterCommit(() => {
          this.#through = to;
        });
      });
      for (const one of workspaces) this.#changed.add(one);
    } catch (error) {
      log.warn('Commands that are over could not be marked so; it is tried again', { error });
    }
  }
}

const NONE = { screens: 0, acked: 0, failed: 0 };

const isOpen = (state: OrderState): boolean => state === 'waiting' || state === 'told';

/** While the clock is doubted, nothing is over that may not be. Epoch milliseconds. */
const sureNow = (clock: Clock): number => (clock.doubtful ? (clock.least ?? clock.now()) : clock.now());

const viewOf = (row: OrderRow, counts: readonly Count[] = []): StoreOrder => {
  const sum = (what: 'screens' | 'acked' | 'failed') => counts.reduce((all, count) => all + count[what], 0);
  const stores = (state: OrderState) => counts.find((count) => count.state === state)?.stores ?? 0;
  return {
    id: row.id,
    command: JSON.parse(row.command) as CommandBody,
    tag: row.tag,
    by: (JSON.parse(row.visitor) as Visitor).name,
    created_at: Math.floor(row.created_at / 1000),
    expires_at: Math.floor(row.expires_at / 1000),
    states: Object.fromEntries(ORDER_STATES.map((state) => [state, stores(state)])) as StoreOrder['states'],
    screens: sum('screens'),
    acked: sum('acked'),
    failed: sum('failed'),
  };
};

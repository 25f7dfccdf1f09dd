/** Remote commands: commands of headquarters to screens of its stores. People create them and see the results. */
import type { Visitor } from '../../../shared/chain/wire.ts';
import type { BodyOf, QueryOf } from '../../../shared/contract/endpoint.ts';
import { badRequest, conflict, notFound } from '../../../shared/contract/errors.ts';
import {
  type createRemoteCommand,
  type listRemoteCommandStores,
  REMOTE_COMMAND_STATES,
  type RemoteCommand,
  type RemoteCommandState,
  type RemoteCommandStore,
} from '../../../shared/contract/headquarters/remote-commands.ts';
import type { CommandBody } from '../../../shared/contract/screens/devices.ts';
import { announce } from '../../kernel/bus.ts';
import { newId } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { inSlices } from '../../kernel/threads/slices.ts';
import { recent } from '../../kernel/time/recent.ts';
import type { Actor, WorkspaceActor, WorkspaceRole } from '../../kernel/trust/actor.ts';
import { isEdited, isSeen, requireEdited } from '../stores/region-rights.ts';
import type { StoreNow, StoreRegistry } from '../stores/store-registry.ts';
import { visitorOf } from '../stores/store-windows.ts';
import { isWanted, workspaceOf } from '../stores/stores.service.ts';
import type { Downlink } from '../transport/downlink.ts';
import { RemoteCommandDelivery, sureNow } from './command-delivery.ts';
import type { Count, RemoteCommandRow, RemoteCommandsStore } from './remote-commands.store.ts';

/**
 * Maximum numbers of commands per workspace: commands that are open (not answered by every store), and all commands
 * that are stored.
 */
const MAX_KEPT = 500;
const MAX_OPEN = 100;
/** Maximum number of cached results of completed commands, over all workspaces. */
const MAX_REMEMBERED = 2_000;
const MINUTE_MS = 60_000;
/**
 * Interval in milliseconds at which expired commands are marked and commands are sent again to stores whose delay is
 * over.
 */
const LOOK_MS = 10_000;
/** Interval in milliseconds at which admin windows are notified while results arrive. */
const ANNOUNCE_MS = 2_000;

const UNANSWERED = 'The store received the command but did not answer in time. The store may have run the command.';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'mono' | 'activity' | 'log'> {
  readonly store: RemoteCommandsStore;
  readonly registry: Pick<StoreRegistry, 'all' | 'byRef'>;
  readonly downlink: Pick<Downlink, 'request' | 'isListening' | 'onCame'>;
}

export class RemoteCommandsService implements Lifecycle {
  readonly name = 'orders';
  readonly #deps: Deps;
  readonly #delivery: RemoteCommandDelivery;
  /** Workspaces with changes that are not announced yet. */
  readonly #changed = new Set<string>();
  /** Cached results of completed commands, by id of the command. */
  readonly #over = recent<string, readonly Count[]>(MAX_REMEMBERED);
  /** All commands that expired up to this time (epoch milliseconds) are marked as expired already. */
  #through = 0;
  #timers: NodeJS.Timeout[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.db.onLost(() => this.#over.clear());
    // Clears the cached results, because a removed store is no longer part of any command.
    deps.bus.on('changed', ({ topic, ids }) => {
      if (topic === 'stores' && ids) this.#over.clear();
    });
    this.#delivery = new RemoteCommandDelivery({
      ...deps,
      became: (order) => {
        this.#over.delete(order.id);
        this.#changed.add(order.workspace_id);
      },
    });
  }

  start(): void {
    this.#timers = [
      setInterval(() => this.runDue(), LOOK_MS).unref(),
      setInterval(() => this.announceChanges(), ANNOUNCE_MS).unref(),
    ];
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    await this.#delivery.stop();
  }

  /** Resolves when no delivery is running. For tests. */
  async idle(): Promise<void> {
    await this.#delivery.idle();
  }

  /** @throws ApiError 400 when no store is selected, 404, 409 when too many commands are open */
  create(actor: Actor, body: BodyOf<typeof createRemoteCommand>): RemoteCommand {
    const { db, store, clock } = this.#deps;
    const workspaceId = workspaceOf(actor);
    const stores = this.#choose(actor, body.stores);
    const now = clock.now();
    const row: RemoteCommandRow = {
      id: newId(),
      workspace_id: workspaceId,
      command: JSON.stringify(body.command),
      tag: body.tag,
      visitor: JSON.stringify(
        visitorOf(actor, actor.regions === null ? (actor.workspaceRole as WorkspaceRole) : 'workspace_editor'),
      ),
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
        for (const one of stores) this.#delivery.call(one);
      });
    });
    return this.#view(row);
  }

  async list(actor: Actor, page: { limit: number; offset: number }): Promise<{ rows: RemoteCommand[]; total: number }> {
    this.#expire();
    const { store } = this.#deps;
    const workspaceId = workspaceOf(actor);
    const rows: RemoteCommand[] = [];
    // Yields to other requests between rows, because building one row takes milliseconds when there are thousands of
    // stores.
    const by = onlyOf(actor);
    for await (const row of inSlices(store.list(workspaceId, page, by))) rows.push(this.#view(row));
    return { rows, total: store.count(workspaceId, by) };
  }

  /** @throws ApiError 404 */
  get(actor: Actor, id: string): RemoteCommand {
    this.#expire();
    return this.#view(this.#find(actor, id));
  }

  /** @throws ApiError 404 */
  stores(
    actor: Actor,
    id: string,
    query: QueryOf<typeof listRemoteCommandStores>,
  ): { rows: RemoteCommandStore[]; total: number } {
    const { states } = this.get(actor, id);
    const counted = REMOTE_COMMAND_STATES.filter((state) => query.state === undefined || state === query.state);
    const total = counted.reduce((sum, state) => sum + states[state], 0);
    return { rows: this.#deps.store.stores(id, query), total };
  }

  /** Cancels the command for stores that have not received it. @throws ApiError 404 */
  cancel(actor: Actor, id: string): void {
    const { db, store, clock } = this.#deps;
    this.#expire();
    db.write(() => {
      const row = this.#find(actor, id);
      const { states } = this.#view(row);
      if (states.waiting + states.told === 0) return;
      store.cancel(id, { at: clock.now(), unanswered: UNANSWERED });
      this.#note(actor, 'store.command_taken_back', JSON.parse(row.command) as CommandBody, states.waiting);
    });
  }

  /** Marks expired commands and starts retries. Returns without waiting for the retries. */
  runDue(): void {
    this.#expire();
    this.#delivery.again();
  }

  announceChanges(): void {
    for (const workspaceId of this.#changed) announce(this.#deps, { workspaceId, userId: null }, { topic: 'stores' });
    this.#changed.clear();
  }

  #choose(actor: Actor, choice: BodyOf<typeof createRemoteCommand>['stores']): StoreNow[] {
    const { registry } = this.#deps;
    const workspaceId = workspaceOf(actor);
    if (choice.which === 'all') {
      const { region, tag } = choice;
      const meant = registry
        .all(workspaceId)
        .filter((store) => store.key !== null && isEdited(actor, store) && isWanted(store, { region, tag }));
      if (meant.length === 0) throw badRequest('No enrolled store matches this selection. Nothing was sent.');
      return meant;
    }
    return choice.ids.map((ref) => {
      const found = registry.byRef(ref);
      if (found?.workspace_id !== workspaceId || !isSeen(actor, found)) throw notFound('Store');
      requireEdited(actor, found);
      return found;
    });
  }

  /**
   * Deletes the oldest completed commands above the limit. Called within a write transaction.
   * @throws ApiError 409
   */
  #makeRoom(workspaceId: string): void {
    const { store, clock } = this.#deps;
    const unexpired = store.unexpired(workspaceId, clock.now());
    const open = new Set(unexpired.filter((id) => !this.#over.has(id) && store.isOpen(id)));
    if (open.size >= MAX_OPEN)
      throw conflict(
        `At most ${MAX_OPEN} commands to stores can be open at the same time. Wait until some commands are finished, or cancel some.`,
      );
    const ids = store.ids(workspaceId);
    const over = ids.filter((id) => !open.has(id));
    for (const id of over.slice(0, Math.max(0, ids.length - MAX_KEPT + 1))) store.delete(id);
  }

  #find(actor: Actor, id: string): RemoteCommandRow {
    const found = this.#deps.store.find(workspaceOf(actor), id);
    const by = onlyOf(actor);
    if (!found || (by !== undefined && (JSON.parse(found.visitor) as Visitor).id !== by)) throw notFound('Command');
    return found;
  }

  #view(row: RemoteCommandRow): RemoteCommand {
    const known = this.#over.get(row.id);
    if (known) return viewOf(row, known);
    const counts = this.#deps.store.counts(row.id);
    if (!counts.some(({ state }) => isOpen(state))) this.#over.set(row.id, counts);
    return viewOf(row, counts);
  }

  /** Logs and announces the change. Called within a write transaction. */
  #note(
    actor: Actor,
    action: 'store.commanded' | 'store.command_taken_back',
    { type }: Pick<CommandBody, 'type'>,
    stores: number,
  ): void {
    const { activity } = this.#deps;
    const details = `${type}: ${stores} ${stores === 1 ? 'store' : 'stores'}`;
    activity.add({ workspaceId: workspaceOf(actor), actor, action, details });
    announce(this.#deps, actor as WorkspaceActor, { topic: 'stores' });
  }

  #expire(): void {
    const { db, store, clock, log } = this.#deps;
    const to = sureNow(clock);
    // After the clock was set back, the mark moves back, so that all commands are checked for expiry again.
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

/** Returns the actor's id when the actor sees only their own commands, because they do not see all stores. */
const onlyOf = ({ regions, userId }: Actor): string | undefined => (regions === null ? undefined : userId);

const isOpen = (state: RemoteCommandState): boolean => state === 'waiting' || state === 'told';

const viewOf = (row: RemoteCommandRow, counts: readonly Count[] = []): RemoteCommand => {
  const sum = (what: 'screens' | 'acked' | 'failed') => counts.reduce((all, count) => all + count[what], 0);
  const stores = (state: RemoteCommandState) => counts.find((count) => count.state === state)?.stores ?? 0;
  return {
    id: row.id,
    command: JSON.parse(row.command) as CommandBody,
    tag: row.tag,
    by: (JSON.parse(row.visitor) as Visitor).name,
    created_at: Math.floor(row.created_at / 1000),
    expires_at: Math.floor(row.expires_at / 1000),
    states: Object.fromEntries(REMOTE_COMMAND_STATES.map((state) => [state, stores(state)])) as RemoteCommand['states'],
    screens: sum('screens'),
    acked: sum('acked'),
    failed: sum('failed'),
  };
};

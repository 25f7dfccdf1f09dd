/** Values of stores, which people at headquarters set for one store, or for many in a table. */
import { BUILT_IN, type Values } from '../../../shared/chain/values.ts';
import type { BodyOf, QueryOf } from '../../../shared/contract/endpoint.ts';
import { badRequest, stale } from '../../../shared/contract/errors.ts';
import type {
  exportStoreValues,
  importStoreValues,
  ValueNames,
  ValuesTable,
} from '../../../shared/contract/headquarters/store-values.ts';
import type { PlaysExport } from '../../features/reports/reports.service.ts';
import { announce } from '../../kernel/bus.ts';
import { collate } from '../../kernel/collate.ts';
import type { Parts } from '../../kernel/parts.ts';
import { checkRevision, type Versioned } from '../../kernel/revision.ts';
import { inSlices } from '../../kernel/threads/slices.ts';
import type { Actor, WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { StoreNow, StoreRegistry } from './store-registry.ts';
import { isWanted, type StoresService, workspaceOf } from './stores.service.ts';
import type { StoresStore } from './stores.store.ts';
import { rowsOf, TablePlan, tableHead, tableLine } from './values-table.ts';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: Pick<StoresStore, 'setValues'>;
  readonly registry: Pick<StoreRegistry, 'byRef' | 'valued'>;
  readonly stores: Pick<StoresService, 'all' | 'find'>;
}

type OfStore = Versioned<{ values: Record<string, string> }>;
type Change = { readonly store: StoreNow; readonly values: Values };

export class StoreValuesService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws ApiError 404 */
  get(actor: Actor, ref: string): OfStore {
    const { values, revision } = this.#deps.stores.find(actor, ref);
    return { record: { values: { ...values } }, revision };
  }

  /** @throws ApiError 404, 412 */
  set(actor: Actor, ref: string, values: Values, ifMatch: string | undefined): OfStore {
    const { db, stores } = this.#deps;
    db.write(() => {
      const store = stores.find(actor, ref);
      checkRevision(ifMatch, store.revision, 'The store');
      if (JSON.stringify(values) !== JSON.stringify(store.values)) this.#put(actor, [{ store, values }]);
    });
    return this.get(actor, ref);
  }

  names(actor: Actor): ValueNames {
    const stores = this.#deps.stores.all(actor);
    const counts = countsOf(stores);
    const withRegion = stores.filter(({ region }) => region !== '').length;
    const builtIn = { 'store.name': stores.length, 'store.region': withRegion };
    return [
      ...BUILT_IN.map((name) => ({ name, stores: builtIn[name] })),
      ...[...counts].sort(([a], [b]) => collate(a, b)).map(([name, count]) => ({ name, stores: count })),
    ];
  }

  export(actor: Actor, query: QueryOf<typeof exportStoreValues>): PlaysExport {
    const stores = this.#deps.stores.all(actor).filter((store) => isWanted(store, query));
    stores.sort((a, b) => collate(a.name, b.name));
    const names = [...countsOf(stores).keys()].sort(collate);
    const lines = async function* () {
      for await (const store of inSlices(stores)) yield Buffer.from(tableLine(store, names));
    };
    const day = new Date(this.#deps.clock.now()).toISOString().slice(0, 10);
    return {
      filename: `store-values-${day}.csv`,
      type: 'text/csv; charset=utf-8',
      head: tableHead(names),
      chunks: lines(),
    };
  }

  /** @throws ApiError 400, 412 */
  async import(
    actor: Actor,
    { table, apply }: BodyOf<typeof importStoreValues>,
    ifMatch: string | undefined,
  ): Promise<Versioned<ValuesTable>> {
    const { db, registry, stores } = this.#deps;
    const plan = new TablePlan(stores.all(actor));
    for await (const row of inSlices(rowsOf(table))) plan.add(row);
    const { revision } = plan;
    checkRevision(ifMatch, revision, 'One of the stores');
    if (!apply) return { record: plan.view(false), revision };
    const record = plan.view(true);
    const [mistake] = record.mistakes;
    if (mistake) throw badRequest(`table: line ${mistake.line}, column ${mistake.column}: ${mistake.error}`);
    return db.write(() => {
      // Checks the revisions again, because other requests may have changed stores while the table was being read.
      for (const { store } of plan.changes)
        if (registry.byRef(store.ref)?.revision !== store.revision) throw stale('One of the stores');
      this.#put(actor, plan.changes);
      return { record, revision: revision + plan.changes.length };
    });
  }

  /** Stores, logs and announces the changes. Called within a write transaction. */
  #put(actor: Actor, changes: readonly Change[]): void {
    const { store, registry, activity } = this.#deps;
    if (changes.length === 0) return;
    const given = changes.map(({ store: { id }, values }) => ({ id, values }));
    store.setValues(given);
    const workspaceId = workspaceOf(actor);
    const details = changes.length === 1 ? changes[0]!.store.name : String(changes.length);
    activity.add({
      workspaceId,
      actor,
      action: changes.length === 1 ? 'store.values_said' : 'store.values_said_many',
      details,
    });
    const ids = changes.map(({ store: { ref } }) => ref);
    announce(this.#deps, actor as WorkspaceActor, { topic: 'stores', ids });
    registry.valued(given);
  }
}

const countsOf = (stores: readonly StoreNow[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { values } of stores)
    for (const name of Object.keys(values)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

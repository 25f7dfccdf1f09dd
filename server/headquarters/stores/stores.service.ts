/** Stores of the chain: people at headquarters list, create, change and remove them. */
import { createHash, randomBytes } from 'node:crypto';
import { ENROLMENT_CODE_DAYS, enrolmentText, SECRET_BYTES } from '../../../shared/chain/enrolment-code.ts';
import type { BodyOf, QueryOf } from '../../../shared/contract/endpoint.ts';
import { ApiError, conflict, notFound } from '../../../shared/contract/errors.ts';
import {
  type createStore,
  type EnrolmentCode,
  type listStorePlaces,
  type listStores,
  MAX_PLACES,
  STORE_LINES,
  STORE_TROUBLES,
  type Store,
  type StoreCounts,
  type StoreIncident,
  type StorePlaces,
  type updateStore,
} from '../../../shared/contract/headquarters/stores.ts';
import type { Identity } from '../../identity.ts';
import { announce } from '../../kernel/bus.ts';
import { collate } from '../../kernel/collate.ts';
import { definedOnly } from '../../kernel/defined.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { checkRevision, type Versioned } from '../../kernel/revision.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor, WorkspaceActor } from '../../kernel/trust/actor.ts';
import type { SegmentFiles } from '../plays/segment-files.ts';
import type { Writer } from '../plays/segment-writer.ts';
import type { Warehouse } from '../plays/warehouse.ts';
import { isSeen } from './region-rights.ts';
import type { StoreNow, StoreRegistry } from './store-registry.ts';
import { troublesOf, viewOf } from './store-view.ts';
import type { StoresStore } from './stores.store.ts';

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: StoresStore;
  readonly registry: StoreRegistry;
  readonly segmentFiles: Pick<SegmentFiles, 'remove'>;
  readonly writer: Pick<Writer, 'idle'>;
  readonly warehouse: Pick<Warehouse, 'cursors' | 'thin' | 'forget'>;
  readonly identity: Pick<Identity, 'fingerprint' | 'publicKey' | 'sealing'>;
  readonly server: () => { readonly name: string };
  /** Addresses of this server as `https://host:port`; empty: HTTPS is off. */
  readonly addresses: () => readonly string[];
}

export class StoresService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  list(actor: Actor, query: QueryOf<typeof listStores>): { rows: Store[]; total: number } {
    const wanted = this.#all(actor).filter((store) => isWanted(store, query));
    const rows = wanted.map((store) => ({ store, urgency: query.order === 'worst' ? urgencyOf(store) : 0 }));
    rows.sort((a, b) => a.urgency - b.urgency || byName(a.store, b.store));
    const page = rows.slice(query.offset, query.offset + query.limit);
    return { rows: page.map(({ store }) => viewOf(store)), total: rows.length };
  }

  places(actor: Actor, query: QueryOf<typeof listStorePlaces>): StorePlaces {
    const wanted = this.#all(actor).filter((store) => isWanted(store, query));
    const placed = wanted.filter(isPlaced);
    return {
      places: placed
        .sort(byName)
        .slice(0, MAX_PLACES)
        .map((store) => ({
          id: store.ref,
          name: store.name,
          latitude: store.latitude,
          longitude: store.longitude,
          trouble: troublesOf(store)[0] ?? null,
          line: store.line,
        })),
      without: wanted.length - placed.length,
    };
  }

  counts(actor: Actor): StoreCounts {
    const counts: StoreCounts = {
      stores: 0,
      line: { new: 0, up: 0, down: 0, left: 0 },
      screens_total: 0,
      screens_online: 0,
      screens_dark: 0,
      troubled: 0,
      troubles: Object.fromEntries(STORE_TROUBLES.map((trouble) => [trouble, 0])) as StoreCounts['troubles'],
      regions: [],
      tags: [],
    };
    const [regions, tags] = [new Set<string>(), new Set<string>()];
    for (const store of this.#all(actor)) {
      counts.stores++;
      counts.line[store.line]++;
      if (store.region !== '') regions.add(store.region);
      for (const tag of store.tags) tags.add(tag);
      const troubles = troublesOf(store);
      if (troubles.length > 0) counts.troubled++;
      for (const trouble of troubles) counts.troubles[trouble]!++;
      const { presence } = store;
      if (!presence || store.line === 'left' || store.line === 'new') continue;
      counts.screens_total += presence.screens.total;
      // Does not count the screens of a store without a connection, because their state is unknown.
      if (store.line !== 'up') continue;
      counts.screens_online += presence.screens.online;
      counts.screens_dark += presence.screens.dark;
    }
    return { ...counts, regions: [...regions].sort(collate), tags: [...tags].sort(collate) };
  }

  /** @throws ApiError 404 */
  get(actor: Actor, ref: string): Versioned<Store> {
    const store = this.#find(actor, ref);
    return { record: viewOf(store), revision: store.revision };
  }

  /** @throws ApiError 409 */
  create(actor: Actor, body: BodyOf<typeof createStore>): Store {
    const { db, store, clock, activity, registry } = this.#deps;
    const workspaceId = workspaceOf(actor);
    const ref = newId();
    db.write(() => {
      this.#checkName(actor, body.name);
      const { latitude = null, longitude = null } = body;
      const made = { ref, workspace_id: workspaceId, created_at: seconds(clock) };
      const id = store.insert({ ...body, latitude, longitude, ...made });
      registry.refresh(id);
      activity.add({ workspaceId, actor, action: 'store.created', details: body.name });
      this.#announce(actor, ref);
    });
    return viewOf(this.#find(actor, ref));
  }

  /** @throws ApiError 404, 409, 412 */
  update(actor: Actor, ref: string, body: BodyOf<typeof updateStore>, ifMatch: string | undefined): Versioned<Store> {
    const { db, store, activity, registry } = this.#deps;
    db.write(() => {
      const before = this.#find(actor, ref);
      checkRevision(ifMatch, before.revision, 'The store');
      const { name, region, tags, note, latitude, longitude } = { ...before, ...definedOnly(body) };
      if (name !== before.name) this.#checkName(actor, name);
      store.update(before.id, { name, region, tags, note, latitude, longitude });
      registry.refresh(before.id);
      activity.add({ workspaceId: before.workspace_id, actor, action: 'store.updated', details: name });
      this.#announce(actor, ref);
    });
    return this.get(actor, ref);
  }

  /** Deletes a store with its plays. @throws ApiError 404, 503 when the plays cannot be reached */
  async delete(actor: Actor, ref: string): Promise<void> {
    const { db, store, activity, registry, segmentFiles, writer, warehouse } = this.#deps;
    // The store is not deleted while its plays cannot be deleted, because no later step would delete the plays.
    await warehouse.cursors(this.#find(actor, ref));
    await warehouse.thin(this.#find(actor, ref));
    const found = this.#find(actor, ref);
    db.write(() => {
      store.delete(found.id);
      registry.refresh(found.id);
      activity.add({ workspaceId: found.workspace_id, actor, action: 'store.deleted', details: found.name });
      this.#announce(actor, ref);
    });
    await db.durable();
    await writer.idle(found.id);
    await warehouse.forget(found);
    await segmentFiles.remove(ref);
  }

  /** @throws ApiError 404, 503 without HTTPS */
  makeCode(actor: Actor, ref: string): Omit<EnrolmentCode, 'qr_data_url'> {
    const { db, store, activity, registry, clock, identity } = this.#deps;
    const { fingerprint } = identity;
    const addresses = [...this.#deps.addresses()];
    if (addresses.length === 0)
      throw new ApiError(
        503,
        'Stores connect over HTTPS, which is off on this server. Turn HTTPS on, then create a code.',
      );
    const secret = randomBytes(SECRET_BYTES).toString('hex');
    const expires_at = seconds(clock) + ENROLMENT_CODE_DAYS * 86_400;
    db.write(() => {
      const found = this.#find(actor, ref);
      store.setCode(found.id, hashOfSecret(secret), expires_at);
      registry.refresh(found.id);
      activity.add({ workspaceId: found.workspace_id, actor, action: 'store.code_made', details: found.name });
      this.#announce(actor, ref);
    });
    const { stick_in: taken, stick_out: written, name } = this.#find(actor, ref);
    const { publicKey, sealing } = this.#deps.identity;
    const offline = {
      store: ref,
      name,
      headquarters: this.#deps.server().name,
      key: publicKey.slice(-64),
      seal_key: sealing.key,
      sticks: { taken, written },
    };
    return { code: enrolmentText({ secret, fingerprint }), addresses, offline, expires_at };
  }

  /** @throws ApiError 404 */
  incidents(
    actor: Actor,
    ref: string,
    page: { limit: number; offset: number },
  ): { rows: StoreIncident[]; total: number } {
    const { id } = this.#find(actor, ref);
    return { rows: this.#deps.store.incidents(id, page), total: this.#deps.store.countIncidents(id) };
  }

  /** @throws ApiError 404 */
  seeIncidents(actor: Actor, ref: string): void {
    const { db, store, activity, registry, clock } = this.#deps;
    db.write(() => {
      const found = this.#find(actor, ref);
      if (store.seeIncidents(found.id, seconds(clock), actor.userName) === 0) return;
      registry.refresh(found.id);
      activity.add({ workspaceId: found.workspace_id, actor, action: 'store.incidents_seen', details: found.name });
      this.#announce(actor, ref);
    });
  }

  /** Returns a store of the actor's workspace. Also used by reports. @throws ApiError 404 */
  find(actor: Actor, ref: string): StoreNow {
    return this.#find(actor, ref);
  }

  all(actor: Actor): StoreNow[] {
    return this.#all(actor);
  }

  #all(actor: Actor): StoreNow[] {
    const all = actor.workspaceId === null ? [] : this.#deps.registry.all(actor.workspaceId);
    return actor.regions === null ? all : all.filter((store) => isSeen(actor, store));
  }

  #find(actor: Actor, ref: string): StoreNow {
    const found = this.#deps.registry.byRef(ref);
    if (!found || found.workspace_id !== actor.workspaceId || !isSeen(actor, found)) throw notFound('Store');
    return found;
  }

  #checkName(actor: Actor, name: string): void {
    // Converts the name to the text that the database would store.
    const kept = name.toWellFormed();
    // Checks all stores, including stores that the actor does not see.
    if (this.#deps.registry.all(workspaceOf(actor)).some((store) => store.name === kept))
      throw conflict(`Another store is called ${name}. Choose another name.`);
  }

  #announce(actor: Actor, ref: string): void {
    announce(this.#deps, actor as WorkspaceActor, { topic: 'stores', ids: [ref] });
  }
}

export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const workspaceOf = ({ workspaceId }: Actor): string => {
  if (workspaceId === null) throw notFound('Workspace');
  return workspaceId;
};

const byName = (a: StoreNow, b: StoreNow): number => collate(a.name, b.name);

type Placed = StoreNow & { readonly latitude: number; readonly longitude: number };
const isPlaced = (store: StoreNow): store is Placed => store.latitude !== null && store.longitude !== null;

/** Computes the sort key of a store. A lower key means a more urgent problem. */
const urgencyOf = (store: StoreNow): number => {
  const [worst] = troublesOf(store);
  return worst === undefined ? STORE_TROUBLES.length + STORE_LINES.indexOf(store.line) : STORE_TROUBLES.indexOf(worst);
};

type Wanted = Pick<QueryOf<typeof listStores>, 'region' | 'tag'> & Partial<QueryOf<typeof listStores>>;

export const isWanted = (store: StoreNow, { region, tag, q, line, trouble, place }: Wanted): boolean => {
  if (region !== undefined && store.region !== region) return false;
  if (tag !== undefined && !store.tags.some((one) => one.toLowerCase() === tag.toLowerCase())) return false;
  if (line !== undefined && store.line !== line) return false;
  if (place === 'none' && isPlaced(store)) return false;
  if (trouble !== undefined) {
    const troubles = troublesOf(store);
    if (trouble === 'any' ? troubles.length === 0 : !troubles.includes(trouble)) return false;
  }
  const text = q?.trim().toLowerCase();
  if (!text) return true;
  return [store.name, store.region, store.note, ...store.tags].some((one) => one.toLowerCase().includes(text));
};

/**
 * Campaigns of headquarters: people edit, start and stop them, and see the progress of stores. Stores receive an
 * edition: an immutable document that is built when the campaign is started.
 */
import { createHash } from 'node:crypto';
import { blobsOf, type CampaignDoc } from '../../../shared/chain/campaign.ts';
import { phaseCounts } from '../../../shared/chain/readiness.ts';
import { namesUsedByDoc } from '../../../shared/chain/values.ts';
import type { BodyOf, QueryOf } from '../../../shared/contract/endpoint.ts';
import { ApiError, conflict, forbidden, notFound } from '../../../shared/contract/errors.ts';
import {
  type Campaign,
  type CampaignBody,
  type CampaignEdition,
  type CampaignRefusal,
  type CampaignStore,
  type CampaignValues,
  type listCampaignStores,
  type listCampaigns,
  MAX_CAMPAIGNS,
  MAX_RUNNING,
  type startCampaign,
  type updateCampaign,
} from '../../../shared/contract/headquarters/campaigns.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import type { Zone } from '../../../shared/program/zones.ts';
import { announce } from '../../kernel/bus.ts';
import { definedOnly } from '../../kernel/defined.ts';
import { newId } from '../../kernel/ids.ts';
import type { Parts } from '../../kernel/parts.ts';
import { checkRevision, type Versioned } from '../../kernel/revision.ts';
import { inSlices } from '../../kernel/threads/slices.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor, WorkspaceActor } from '../../kernel/trust/actor.ts';
import { isSeen } from '../stores/region-rights.ts';
import type { StoreNow, StoreRegistry } from '../stores/store-registry.ts';
import { workspaceOf } from '../stores/stores.service.ts';
import type { DesiredStates } from '../transport/desired-states.ts';
import { askedHashOf, CampaignComparison } from './campaign-comparison.ts';
import { buildDocument, bytesOf, type DecidedCampaign } from './campaign-document.ts';
import type { CampaignLibraryStore } from './campaign-library.store.ts';
import { atRest, columnsOf, decidedOf, isLive } from './campaign-row.ts';
import { checked } from './campaign-rules.ts';
import { listStores } from './campaign-stores.ts';
import { lackingIn } from './campaign-values.ts';
import { meantBy, requireWithin } from './campaign-where.ts';
import type { CampaignRow, CampaignsStore } from './campaigns.store.ts';
import type { LateStarts } from './late-starts.ts';

/** Limit of editions that are kept per campaign. */
const MAX_EDITIONS = 50;
/** Limit of values that one error message names. */
const MAX_VALUES_NAMED = 10;

interface Deps extends Pick<Parts, 'db' | 'bus' | 'clock' | 'activity'> {
  readonly store: CampaignsStore;
  readonly library: Pick<CampaignLibraryStore, 'of'>;
  readonly registry: Pick<StoreRegistry, 'all' | 'byRef'>;
  readonly running: Pick<DesiredStates, 'crowded' | 'editionsChanged'>;
  readonly late: Pick<LateStarts, 'of'>;
  /** Time zone of headquarters. */
  readonly zone: () => Zone;
}

export class CampaignsService {
  readonly #deps: Deps;
  readonly #comparison: CampaignComparison;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#comparison = new CampaignComparison(deps);
  }

  async list(actor: Actor, query: QueryOf<typeof listCampaigns>): Promise<{ rows: Campaign[]; total: number }> {
    const workspaceId = workspaceOf(actor);
    const found = this.#deps.store.page(workspaceId, query, query);
    const stores = this.#stores(actor);
    const rows: Campaign[] = [];
    // Building one row of the list takes milliseconds when there are thousands of stores.
    for await (const row of inSlices(found.rows)) rows.push(this.#view(actor, row, stores));
    return { rows, total: found.total };
  }

  /** @throws ApiError 404 */
  get(actor: Actor, id: string): Versioned<Campaign> {
    return this.#answer(actor, this.#find(actor, id));
  }

  /** Returns the decided campaign to a person who may decide about it. @throws ApiError 403, 404 */
  decided(actor: Actor, id: string): DecidedCampaign {
    return decidedOf(this.#found(actor, id, undefined));
  }

  /** @throws ApiError 400, 404, 409 */
  create(actor: Actor, body: CampaignBody): Versioned<Campaign> {
    const { db, store, clock } = this.#deps;
    const workspaceId = workspaceOf(actor);
    const id = newId();
    return db.write(() => {
      if (store.count(workspaceId) >= MAX_CAMPAIGNS)
        throw conflict(
          `There are already ${MAX_CAMPAIGNS} campaigns, which is the limit. Delete campaigns that are over.`,
        );
      const now = seconds(clock);
      const decided = checked(this.#deps, actor, { id, ...body });
      store.insert({
        ...columnsOf(decided),
        workspace_id: workspaceId,
        state: 'draft',
        edition: null,
        changed_by: actor.userName,
        asked_by: null,
        asked_by_id: null,
        asked_sha256: null,
        approved_by: null,
        refused: null,
        started_at: null,
        stopped_at: null,
        revision: 1,
        created_at: now,
        updated_at: now,
      });
      return this.#did(actor, 'campaign.created', id);
    });
  }

  /** @throws ApiError 400, 404, 409, 412 */
  update(
    actor: Actor,
    id: string,
    body: BodyOf<typeof updateCampaign>,
    ifMatch: string | undefined,
  ): Versioned<Campaign> {
    const { db, store, clock } = this.#deps;
    return db.write(() => {
      const row = this.#found(actor, id, ifMatch);
      const before = decidedOf(row);
      const decided = checked(this.#deps, actor, { ...before, ...definedOnly(body) }, before);
      store.update({
        ...row,
        ...columnsOf(decided),
        ...atRest(row),
        changed_by: actor.userName,
        updated_at: seconds(clock),
      });
      return this.#did(actor, 'campaign.updated', id);
    });
  }

  /** @throws ApiError 404, 409, 412 */
  delete(actor: Actor, id: string, ifMatch: string | undefined): void {
    const { db, store } = this.#deps;
    db.write(() => {
      const row = this.#found(actor, id, ifMatch);
      if (isLive(row)) throw conflict(`The campaign ${row.name} is still in stores. Stop the campaign first.`);
      store.delete(id);
      this.#note(actor, 'campaign.deleted', row);
    });
  }

  /**
   * Starts the campaign with the current library. Requests approval instead when the actor needs it.
   * @throws ApiError
   * 403, 404, 409, 412
   */
  start(
    actor: Actor,
    id: string,
    ifMatch: string | undefined,
    { lacking }: BodyOf<typeof startCampaign> = { lacking: false },
  ): Versioned<Campaign> {
    const { db, store } = this.#deps;
    return db.write(() => {
      const row = this.#found(actor, id, ifMatch);
      const isWaiting = row.state === 'waiting';
      if (actor.needsApproval) {
        if (!isWaiting && !lacking) this.#requireValues(actor, row);
        return this.#ask(actor, row);
      }
      if (isWaiting && row.asked_by_id === actor.userId && store.isApprovalNeeded(row.workspace_id))
        throw forbidden(
          'You asked for approval of this campaign yourself. Another approver must start the campaign.',
          'approval_required',
        );
      const decided = decidedOf(row);
      const made = buildDocument(this.#deps.library.of(row.workspace_id), decided, this.#next(row));
      if (this.#comparison.isStale(row))
        throw new ApiError(
          409,
          'The campaign or its content has changed since approval was requested. Ask the requester to start it again, or withdraw the request and start the campaign yourself.',
          { code: 'request_stale' },
        );
      if (!lacking) this.#requireValues(actor, row);
      this.#give(row, decided, {
        ...made,
        made_by: isWaiting ? row.asked_by! : actor.userName,
        approved_by: isWaiting ? actor.userName : null,
      });
      return this.#did(actor, 'campaign.started', id);
    });
  }

  /** @throws ApiError 403, 404, 409 when the campaign does not wait for approval, 412 */
  refuse(actor: Actor, id: string, answer: string, ifMatch: string | undefined): Versioned<Campaign> {
    const { db, store, clock } = this.#deps;
    return db.write(() => {
      const row = this.#found(actor, id, ifMatch);
      const { asked_by, asked_by_id } = row;
      if (!actor.approves)
        throw forbidden('Only approvers and administrators can answer this request.', 'approval_required');
      if (row.state !== 'waiting' || asked_by === null || asked_by_id === null)
        throw conflict(`The campaign ${row.name} is not waiting for approval.`);
      const at = seconds(clock);
      const refused: CampaignRefusal = { asked_by, asked_by_id, by: actor.userName, by_id: actor.userId, at, answer };
      store.update({ ...row, ...atRest(row), refused: JSON.stringify(refused), updated_at: at });
      return this.#did(actor, 'campaign.approval_refused', id, `${row.name} (${asked_by})${answer && `: “${answer}”`}`);
    });
  }

  /** @throws ApiError 404, 409, 412 */
  stop(actor: Actor, id: string, ifMatch: string | undefined): Versioned<Campaign> {
    const { db, store, clock, running } = this.#deps;
    return db.write(() => {
      const row = this.#found(actor, id, ifMatch);
      const wasLive = isLive(row);
      if (!wasLive && row.state !== 'waiting') throw conflict(`The campaign ${row.name} is not running.`);
      const stopped = wasLive ? { ...row, stopped_at: seconds(clock) } : row;
      store.update({ ...stopped, ...atRest(stopped), updated_at: seconds(clock) });
      if (wasLive) {
        store.forgetReadiness(id);
        db.afterCommit(() => running.editionsChanged(row.workspace_id));
      }
      return this.#did(actor, 'campaign.stopped', id);
    });
  }

  /** @throws ApiError 404, 409, 412 */
  rollBack(actor: Actor, id: string, to: number, ifMatch: string | undefined): Versioned<Campaign> {
    const { db, store, registry } = this.#deps;
    return db.write(() => {
      const row = this.#found(actor, id, ifMatch);
      const edition = store.edition(id, to);
      if (!edition)
        throw conflict(`Edition ${to} of the campaign ${row.name} is no longer stored. Choose another edition.`);
      // Keeps the order of the JSON fields, because documents are compared as text.
      const doc = { ...(JSON.parse(edition.doc) as CampaignDoc), ...this.#next(row) };
      const decided = { ...(JSON.parse(edition.body) as Omit<DecidedCampaign, 'id'>), id };
      requireWithin(actor, decided.where, (ref) => registry.byRef(ref));
      this.#give(row, decided, {
        doc,
        text: JSON.stringify(doc),
        made_by: actor.userName,
        approved_by: edition.approved_by,
      });
      return this.#did(actor, 'campaign.rolled_back', id);
    });
  }

  /** @throws ApiError 404 */
  editions(
    actor: Actor,
    id: string,
    page: { limit: number; offset: number },
  ): { rows: CampaignEdition[]; total: number } {
    this.#find(actor, id);
    return this.#deps.store.editions(id, page);
  }

  /** Lists the stores of the campaign. Stores with the most urgent problem come first. @throws ApiError 404 */
  stores(
    actor: Actor,
    id: string,
    query: QueryOf<typeof listCampaignStores>,
  ): { rows: CampaignStore[]; total: number } {
    const { store, clock, zone } = this.#deps;
    const row = this.#find(actor, id);
    if (!isLive(row)) return { rows: [], total: 0 };
    return listStores(this.#stores(actor), store.edition(id, row.edition)!, store.readiness(id), query, {
      zone: zone(),
      now: seconds(clock),
    });
  }

  /**
   * Lists the values that the campaign needs and stores lack, counting only stores that the actor sees. Required values
   * come first.
   * @throws ApiError 404
   */
  values(actor: Actor, id: string): CampaignValues {
    return this.#valuesOf(actor, this.#find(actor, id));
  }

  #valuesOf(actor: Actor, row: CampaignRow): CampaignValues {
    const decided = decidedOf(row);
    return lackingIn(this.#stores(actor).filter(meantBy(decided.where)), this.#asked(row, decided));
  }

  /** Returns names of values that the campaign would use; empty when it cannot be built. */
  #asked(row: CampaignRow, decided: DecidedCampaign): ReadonlyMap<string, boolean> {
    try {
      return namesUsedByDoc(buildDocument(this.#deps.library.of(row.workspace_id), decided, this.#next(row)).doc);
    } catch (error) {
      if (error instanceof ApiError) return new Map();
      throw error;
    }
  }

  /** @throws ApiError 409 when stores lack values that the campaign needs */
  #requireValues(actor: Actor, row: CampaignRow): void {
    const needed = this.#valuesOf(actor, row).filter(({ is_needed, lacking }) => is_needed && lacking > 0);
    if (needed.length === 0) return;
    const named = needed.slice(0, MAX_VALUES_NAMED).map(({ name, lacking }) => `${name} (${lacking})`);
    const said = needed.length > named.length ? [...named, '…'] : named;
    throw new ApiError(
      409,
      `Some stores would refuse the campaign, because they have no values for it. Missing values, each with the number of stores: ${said.join(', ')}. Enter the values for these stores, or start the campaign anyway with lacking: true.`,
      { code: 'values_lacking' },
    );
  }

  /** Requests approval for a member who may not start the campaign alone. Called within a write transaction. */
  #ask(actor: Actor, row: CampaignRow): Versioned<Campaign> {
    const { store, library, clock } = this.#deps;
    if (row.state === 'waiting' && !this.#comparison.isStale(row))
      throw conflict(`${row.asked_by} already asked for approval. Wait for the answer.`);
    // Throws when the campaign could not be started, so that no approval is requested for it.
    const asked_sha256 = askedHashOf(library.of(row.workspace_id), row);
    const asked = { asked_by: actor.userName, asked_by_id: actor.userId, asked_sha256, refused: null };
    store.update({ ...row, ...asked, state: 'waiting', updated_at: seconds(clock) });
    return this.#did(actor, 'campaign.approval_asked', row.id);
  }

  #next({ edition }: CampaignRow): { edition: number; made_ms: number } {
    return { edition: (edition ?? 0) + 1, made_ms: this.#deps.clock.now() };
  }

  /** Makes this edition the desired state of the stores. Called within a write transaction. @throws ApiError 409 */
  #give(
    row: CampaignRow,
    decided: DecidedCampaign,
    made: { doc: CampaignDoc; text: string; made_by: string; approved_by: string | null },
  ): void {
    const { db, store, clock, running } = this.#deps;
    const full = running.crowded(row.workspace_id, row.id, decided.where);
    if (full)
      throw conflict(
        `The store ${full.name} already has ${MAX_RUNNING} campaigns, which is the limit. Stop campaigns that are over.`,
      );
    const now = seconds(clock);
    const blobs = blobsOf(made.doc);
    const { id: _, ...body } = decided;
    store.addEdition(
      {
        campaign: row.id,
        edition: made.doc.edition,
        sha256: createHash('sha256').update(made.text).digest('hex'),
        doc: made.text,
        body: JSON.stringify(body),
        bytes: bytesOf(blobs),
        made_at: now,
        made_by: made.made_by,
        approved_by: made.approved_by,
      },
      blobs.map(({ sha256 }) => sha256),
    );
    store.dropEditions(row.id, MAX_EDITIONS);
    store.update({
      ...row,
      ...columnsOf(decided),
      state: 'running',
      edition: made.doc.edition,
      asked_by: null,
      asked_by_id: null,
      asked_sha256: null,
      approved_by: made.approved_by,
      refused: null,
      started_at: now,
      stopped_at: null,
      updated_at: now,
    });
    db.afterCommit(() => running.editionsChanged(row.workspace_id));
  }

  /** Returns the stores that the actor sees. */
  #stores(actor: Actor): StoreNow[] {
    const all = this.#deps.registry.all(workspaceOf(actor));
    return actor.regions === null ? all : all.filter((store) => isSeen(actor, store));
  }

  #find(actor: Actor, id: string): CampaignRow {
    const found = this.#deps.store.find(workspaceOf(actor), id);
    if (!found) throw notFound('Campaign');
    return found;
  }

  /** Finds a campaign that the actor may change or stop. @throws ApiError 403, 404, 412 */
  #found(actor: Actor, id: string, ifMatch: string | undefined): CampaignRow {
    const { store, registry } = this.#deps;
    const row = this.#find(actor, id);
    const live = isLive(row) ? store.edition(id, row.edition) : undefined;
    for (const body of [row.body, ...(live ? [live.body] : [])])
      requireWithin(actor, (JSON.parse(body) as CampaignBody).where, (ref) => registry.byRef(ref));
    checkRevision(ifMatch, row.revision, 'The campaign');
    return row;
  }

  /** Logs and announces the change, and returns the campaign. Called within a write transaction. */
  #did(actor: Actor, action: ActivityAction, id: string, details?: string): Versioned<Campaign> {
    const row = this.#find(actor, id);
    this.#note(actor, action, row, details);
    return this.#answer(actor, row);
  }

  #note(actor: Actor, action: ActivityAction, { id, name, workspace_id }: CampaignRow, details = name): void {
    this.#deps.activity.add({ workspaceId: workspace_id, actor, action, details });
    announce(this.#deps, actor as WorkspaceActor, { topic: 'campaigns', ids: [id] });
  }

  #answer(actor: Actor, row: CampaignRow): Versioned<Campaign> {
    return { record: this.#view(actor, row, this.#stores(actor)), revision: row.revision };
  }

  /** @param stores stores that the actor sees */
  #view(actor: Actor, row: CampaignRow, stores: readonly StoreNow[]): Campaign {
    const { store, late } = this.#deps;
    const decided = decidedOf(row);
    const live = isLive(row) ? store.edition(row.id, row.edition) : undefined;
    const { where } = live ? (JSON.parse(live.body) as CampaignBody) : decided;
    const meant = stores.filter(meantBy(where));
    const among = actor.regions === null ? undefined : meant.map(({ id }) => id);
    return {
      ...decided,
      slots: [...decided.slots],
      state: row.state,
      edition: row.edition,
      is_changed: live !== undefined && this.#comparison.isChanged(row, live),
      changed_by: row.changed_by,
      asked_by: row.asked_by,
      asked_by_id: row.asked_by_id,
      is_stale: this.#comparison.isKnownStale(row),
      approved_by: row.approved_by,
      refused: row.refused === null ? null : (JSON.parse(row.refused) as CampaignRefusal),
      started_at: row.started_at,
      stopped_at: row.stopped_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
      stores: meant.length,
      phases: isLive(row)
        ? {
            ...phaseCounts(meant.length, store.phases(row.id, row.edition, among)),
            late: late.of(actor, row).late,
          }
        : null,
    };
  }
}

/**
 * Lists campaigns that a person must act on: they wait for approval, stores refuse them, or stores will not have them
 * in time.
 */

import type { QueryOf } from '../../../shared/contract/endpoint.ts';
import type { CampaignBody, CampaignNeed, listCampaignNeeds } from '../../../shared/contract/headquarters/campaigns.ts';
import { collate } from '../../kernel/collate.ts';
import { inSlices } from '../../kernel/threads/slices.ts';
import type { Actor } from '../../kernel/trust/actor.ts';
import { isSeen } from '../stores/region-rights.ts';
import type { StoreRegistry } from '../stores/store-registry.ts';
import { workspaceOf } from '../stores/stores.service.ts';
import { decidedOf, isLive } from './campaign-row.ts';
import { isWithin, meantBy } from './campaign-where.ts';
import type { CampaignRow, CampaignsStore, LiveCampaign } from './campaigns.store.ts';
import { type LateStarts, NOTHING } from './late-starts.ts';

interface Deps {
  readonly store: Pick<CampaignsStore, 'needing' | 'edition' | 'isApprovalNeeded'>;
  readonly registry: Pick<StoreRegistry, 'all' | 'byRef'>;
  readonly late: Pick<LateStarts, 'needing'>;
}

export class CampaignNeedsService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Lists the campaigns that this person must act on. Campaigns that wait for this person's approval come first, then
   * campaigns with the most late stores.
   */
  async list(
    actor: Actor,
    { limit, offset }: QueryOf<typeof listCampaignNeeds>,
  ): Promise<{ rows: CampaignNeed[]; total: number }> {
    const stores = this.#deps.registry.all(workspaceOf(actor)).filter((store) => isSeen(actor, store));
    const found = this.#needing(actor);
    const rows: CampaignNeed[] = [];
    for await (const { row, late, refused, waiting, isAsked } of inSlices(found.slice(offset, offset + limit))) {
      const { id, name, state, asked_by, asked_by_id } = row;
      const { where, start_time } = late > 0 && isLive(row) ? this.#given(row) : decidedOf(row);
      rows.push({
        ...{ id, name, state, start_time, late, refused, waiting },
        asked_by: isAsked ? asked_by : null,
        asked_by_id: isAsked ? asked_by_id : null,
        stores: stores.filter(meantBy(where)).length,
      });
    }
    return { rows, total: found.length };
  }

  /** Counts campaigns that wait for this person's approval, and campaigns that stores will not have in time. */
  count(actor: Actor): { approvals: number; late: number } {
    if (actor.workspaceId === null) return { approvals: 0, late: 0 };
    const found = this.#needing(actor);
    return {
      approvals: found.filter(({ isAsked }) => isAsked).length,
      late: found.filter(({ late }) => late > 0).length,
    };
  }

  #needing(actor: Actor) {
    const missed = this.#deps.late.needing(actor);
    return this.#deps.store
      .needing(workspaceOf(actor), [...missed.keys()])
      .map((row) => ({ row, isAsked: this.#isAsked(actor, row), ...(missed.get(row.id) ?? NOTHING) }))
      .filter(({ isAsked, late }) => isAsked || late > 0)
      .sort((a, b) => Number(b.isAsked) - Number(a.isAsked) || b.late - a.late || collate(a.row.name, b.row.name));
  }

  /** Returns whether the campaign waits for approval and this person may approve it. */
  #isAsked(actor: Actor, row: CampaignRow): boolean {
    const { store, registry } = this.#deps;
    if (row.state !== 'waiting' || !actor.approves || actor.needsApproval) return false;
    if (row.asked_by_id === actor.userId && store.isApprovalNeeded(row.workspace_id)) return false;
    const live = isLive(row) ? [this.#given(row)] : [];
    return [decidedOf(row), ...live].every(({ where }) => isWithin(actor, where, (ref) => registry.byRef(ref)));
  }

  /** Returns the campaign as it was when its running edition was made. */
  #given({ id, edition }: Pick<LiveCampaign, 'id' | 'edition'>): CampaignBody {
    return JSON.parse(this.#deps.store.edition(id, edition)!.body) as CampaignBody;
  }
}

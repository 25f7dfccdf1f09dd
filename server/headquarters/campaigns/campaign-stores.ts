/** Lists the stores of a running campaign with their progress. Stores with the most urgent problem come first. */
import { type Forecast, forecast, type HeardPhase } from '../../../shared/chain/readiness.ts';
import type { QueryOf } from '../../../shared/contract/endpoint.ts';
import type {
  CampaignBody,
  CampaignStore,
  listCampaignStores,
} from '../../../shared/contract/headquarters/campaigns.ts';
import type { Zone } from '../../../shared/program/zones.ts';
import { collate } from '../../kernel/collate.ts';
import type { StoreNow } from '../stores/store-registry.ts';
import { isAway } from '../stores/store-view.ts';
import { meantBy } from './campaign-where.ts';
import type { CampaignsStore } from './campaigns.store.ts';
import { timesOf } from './late-starts.ts';

/**
 * @param stores stores that the actor sees
 * @param heard progress that stores have sent, by store number
 * @param now epoch seconds
 */
export const listStores = (
  stores: readonly StoreNow[],
  { edition, body, made_at: given }: NonNullable<ReturnType<CampaignsStore['edition']>>,
  heard: ReturnType<CampaignsStore['readiness']>,
  { phase, q, limit, offset }: QueryOf<typeof listCampaignStores>,
  { zone, now }: { readonly zone: Zone; readonly now: number },
): { rows: CampaignStore[]; total: number } => {
  const decided = JSON.parse(body) as CampaignBody;
  const times = timesOf(decided, zone);
  const text = q?.trim().toLowerCase();
  const found = stores
    .filter(meantBy(decided.where))
    .filter((one) => !text || one.name.toLowerCase().includes(text) || one.region.toLowerCase().includes(text))
    .map((one) => ({
      one,
      told: heard.get(one.id),
      ...forecast(heard.get(one.id), { edition, given, ...times, isLineUp: one.line === 'up', now }),
    }))
    .filter((each) => phase === undefined || (phase === 'late' ? each.is_late : each.phase === phase))
    .sort((a, b) => urgencyOf(a) - urgencyOf(b) || byName(a.one, b.one));
  const rows = found.slice(offset, offset + limit).map(
    ({ one, told, phase: in_phase, ready_at, is_late }): CampaignStore => ({
      store_id: one.ref,
      store_name: one.name,
      region: one.region,
      phase: in_phase,
      applied: told?.applied ?? null,
      bytes_left: told?.bytes_left ?? 0,
      rate: told?.rate ?? null,
      ready_at,
      is_late,
      is_waiting: is_late && in_phase !== 'refused' && isAway(one),
      screens: told?.screens ?? 0,
      ready: told?.ready ?? 0,
      why: told?.why ?? '',
      told_at: told?.told_at ?? null,
    }),
  );
  return { rows, total: found.length };
};

const byName = (a: StoreNow, b: StoreNow): number => collate(a.name, b.name) || a.id - b.id;

const WORST: readonly HeardPhase[] = ['refused', 'unheard', 'told', 'fetching', 'armed', 'on_screens', 'showing'];
/** Sort key of a store: a lower key is more urgent. */
const urgencyOf = ({ phase, is_late }: Forecast): number => WORST.indexOf(phase) + (is_late ? 0 : WORST.length);

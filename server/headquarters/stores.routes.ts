import { success } from '../../shared/contract/fields.ts';
import {
  countStores,
  createStore,
  deleteStore,
  exportChainPlays,
  getStore,
  listChainPlays,
  listStoreIncidents,
  listStores,
  makeEnrolmentCode,
  seeStoreIncidents,
  sumChainPlays,
  totalChainPlays,
  updateStore,
} from '../../shared/contract/stores.ts';
import { sendExport } from '../features/reports/send-export.ts';
import { type Bound, bind, Reply, withTag } from '../http/api.ts';
import type { ChainReportsService } from './chain-reports.service.ts';
import type { StoresService } from './stores.service.ts';

export const storeRoutes = (stores: StoresService, reports: ChainReportsService): Bound[] => [
  bind(listStores, ({ actor, query }) => listed(stores.list(actor, query))),
  bind(countStores, ({ actor }) => stores.counts(actor)),
  bind(sumChainPlays, async ({ actor, query }) => listed(await reports.sums(actor, query))),
  bind(totalChainPlays, ({ actor, query }) => reports.totals(actor, query)),
  bind(listChainPlays, async ({ actor, query }) => listed(await reports.list(actor, query))),
  bind(exportChainPlays, async ({ actor, query, req, res }) => {
    await sendExport(req, res, await reports.export(actor, query));
    return undefined;
  }),
  bind(createStore, ({ actor, body }) => stores.create(actor, body)),
  bind(getStore, ({ actor, params }) => withTag(stores.get(actor, params.id))),
  bind(updateStore, ({ actor, params, body, ifMatch }) => withTag(stores.update(actor, params.id, body, ifMatch))),
  bind(deleteStore, async ({ actor, params }) => {
    await stores.delete(actor, params.id);
    return success;
  }),
  bind(makeEnrolmentCode, ({ actor, params }) => stores.makeCode(actor, params.id)),
  bind(listStoreIncidents, ({ actor, params, query }) => listed(stores.incidents(actor, params.id, query))),
  bind(seeStoreIncidents, ({ actor, params }) => {
    stores.seeIncidents(actor, params.id);
    return success;
  }),
];

const listed = <T>({ rows, total }: { rows: T[]; total: number }) => new Reply(rows, { total });

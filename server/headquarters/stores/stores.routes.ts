import { enrolmentLine } from '../../../shared/chain/enrolment-file.ts';
import { success } from '../../../shared/contract/fields.ts';
import {
  exportStoreValues,
  getStoreValues,
  importStoreValues,
  listValueNames,
  setStoreValues,
} from '../../../shared/contract/headquarters/store-values.ts';
import {
  countStores,
  createStore,
  deleteStore,
  exportChainPlays,
  getStore,
  listChainPlays,
  listStoreIncidents,
  listStorePlaces,
  listStores,
  makeEnrolmentCode,
  seeStoreIncidents,
  sumChainPlays,
  totalChainPlays,
  updateStore,
} from '../../../shared/contract/headquarters/stores.ts';
import { sendExport } from '../../features/reports/proof/send-export.ts';
import { type Bound, bind, Reply, taggedJson, withTag } from '../../http/api.ts';
import { drawQr } from '../../kernel/qr.ts';
import type { ChainReportsService } from '../plays/chain-reports.service.ts';
import type { StoreValuesService } from './store-values.service.ts';
import type { StoresService } from './stores.service.ts';

export const storeRoutes = (
  stores: StoresService,
  values: StoreValuesService,
  reports: ChainReportsService,
): Bound[] => [
  bind(listStores, ({ actor, query }) => listed(stores.list(actor, query))),
  bind(countStores, ({ actor }) => stores.counts(actor)),
  // The map requests this after every report of a store, so an unchanged answer is replaced by status 304.
  bind(listStorePlaces, ({ actor, query }) => taggedJson(stores.places(actor, query))),
  bind(sumChainPlays, async ({ actor, query }) => listed(await reports.sums(actor, query))),
  bind(totalChainPlays, ({ actor, query }) => reports.totals(actor, query)),
  bind(listChainPlays, async ({ actor, query }) => listed(await reports.list(actor, query))),
  bind(exportChainPlays, async ({ actor, query, req, res }) => {
    await sendExport(req, res, await reports.export(actor, query));
    return undefined;
  }),
  bind(listValueNames, ({ actor }) => values.names(actor)),
  bind(exportStoreValues, async ({ actor, query, req, res }) => {
    await sendExport(req, res, values.export(actor, query));
    return undefined;
  }),
  bind(importStoreValues, async ({ actor, body, ifMatch }) => withTag(await values.import(actor, body, ifMatch))),
  bind(getStoreValues, ({ actor, params }) => withTag(values.get(actor, params.id))),
  bind(setStoreValues, ({ actor, params, body, ifMatch }) =>
    withTag(values.set(actor, params.id, body.values, ifMatch)),
  ),
  bind(createStore, ({ actor, body }) => stores.create(actor, body)),
  bind(getStore, ({ actor, params }) => withTag(stores.get(actor, params.id))),
  bind(updateStore, ({ actor, params, body, ifMatch }) => withTag(stores.update(actor, params.id, body, ifMatch))),
  bind(deleteStore, async ({ actor, params }) => {
    await stores.delete(actor, params.id);
    return success;
  }),
  bind(makeEnrolmentCode, async ({ actor, params }) => {
    const made = stores.makeCode(actor, params.id);
    const [address = ''] = made.addresses;
    return { ...made, qr_data_url: await drawQr(enrolmentLine({ address, code: made.code })) };
  }),
  bind(listStoreIncidents, ({ actor, params, query }) => listed(stores.incidents(actor, params.id, query))),
  bind(seeStoreIncidents, ({ actor, params }) => {
    stores.seeIncidents(actor, params.id);
    return success;
  }),
];

const listed = <T>({ rows, total }: { rows: T[]; total: number }) => new Reply(rows, { total });

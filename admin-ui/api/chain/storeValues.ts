import {
  exportStoreValues,
  getStoreValues,
  listValueNames,
} from '../../../shared/contract/headquarters/store-values.ts';
import { client } from '../requests/client.ts';
import { download } from '../requests/download.ts';
import { queryOf, recordQueryOf } from '../requests/query.ts';
import type { StoresFilter } from './stores.ts';

/** Query for the values of a store, cached together with their ETag. */
export const storeValuesQuery = (id: string) => ({
  ...recordQueryOf(['stores', 'values', id], getStoreValues, id, 'values'),
  staleTime: 5_000,
});

export const valueNamesQuery = { ...queryOf(['chain', 'values'], listValueNames), staleTime: 30_000 };

export const downloadValues = ({ region, tag, q }: StoresFilter): Promise<void> =>
  download(
    client.url(exportStoreValues, {}, { ...(region && { region }), ...(tag && { tag }), ...(q && { q }) }),
    'store-values.csv',
  );

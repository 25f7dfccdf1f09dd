import { useQuery } from '@tanstack/react-query';
import { storeIncidentsQuery, storeQuery } from '../../../api/chain/stores.ts';
import { storeTransferQuery } from '../../../api/chain/transferFiles.ts';
import { useMayPlanChain, useMe } from '../../../api/session/me.ts';

export const useStoreData = (id: string) => {
  const query = useQuery(storeQuery(id));
  return {
    mayManage: useMe().can_admin,
    mayCarry: useMayPlanChain(),
    stick: useQuery(storeTransferQuery(id)),
    query,
    store: query.data?.store,
    etag: query.data?.etag,
    incidents: useQuery(storeIncidentsQuery(id)),
  };
};

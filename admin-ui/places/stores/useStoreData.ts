import { useQuery } from '@tanstack/react-query';
import { useMayPlanChain, useMe } from '../../data/me.ts';
import { storeStickQuery } from '../../data/sticks.ts';
import { storeIncidentsQuery, storeQuery } from '../../data/stores.ts';

export const useStoreData = (id: string) => {
  const query = useQuery(storeQuery(id));
  return {
    mayManage: useMe().can_admin,
    mayCarry: useMayPlanChain(),
    stick: useQuery(storeStickQuery(id)),
    query,
    store: query.data?.store,
    etag: query.data?.etag,
    incidents: useQuery(storeIncidentsQuery(id)),
  };
};

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { storeCountsQuery, storePlacesQuery, storesPageQuery } from '../../api/chain/stores.ts';
import { useMayCommand, useMe } from '../../api/session/me.ts';
import { useDebounced } from '../../components/hooks/useDebounced.ts';
import { pageOf } from '../../components/lists/pager.utils.ts';
import { filterOf, isNarrowed, type StoresSearch } from './stores.utils.ts';

/** Milliseconds after the last keystroke until a search is sent. */
const TYPING_MS = 200;

/** Returns the page of stores that the address requests, and the counts of all stores. */
export const useStoresData = () => {
  const search: StoresSearch = useSearch({ from: '/shell/stores' });
  const navigate = useNavigate({ from: '/stores' });
  const filter = filterOf(search);
  const q = useDebounced(filter.q, TYPING_MS);
  const page = pageOf(search);
  const isMap = search.view === 'map';
  const list = useQuery({ ...storesPageQuery({ ...filter, q }, page), enabled: !isMap });
  const places = useQuery({ ...storePlacesQuery({ ...filter, q }), enabled: isMap });
  const counts = useQuery(storeCountsQuery);
  const onMap = places.data && places.data.places.length + places.data.without;
  const total = (isMap ? onMap : list.data?.total) ?? 0;
  /** Changes the filter in the address. A changed filter starts at the first page. */
  const look = (change: StoresSearch) => {
    const next = Object.entries({ ...search, page: undefined, ...change }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(next), replace: true });
  };
  return {
    mayManage: useMe().can_admin,
    mayCommand: useMayCommand(),
    search,
    filter,
    narrowed: isNarrowed(filter),
    page,
    isMap,
    list,
    places,
    rows: list.data?.rows ?? [],
    total,
    counts,
    look,
    /** Removes all filters. */
    clear: () =>
      look({ q: undefined, region: undefined, tag: undefined, line: undefined, trouble: undefined, place: undefined }),
  };
};
export type StoresData = ReturnType<typeof useStoresData>;

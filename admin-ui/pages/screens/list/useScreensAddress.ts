import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ScreensFilter } from '../../../api/screens.ts';
import { type StateFilter, stateFilters } from '../screens.utils.ts';
import { orderOf, sortOf } from './screenTable.utils.ts';

/** A change of the list's filter, order or view. An undefined value clears its field. */
type AddressChange = {
  [K in 'q' | 'state' | 'group' | 'tag' | 'view' | 'sort' | 'columns']?: string | undefined;
};

/** The address of the screens page: filter, order and view of the list, and the code of a screen to connect. */
export const useScreensAddress = () => {
  const navigate = useNavigate({ from: '/screens' });
  const { q = '', group, tag, claim, connect, columns, ...search } = useSearch({ from: '/shell/screens' });
  const state: StateFilter = stateFilters.find((one) => one === search.state) ?? 'all';
  const isTable = search.view === 'table';
  const order = isTable ? orderOf(search.sort) : undefined;
  const wanted: ScreensFilter = {
    q: q.trim() || undefined,
    status: state === 'all' ? undefined : state,
    group_id: group,
    tag,
  };
  const queryWith = (change: AddressChange): Record<string, string> =>
    Object.fromEntries(
      Object.entries({
        q,
        group,
        tag,
        state: search.state,
        view: search.view,
        sort: search.sort,
        columns: isTable ? columns : undefined,
        ...change,
      }).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    );
  const show = (query: Record<string, string>) => void navigate({ search: query, replace: true });
  return {
    q,
    group,
    tag,
    state,
    /** Code of a screen to connect. */
    claim,
    /** Whether the dialog for connecting a screen is open. */
    connect,
    columns,
    isTable,
    order,
    filter: { ...wanted, ...sortOf(order) },
    filtered: Boolean(q) || state !== 'all' || group !== undefined || tag !== undefined,
    /** The address as it is stored in a view. */
    query: queryWith({}),
    change: (change: AddressChange) => show(queryWith(change)),
    show,
  };
};
export type ScreensAddress = ReturnType<typeof useScreensAddress>;

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { chainSumsQuery, chainTotalsQuery, storeCountsQuery } from '../../api/chain/stores.ts';
import { configQuery } from '../../api/session/me.ts';
import { useNow } from '../../components/hooks/useNow.ts';
import { rangeFrom, todayAt } from '../../domain/time/period.utils.ts';
import type { Measure } from '../../domain/time/playsChart.utils.ts';
import { type Narrow, reportOf, type Search, viewOf } from './chainPlays.utils.ts';

/** Returns the report that the address requests, and its results. */
export const useChainPlaysData = () => {
  const search: Search = useSearch({ from: '/shell/plays' });
  const navigate = useNavigate({ from: '/plays' });
  const zone = useQuery(configQuery).data?.server_time_zone;
  const today = todayAt(useNow(), zone);
  const { range: name, from, to, region, tag, store, campaign, content } = search;
  const range = useMemo(
    () => rangeFrom({ ...(name && { range: name }), ...(from && { from }), ...(to && { to }) }, today),
    [name, from, to, today],
  );
  const narrow: Narrow = useMemo(
    () => ({ region, tag, store, campaign, content }),
    [region, tag, store, campaign, content],
  );
  const of = useMemo(() => reportOf(range, narrow), [range, narrow]);
  const view = viewOf(search);
  const measure: Measure = search.by === 'time' ? 'time' : 'plays';
  const show = (change: Search) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(next), replace: true });
  };
  return {
    zone,
    range,
    narrow,
    of,
    view,
    measure,
    show,
    isNarrowed: Object.values(narrow).some(Boolean),
    clear: () => show({ region: undefined, tag: undefined, store: undefined, campaign: undefined, content: undefined }),
    totals: useQuery(chainTotalsQuery(of)),
    days: useQuery(chainSumsQuery(of, 'day')),
    sums: useQuery(chainSumsQuery(of, view)),
    counts: useQuery(storeCountsQuery).data,
  };
};
export type ChainPlaysData = ReturnType<typeof useChainPlaysData>;

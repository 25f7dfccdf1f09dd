import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  listManagedRecords,
  listStoreCampaigns,
  type ManagedKind,
  type ManagedRecord,
} from '../../../shared/contract/headquarters/managed.ts';
import type { RightsKind } from '../../../shared/contract/people/rights.ts';
import { queryOf } from '../requests/query.ts';

/** Rarely changes, and every change is announced. */
export const managedQuery = { ...queryOf(['chain', 'records'], listManagedRecords), staleTime: 10 * 60_000 };

/** Polls while it is shown, since no announcement reports the progress of a download. */
export const storeCampaignsQuery = {
  ...queryOf(['chain', 'campaigns'], listStoreCampaigns),
  refetchInterval: 15_000,
};

const KIND: Partial<Record<RightsKind, ManagedKind>> = {
  content: 'content',
  playlist: 'playlists',
  layout: 'layouts',
  widget: 'widgets',
};

const byKey = new WeakMap<readonly ManagedRecord[], ReadonlyMap<string, ManagedRecord>>();
/** Computed once per answer, because every card of a list uses it. */
const keyed = (records: readonly ManagedRecord[]): ReadonlyMap<string, ManagedRecord> => {
  let found = byKey.get(records);
  if (!found) {
    found = new Map(records.map((record) => [`${record.kind} ${record.id}`, record]));
    byKey.set(records, found);
  }
  return found;
};

/** The given records that belong to headquarters; undefined while loading. */
export const useManagedAmong = (kind: RightsKind, ids: readonly string[]): readonly ManagedRecord[] | undefined => {
  const held = KIND[kind];
  const records = useQuery({ ...managedQuery, enabled: held !== undefined && ids.length > 0 });
  if (held === undefined || ids.length === 0) return NONE;
  // If the request fails, the server still refuses a change.
  if (!records.data) return records.isError ? NONE : undefined;
  const found = keyed(records.data);
  return found.size === 0 ? NONE : ids.flatMap((id) => found.get(`${held} ${id}`) ?? []);
};
const NONE: readonly ManagedRecord[] = [];

/** Ids of all records of a kind that belong to headquarters; none while loading, and without headquarters. */
export const useManagedIds = (kind: RightsKind | undefined): ReadonlySet<string> => {
  const held = kind && KIND[kind];
  const records = useQuery({ ...managedQuery, enabled: held !== undefined }).data;
  return useMemo(() => new Set(records?.filter((record) => record.kind === held).map(({ id }) => id)), [records, held]);
};

/** The record in headquarters' list; undefined for the store's own record or while loading. */
export const useManaged = (kind: RightsKind, id: string): ManagedRecord | undefined => useManagedAmong(kind, [id])?.[0];

/** Whether headquarters has, or had, a campaign here. */
export const useHasCampaigns = (): boolean =>
  useQuery({ ...storeCampaignsQuery, refetchInterval: false, select: (campaigns) => campaigns.length > 0 }).data ??
  false;

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

/**
 * Query for the records that headquarters manages in this store. They rarely change, and the live connection
 * announces every change.
 */
export const managedQuery = { ...queryOf(['chain', 'records'], listManagedRecords), staleTime: 10 * 60_000 };

/**
 * Query for headquarters' campaigns in this store. The query polls while the list is visible, since the live connection
 * does not announce the progress of a download.
 */
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
/**
 * Returns the managed records by kind and id. The map is cached per answer, because every card of a list needs it.
 */
const keyed = (records: readonly ManagedRecord[]): ReadonlyMap<string, ManagedRecord> => {
  let found = byKey.get(records);
  if (!found) {
    found = new Map(records.map((record) => [`${record.kind} ${record.id}`, record]));
    byKey.set(records, found);
  }
  return found;
};

/** Returns which of the given records are managed by headquarters; undefined while loading. */
export const useManagedAmong = (kind: RightsKind, ids: readonly string[]): readonly ManagedRecord[] | undefined => {
  const held = KIND[kind];
  const records = useQuery({ ...managedQuery, enabled: held !== undefined && ids.length > 0 });
  if (held === undefined || ids.length === 0) return NONE;
  // If the request fails, no record counts as managed. The server still refuses a change of a managed record.
  if (!records.data) return records.isError ? NONE : undefined;
  const found = keyed(records.data);
  return found.size === 0 ? NONE : ids.flatMap((id) => found.get(`${held} ${id}`) ?? []);
};
const NONE: readonly ManagedRecord[] = [];

/**
 * Returns the ids of all records of a kind that headquarters manages. Empty while loading, and in a store without
 * headquarters.
 */
export const useManagedIds = (kind: RightsKind | undefined): ReadonlySet<string> => {
  const held = kind && KIND[kind];
  const records = useQuery({ ...managedQuery, enabled: held !== undefined }).data;
  return useMemo(() => new Set(records?.filter((record) => record.kind === held).map(({ id }) => id)), [records, held]);
};

/** Returns the managed record with this id; undefined for a record of the store itself, and while loading. */
export const useManaged = (kind: RightsKind, id: string): ManagedRecord | undefined => useManagedAmong(kind, [id])?.[0];

/** Returns whether headquarters has, or had, a campaign in this store; false while loading. */
export const useHasCampaigns = (): boolean =>
  useQuery({ ...storeCampaignsQuery, refetchInterval: false, select: (campaigns) => campaigns.length > 0 }).data ??
  false;

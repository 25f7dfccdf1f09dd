import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type HeldKind, type HeldRecord, listHeldRecords, listStoreCampaigns } from '../../shared/contract/held.ts';
import type { RightsKind } from '../../shared/contract/rights.ts';
import { queryOf } from './query.ts';

/** Few change it, and whatever does is announced. */
export const heldQuery = { ...queryOf(['chain', 'records'], listHeldRecords), staleTime: 10 * 60_000 };

/** Asked again while somebody looks: nothing announces each piece of a file. */
export const storeCampaignsQuery = {
  ...queryOf(['chain', 'campaigns'], listStoreCampaigns),
  refetchInterval: 15_000,
};

const KIND: Partial<Record<RightsKind, HeldKind>> = {
  content: 'content',
  playlist: 'playlists',
  layout: 'layouts',
  widget: 'widgets',
};

const byKey = new WeakMap<readonly HeldRecord[], ReadonlyMap<string, HeldRecord>>();
/** Made once of each answer: every card of a list asks. */
const keyed = (records: readonly HeldRecord[]): ReadonlyMap<string, HeldRecord> => {
  let found = byKey.get(records);
  if (!found) {
    found = new Map(records.map((record) => [`${record.kind} ${record.id}`, record]));
    byKey.set(records, found);
  }
  return found;
};

/** Those of some records that are headquarters'; undefined while it is asked. */
export const useHeldAmong = (kind: RightsKind, ids: readonly string[]): readonly HeldRecord[] | undefined => {
  const held = KIND[kind];
  const records = useQuery({ ...heldQuery, enabled: held !== undefined && ids.length > 0 });
  if (held === undefined || ids.length === 0) return NONE;
  // Where it cannot be asked, the server says it when something is changed.
  if (!records.data) return records.isError ? NONE : undefined;
  const found = keyed(records.data);
  return found.size === 0 ? NONE : ids.flatMap((id) => found.get(`${held} ${id}`) ?? []);
};
const NONE: readonly HeldRecord[] = [];

/** Ids of all of a kind that are headquarters'; none while it is asked, and where there is no headquarters. */
export const useHeldIds = (kind: RightsKind | undefined): ReadonlySet<string> => {
  const held = kind && KIND[kind];
  const records = useQuery({ ...heldQuery, enabled: held !== undefined }).data;
  return useMemo(() => new Set(records?.filter((record) => record.kind === held).map(({ id }) => id)), [records, held]);
};

/** The record as headquarters has it; undefined: it is the store's own, or that is not known yet. */
export const useHeld = (kind: RightsKind, id: string): HeldRecord | undefined => useHeldAmong(kind, [id])?.[0];

/** Whether headquarters wants anything to be shown here, or did. */
export const useHasCampaigns = (): boolean =>
  useQuery({ ...storeCampaignsQuery, refetchInterval: false, select: (campaigns) => campaigns.length > 0 }).data ??
  false;

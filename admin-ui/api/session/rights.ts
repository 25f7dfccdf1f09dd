import { useQuery } from '@tanstack/react-query';
import { managedRecord } from '../../../shared/contract/errors.ts';
import { type Hindrance, listHindrances, MAX_ASKED, type RightsKind } from '../../../shared/contract/people/rights.ts';
import { worded } from '../../i18n/sentences.ts';
import { useManagedAmong } from '../chain/managed.ts';
import { queryOf } from '../requests/query.ts';
import type { QueryRoot } from '../requests/topics.ts';
import { meQuery } from './me.ts';

/**
 * Root of the cache key for each kind of record, so that the rights are fetched again when records of the kind change.
 */
const ROOTS: Readonly<Record<RightsKind, QueryRoot>> = {
  content: 'content',
  folder: 'folders',
  screen: 'devices',
  group: 'groups',
  playlist: 'playlists',
  layout: 'layouts',
  widget: 'widgets',
  kiosk: 'kiosk',
  wall: 'walls',
  plan: 'plans',
};
/** Kinds of records whose changes appear on screens at once. */
const SEEN: ReadonlySet<RightsKind> = new Set(['content', 'widget', 'kiosk', 'playlist']);

/**
 * Returns which of these records the user may not change, with the reasons; undefined while loading. A record is
 * refused if headquarters manages it, or if the user's rights are too limited.
 */
export const useHindrances = (kind: RightsKind, ids: readonly string[]): readonly Hindrance[] | undefined => {
  const fromHeadquarters = useManagedAmong(kind, ids);
  const theirs = useOwnHindrances(kind, ids);
  if (fromHeadquarters === undefined || theirs === undefined) return undefined;
  return fromHeadquarters.length === 0
    ? theirs
    : [...fromHeadquarters.map(({ id, campaign_name }) => refusalOf(id, campaign_name)), ...theirs];
};

const refusalOf = (id: string, campaign: string): Hindrance => {
  const { message, code } = managedRecord(campaign);
  return { id, reason: message, code: code ?? '' };
};

/**
 * Returns the records that the user's own rights do not cover. Sends no request for users without limits. If there
 * are too many records for one request, only the first are checked.
 */
const useOwnHindrances = (kind: RightsKind, ids: readonly string[]): readonly Hindrance[] | undefined => {
  const me = useQuery(meQuery).data;
  const { duty, folder_ids, group_ids } = me?.rights ?? { duty: 'all', folder_ids: null, group_ids: null };
  const isLimited = duty !== 'all' || folder_ids !== null || group_ids !== null;
  const isAsked = (isLimited || (me?.needs_approval === true && SEEN.has(kind))) && ids.length > 0;
  const some = ids.slice(0, MAX_ASKED);
  const query = useQuery({
    ...queryOf([ROOTS[kind], 'rights', some, me?.rights, me?.needs_approval], listHindrances, {
      query: { kind, ids: some.join(',') },
    }),
    enabled: isAsked,
    staleTime: 0,
  });
  return isAsked ? query.data : NONE;
};
const NONE: readonly Hindrance[] = [];

export interface May {
  /** Whether the user may change the record; false while loading. */
  readonly may: boolean;
  /**
   * The reason why the user may not change the record, as a sentence. Undefined if the change is permitted, not
   * known yet, or forbidden by the user's role.
   */
  readonly why: string | undefined;
  /** True: the user may change the draft of the record, but the version on screens changes only after approval. */
  readonly needsApproval: boolean;
  /** True: headquarters manages the record. Users may copy it if records of this kind can be copied. */
  readonly isHeld: boolean;
}

/** Returns {@link useHindrances} for one record. */
export const useMay = (kind: RightsKind, id: string): May => {
  const canWrite = useQuery({ ...meQuery, select: (me) => me.can_write }).data ?? false;
  const hindrances = useHindrances(kind, canWrite ? [id] : []);
  const hindrance = hindrances?.[0];
  return {
    may: canWrite && hindrances !== undefined && hindrance === undefined,
    why: hindrance && worded(hindrance.reason),
    needsApproval: hindrance?.code === 'approval_required',
    isHeld: hindrance?.code === 'headquarters',
  };
};

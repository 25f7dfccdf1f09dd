import { useQuery } from '@tanstack/react-query';
import { held } from '../../shared/contract/errors.ts';
import { type Hindrance, listHindrances, MAX_ASKED, type RightsKind } from '../../shared/contract/rights.ts';
import { worded } from '../i18n/sentences.ts';
import { useHeldAmong } from './held.ts';
import { meQuery } from './me.ts';
import { queryOf } from './query.ts';
import type { QueryRoot } from './topics.ts';

/** With whose records the answer is asked for again. */
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
/** Of these what is on screens is changed at once. */
const SEEN: ReadonlySet<RightsKind> = new Set(['content', 'widget', 'kiosk', 'playlist']);

/**
 * Which of these the person may not change, and why; undefined while it is asked: what is headquarters', and what their
 * rights are not for.
 */
export const useHindrances = (kind: RightsKind, ids: readonly string[]): readonly Hindrance[] | undefined => {
  const fromHeadquarters = useHeldAmong(kind, ids);
  const theirs = useOwnHindrances(kind, ids);
  if (fromHeadquarters === undefined || theirs === undefined) return undefined;
  return fromHeadquarters.length === 0
    ? theirs
    : [...fromHeadquarters.map(({ id, campaign_name }) => refusalOf(id, campaign_name)), ...theirs];
};

const refusalOf = (id: string, campaign: string): Hindrance => {
  const { message, code } = held(campaign);
  return { id, reason: message, code: code ?? '' };
};

/** Whoever may change everything is asked nothing. Of more than can be asked for the first are. */
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
  /** Whether the person may change it; false while that is asked. */
  readonly may: boolean;
  /** Why not, in a sentence; undefined: they may, it is not known yet, or their role is to look. */
  readonly why: string | undefined;
  /** They may change it, but not what is on screens of it. */
  readonly needsApproval: boolean;
  /** It is headquarters': where there is a copy to be made, people may make one. */
  readonly isHeld: boolean;
}

/** Says of one record what {@link useHindrances} does. */
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

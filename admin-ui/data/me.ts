import { type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { getConfig, getMe, type Me, totpStatus } from '../../shared/contract/auth.ts';
import { toast } from '../components/toasts.ts';
import { client } from './client.ts';
import { queryOf } from './query.ts';

/** Who is signed in, where, and what they may do there. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal, client: queries, queryKey }) => {
    const me = await client.call(getMe, { signal });
    const before = queries.getQueryData<Me>(queryKey);
    if (before && before.current_workspace_id !== me.current_workspace_id) leave(before, me, queries);
    return me;
  },
  staleTime: 5 * 60_000,
});

/** Somebody was taken out of the workspace, or it was deleted: in another one nothing stays that was known of it. */
const leave = (before: Me, now: Me, queries: QueryClient): void => {
  void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
  if (before.current_workspace === null || now.current_workspace === null) return;
  const names = { before: before.current_workspace.name, now: now.current_workspace.name };
  toast({ tone: 'note', text: i18next.t('app.otherWorkspace', names) });
};

/** What the pages before signing in must know. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => client.call(getConfig, { signal }),
  staleTime: 60_000,
});

/** Returns who is signed in, on pages within the shell, which shows none before it knows. */
export const useMe = () => useSuspenseQuery(meQuery).data;

/** False for people who may only look: whoever may write at all brings contents. */
export const useCanUpload = (): boolean => useQuery({ ...meQuery, select: (me) => me.can_write }).data ?? false;

/** False for people who may only look, or only upload: their pages have no buttons that would be refused. */
export const useCanWrite = (): boolean =>
  useQuery({ ...meQuery, select: (me) => me.can_write && me.rights.duty === 'all' }).data ?? false;

/** True for people who may put something on screens that nobody has approved. */
export const canShow = (me: Me): boolean => me.can_write && me.rights.duty === 'all' && !me.needs_approval;

/** False for people who have to ask before something comes on screens. */
export const useCanShow = (): boolean => useQuery({ ...meQuery, select: canShow }).data ?? false;

/**
 * False for people whose rights are for some groups: which screens there are, who is in a group, and what all screens
 * have in common is not theirs to change.
 */
export const useHasAllScreens = (): boolean =>
  useQuery({ ...meQuery, select: (me) => me.can_write && me.rights.duty === 'all' && me.rights.group_ids === null })
    .data ?? false;

/** True for people who may send commands to stores: whoever may not change everything only looks there. */
export const useMayCommand = (): boolean =>
  useQuery({
    ...meQuery,
    select: (me) => canShow(me) && me.rights.folder_ids === null && me.rights.group_ids === null,
  }).data ?? false;

/** True for people who may plan for all stores; what they start may have to be approved. */
export const useMayPlanChain = (): boolean =>
  useQuery({
    ...meQuery,
    select: ({ can_write, rights }) =>
      can_write && rights.duty === 'all' && rights.folder_ids === null && rights.group_ids === null,
  }).data ?? false;

/** The groups whose screens the person may change, by their ids; null: all. */
export const useOwnGroups = (): readonly string[] | null =>
  useQuery({ ...meQuery, select: (me) => me.rights.group_ids }).data ?? null;

export const twoFactorQuery = queryOf(['me', 'two-factor'], totpStatus);

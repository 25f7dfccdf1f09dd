import { type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { getConfig, getMe, type Me, totpStatus } from '../../../shared/contract/people/auth.ts';
import { toast } from '../../components/controls/toasts.ts';
import { client } from '../requests/client.ts';
import { queryOf } from '../requests/query.ts';

/** The signed-in user, the current workspace, and the user's rights. */
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

/** The user was removed from the workspace, or it was deleted. Removes all data of it. */
const leave = (before: Me, now: Me, queries: QueryClient): void => {
  void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
  if (before.current_workspace === null || now.current_workspace === null) return;
  const names = { before: before.current_workspace.name, now: now.current_workspace.name };
  toast({ tone: 'note', text: i18next.t('app.otherWorkspace', names) });
};

/** Public settings for the pages before sign-in. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => client.call(getConfig, { signal }),
  staleTime: 60_000,
});

/** Returns the signed-in user. Only for pages inside the shell, which waits for the user. */
export const useMe = () => useSuspenseQuery(meQuery).data;

/** False for users who may only view. Everybody who may write may also upload. */
export const useCanUpload = (): boolean => useQuery({ ...meQuery, select: (me) => me.can_write }).data ?? false;

/** False for users who may only view or only upload: their pages have no buttons that the server would refuse. */
export const useCanWrite = (): boolean =>
  useQuery({ ...meQuery, select: (me) => me.can_write && me.rights.duty === 'all' }).data ?? false;

/** True for users who may change screens without approval. */
export const canShow = (me: Me): boolean => me.can_write && me.rights.duty === 'all' && !me.needs_approval;

/** False for users who need approval before screens change. */
export const useCanShow = (): boolean => useQuery({ ...meQuery, select: canShow }).data ?? false;

/**
 * False for users whose rights are limited to some groups: they cannot add screens, change members of groups, or change
 * settings of all screens.
 */
export const useHasAllScreens = (): boolean =>
  useQuery({ ...meQuery, select: (me) => me.can_write && me.rights.duty === 'all' && me.rights.group_ids === null })
    .data ?? false;

/** True for users who may send commands to stores. Users with limited rights only view stores. */
export const useMayCommand = (): boolean =>
  useQuery({
    ...meQuery,
    select: (me) => canShow(me) && me.rights.folder_ids === null && me.rights.group_ids === null,
  }).data ?? false;

/** True for users who may plan for all stores. Starting a campaign may still need approval. */
export const useMayPlanChain = (): boolean =>
  useQuery({
    ...meQuery,
    select: ({ can_write, rights }) =>
      can_write && rights.duty === 'all' && rights.folder_ids === null && rights.group_ids === null,
  }).data ?? false;

/** Ids of the groups whose screens the user may change; null for all. */
export const useOwnGroups = (): readonly string[] | null =>
  useQuery({ ...meQuery, select: (me) => me.rights.group_ids }).data ?? null;

export const twoFactorQuery = queryOf(['me', 'two-factor'], totpStatus);

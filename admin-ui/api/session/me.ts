import { type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { getConfig, getMe, type Me, totpStatus } from '../../../shared/contract/people/auth.ts';
import { toast } from '../../components/controls/toasts.ts';
import { client } from '../requests/client.ts';
import { queryOf } from '../requests/query.ts';

/** Query for the signed-in user, the current workspace, and the user's rights. */
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

/**
 * Called when the user was removed from the workspace or the workspace was deleted. Removes all data of the old
 * workspace and shows a message.
 */
const leave = (before: Me, now: Me, queries: QueryClient): void => {
  void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
  if (before.current_workspace === null || now.current_workspace === null) return;
  const names = { before: before.current_workspace.name, now: now.current_workspace.name };
  toast({ tone: 'note', text: i18next.t('app.otherWorkspace', names) });
};

/** Query for the public settings, for pages before sign-in. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => client.call(getConfig, { signal }),
  staleTime: 60_000,
});

/** Returns the signed-in user. Only for pages inside the shell, which waits until the user is loaded. */
export const useMe = () => useSuspenseQuery(meQuery).data;

/**
 * Returns whether the user may upload; false for users who may only view. Everybody who may write may also upload.
 */
export const useCanUpload = (): boolean => useQuery({ ...meQuery, select: (me) => me.can_write }).data ?? false;

/**
 * Returns whether the user may write; false for users who may only view or upload. Pages of these users have no
 * buttons that the server would refuse.
 */
export const useCanWrite = (): boolean =>
  useQuery({ ...meQuery, select: (me) => me.can_write && me.rights.duty === 'all' }).data ?? false;

/** Returns whether the user may change screens without approval. */
export const canShow = (me: Me): boolean => me.can_write && me.rights.duty === 'all' && !me.needs_approval;

/** Returns whether the current user may change screens without approval. */
export const useCanShow = (): boolean => useQuery({ ...meQuery, select: canShow }).data ?? false;

/**
 * Returns whether the user's rights cover all screens. Users whose rights are limited to some groups cannot add
 * screens, change members of groups, or change settings of all screens.
 */
export const useHasAllScreens = (): boolean =>
  useQuery({ ...meQuery, select: (me) => me.can_write && me.rights.duty === 'all' && me.rights.group_ids === null })
    .data ?? false;

/** Returns whether the user may send commands to stores. Users with limited rights can only view stores. */
export const useMayCommand = (): boolean =>
  useQuery({
    ...meQuery,
    select: (me) => canShow(me) && me.rights.folder_ids === null && me.rights.group_ids === null,
  }).data ?? false;

/** Returns whether the user may plan campaigns for stores. The start of a campaign may still need approval. */
export const useMayPlanChain = (): boolean =>
  useQuery({
    ...meQuery,
    select: ({ can_write, rights }) =>
      can_write && rights.duty === 'all' && rights.folder_ids === null && rights.group_ids === null,
  }).data ?? false;

/** Returns the ids of the groups whose screens the user may change; null for all groups. */
export const useOwnGroups = (): readonly string[] | null =>
  useQuery({ ...meQuery, select: (me) => me.rights.group_ids }).data ?? null;

export const twoFactorQuery = queryOf(['me', 'two-factor'], totpStatus);

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Folder } from '../../../../shared/contract/content/folders.ts';
import { foldersQuery } from '../../../api/files/content.ts';
import { meQuery } from '../../../api/session/me.ts';
import { useLocaleTag } from '../../../i18n/useFormat.ts';
import { type Reach, reachOf, treeOf } from './folders.utils.ts';

export const useFolders = () => {
  const locale = useLocaleTag();
  const { data: folders = NONE, isSuccess: areKnown } = useQuery(foldersQuery);
  const tree = useMemo(() => treeOf(folders, locale), [folders, locale]);
  return { folders, tree, areKnown };
};
const NONE: readonly Folder[] = [];

/** Returns the parts of the library that the user may change. */
export const useReach = (): Reach => {
  const folders = useQuery(foldersQuery).data;
  const me = useQuery(meQuery).data;
  return useMemo(() => (me && folders ? reachOf(me.rights, me.can_write, folders) : NOWHERE), [me, folders]);
};
const NOWHERE: Reach = { has: () => false, owns: () => false, home: undefined, names: undefined };

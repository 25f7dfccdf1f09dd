import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Folder } from '../../../shared/contract/folders.ts';
import { foldersQuery } from '../../data/content.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { treeOf } from './folders.utils.ts';

export const useFolders = () => {
  const locale = useLocaleTag();
  const folders = useQuery(foldersQuery).data ?? NONE;
  const tree = useMemo(() => treeOf(folders, locale), [folders, locale]);
  return { folders, tree };
};
const NONE: readonly Folder[] = [];

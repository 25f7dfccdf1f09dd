import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { createFolder, type Folder } from '../../../shared/contract/folders.ts';
import type { DroppedFile } from '../../components/fileDrop.utils.ts';
import { client } from '../../data/client.ts';
import { foldersQuery } from '../../data/content.ts';
import { meQuery } from '../../data/me.ts';
import { ownEdits } from '../../data/ownEdits.ts';
import { useProblem } from '../../data/useProblem.ts';
import { uploads } from '../../data/useUploads.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import { foldersOf, type Reach, reachOf, treeOf } from './folders.utils.ts';

export const useFolders = () => {
  const locale = useLocaleTag();
  const folders = useQuery(foldersQuery).data ?? NONE;
  const tree = useMemo(() => treeOf(folders, locale), [folders, locale]);
  return { folders, tree };
};
const NONE: readonly Folder[] = [];

/** Where the person may put things, and change them. */
export const useReach = (): Reach => {
  const folders = useQuery(foldersQuery).data;
  const me = useQuery(meQuery).data;
  return useMemo(() => (me && folders ? reachOf(me.rights, me.can_write, folders) : NOWHERE), [me, folders]);
};
const NOWHERE: Reach = { has: () => false, owns: () => false, home: undefined, names: undefined };

/** Uploads into a folder. Folders that come along are made first, or found where one of that name is there already. */
export const useUploadInto = (folderId: string | null | undefined) => {
  const queries = useQueryClient();
  const tell = useProblem();
  return async (dropped: readonly DroppedFile[]) => {
    const places = new Map<string, string | undefined>([['[]', folderId ?? undefined]]);
    const wanted = foldersOf(dropped.map((d) => d.folders));
    const end = ownEdits.begin(['folders']);
    try {
      const known = wanted.length > 0 ? [...(await queries.fetchQuery(foldersQuery))] : [];
      for (const path of wanted) {
        const parent = places.get(JSON.stringify(path.slice(0, -1))) ?? null;
        const name = path.at(-1)!.slice(0, 100);
        const there = known.find((f) => f.parent_id === parent && f.name === name);
        const place = there ?? (await client.call(createFolder, { body: { name, parent_id: parent } }));
        known.push(place);
        places.set(JSON.stringify(path), place.id);
      }
    } catch (error) {
      tell(error);
      return;
    } finally {
      end();
      if (wanted.length > 0) void queries.invalidateQueries({ queryKey: foldersQuery.queryKey });
    }
    for (const [key, place] of places) {
      const files = dropped.filter((d) => JSON.stringify(d.folders) === key).map((d) => d.file);
      if (files.length > 0) uploads.add(files, { folderId: place });
    }
  };
};

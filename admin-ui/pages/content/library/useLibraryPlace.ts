import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/useFormat.ts';
import { pathTo, type Reach } from '../folders/folders.utils.ts';
import { useFolders, useReach } from '../folders/useFolders.ts';

/** The folder or label whose contents are listed, and what the user may do there. */
export const useLibraryPlace = (folderId: string | undefined, label: string | undefined) => {
  const { folders, tree, areKnown } = useFolders();
  const reach = useReach();
  const path = pathTo(folders, folderId);
  const here = path.at(-1);
  return {
    folders,
    tree,
    reach,
    path,
    /** The open folder. */
    here,
    kind: label ? ('label' as const) : here ? ('folder' as const) : ('library' as const),
    /** Whether the folder of the address no longer exists. */
    isGone: folderId !== undefined && areKnown && !here,
    mayAdd: here ? reach.has(here.id) : reach.home !== undefined,
    limit: useLimit(reach, here?.id),
  };
};
export type LibraryPlace = ReturnType<typeof useLibraryPlace>;

/** Returns what users whose rights are limited to some folders may do in a folder, as a sentence. */
const useLimit = (reach: Reach, folderId: string | undefined): string | false | undefined => {
  const { t } = useTranslation();
  const format = useFormat();
  if (!reach.names) return undefined;
  if (reach.names.length === 0) return t('rights.ownFoldersGone');
  const names = format.list(reach.names);
  if (folderId === undefined) return t('rights.ownFoldersRoot', { names, home: reach.names[0] ?? '' });
  return !reach.has(folderId) && t('rights.ownFolders', { names });
};

import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { createFolder } from '../../../shared/contract/content/folders.ts';
import { ownEdits } from '../../api/editing/ownEdits.ts';
import { foldersQuery } from '../../api/files/content.ts';
import type { UploadTo } from '../../api/files/uploads.ts';
import { uploads } from '../../api/files/useUploads.ts';
import { client } from '../../api/requests/client.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { toast } from '../../components/controls/toasts.ts';
import { type DroppedFile, MOST_FILES } from '../../components/fields/fileDrop.utils.ts';
import { foldersOf } from './uploadInto.utils.ts';

/**
 * Uploads into a folder. Folders of the files are created first, unless a folder of the same name exists. `onEnd`:
 * returns the callback for a finished or failed upload of a file (`UploadTo`).
 */
export const useUploadInto = (folderId: string | null | undefined, onEnd?: (file: File) => UploadTo['onEnd']) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const tell = useProblem();
  return async (dropped: readonly DroppedFile[]) => {
    if (dropped.length > MOST_FILES) {
      toast({ tone: 'problem', text: t('uploads.tooMany', { count: MOST_FILES }), detail: t('uploads.tooManyHelp') });
      return;
    }
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
    const placeOf = new Map(dropped.map(({ file, folders }) => [file, places.get(JSON.stringify(folders))]));
    uploads.add(placeOf.keys(), (file) => ({ folderId: placeOf.get(file), onEnd: onEnd?.(file) }));
  };
};

import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  type Content,
  type ContentChange,
  deleteContent,
  updateContent,
} from '../../../shared/contract/content/content.ts';
import type { Valid } from '../../../shared/contract/content/validity.ts';
import { ownEdits } from '../../api/editing/ownEdits.ts';
import { removals } from '../../api/editing/useRemovals.ts';
import { client } from '../../api/requests/client.ts';
import { forEach } from '../../api/requests/forEach.ts';
import { rootsOf } from '../../api/requests/topics.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { toast } from '../../components/controls/toasts.ts';

type Moved = Pick<ContentChange, 'folder' | 'folder_id' | 'valid_from' | 'valid_until'>;

/** Edits of one or many contents. Each edit can be undone. */
export const useContentEdits = () => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const tell = useProblem();
  const refresh = () => {
    const roots = new Set(rootsOf('content'));
    return queries.invalidateQueries({ predicate: (q) => roots.has(String(q.queryKey[0])) });
  };
  const within = async <T>(run: () => Promise<T>): Promise<T> => {
    const end = ownEdits.begin(['content']);
    try {
      return await run();
    } finally {
      end();
      await refresh();
    }
  };
  const change = async (contents: readonly Content[], to: (content: Content) => Moved) =>
    within(() =>
      forEach(contents, (content) => client.call(updateContent, { params: { id: content.id }, body: to(content) })),
    );

  const changeAll = async (contents: readonly Content[], to: Moved, said: (count: number) => string) => {
    const { done, failed } = await change(contents, () => to);
    if (failed[0]) tell(failed[0].error);
    if (done.length === 0) return;
    const back = (content: Content): Moved => ({
      ...('folder' in to && { folder: content.folder }),
      ...('folder_id' in to && { folder_id: content.folder_id }),
      ...('valid_from' in to && { valid_from: content.valid_from }),
      ...('valid_until' in to && { valid_until: content.valid_until }),
    });
    toast({
      tone: 'done',
      text: said(done.length),
      action: { label: t('common.undo'), run: () => void change(done, back) },
    });
  };

  return {
    move: (contents: readonly Content[], folderId: string | null, name: string) =>
      changeAll(contents, { folder_id: folderId }, (count) =>
        t('content.moved', { count, name: contents[0]?.filename ?? '', folder: name }),
      ),
    label: (contents: readonly Content[], label: string) =>
      changeAll(contents, { folder: label }, (count) =>
        label
          ? t('content.labelled', { count, name: contents[0]?.filename ?? '', label })
          : t('content.unlabelled', { count, name: contents[0]?.filename ?? '' }),
      ),
    /** Sets the period of validity. */
    limit: (contents: readonly Content[], valid: Valid) =>
      changeAll(contents, valid, (count) => t('content.limited', { count, name: contents[0]?.filename ?? '' })),
    /** Hides unused contents at once. They are deleted when the toast closes, which offers to undo this. */
    removeUnused: (contents: readonly Content[]) => {
      const begun = contents.map((content) =>
        removals.begin(`content:${content.id}`, async () => {
          try {
            await within(() => client.call(deleteContent, { params: { id: content.id } }));
          } catch (error) {
            tell(error);
          }
        }),
      );
      const undoAll = () => {
        for (const one of begun) one.undo();
      };
      const commitAll = () => {
        for (const one of begun) one.commit();
      };
      toast(
        {
          tone: 'done',
          text: t('content.deletedMany', { count: contents.length, name: contents[0]?.filename ?? '' }),
          action: { label: t('common.undo'), run: undoAll },
        },
        { onClose: commitAll },
      );
    },
    /** Deletes contents in use, after the user has confirmed. Returns how many screens changed. */
    removeUsed: async (contents: readonly Content[]): Promise<number> => {
      const changed = new Set<string>();
      const { failed } = await within(() =>
        forEach(contents, async (content) => {
          const { affectedDevices } = await client.call(deleteContent, { params: { id: content.id } });
          for (const id of affectedDevices) changed.add(id);
        }),
      );
      if (failed[0]) tell(failed[0].error);
      return changed.size;
    },
  };
};
export type ContentEdits = ReturnType<typeof useContentEdits>;

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Content, deleteContent } from '../../../shared/contract/content.ts';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { ownEdits } from '../../data/ownEdits.ts';
import { useEdit } from '../../data/useEdit.ts';
import { useProblem } from '../../data/useProblem.ts';
import { removals } from '../../data/useRemovals.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { type ContentUse, useContentUse } from '../../parts/useContentUse.ts';

type Props = { content: Content; onClose: () => void; onDeleted: () => void };

/** What no playlist holds goes at once and can be had back; what is in use is asked about, with what it means. */
export function DeleteContent({ content, onClose, onDeleted }: Props) {
  const uses = useContentUse(content.id);
  if (uses === undefined) return null;
  return uses.length === 0 ? <DeleteUnused content={content} onDeleted={onDeleted} /> : <DeleteUsed content={content} uses={uses} onClose={onClose} onDeleted={onDeleted} />;
}

function DeleteUnused({ content, onDeleted }: Omit<Props, 'onClose'>) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const tell = useProblem();
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const { commit, undo } = removals.begin(`content:${content.id}`, async () => {
      const end = ownEdits.begin(['content']);
      try {
        await client.call(deleteContent, { params: { id: content.id } });
      } catch (error) {
        tell(error);
      } finally {
        end();
        await queries.invalidateQueries({ queryKey: ['content'] });
      }
    });
    toast({ tone: 'done', text: t('content.deleted', { name: content.filename }), action: { label: t('common.undo'), run: undo } }, { onClose: commit });
    onDeleted();
  }, [content, onDeleted, queries, t, tell]);
  return null;
}

function DeleteUsed({ content, uses, onClose, onDeleted }: Props & { uses: readonly ContentUse[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const remove = useEdit({
    topics: ['content'],
    run: () => client.call(deleteContent, { params: { id: content.id } }),
    done: ({ affectedDevices }) => {
      const count = affectedDevices.length;
      toast({ tone: 'done', text: count > 0 ? t('content.deletedAndScreens', { name: content.filename, count }) : t('content.deleted', { name: content.filename }) });
      onDeleted();
    },
  });
  return (
    <ConfirmDialog
      title={t('content.deleteAsk', { name: content.filename })}
      confirm={t('common.delete')}
      danger
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('content.deleteUsed', { count: uses.length })}</p>
      <p>
        <strong>{format.list(uses.map((use) => (use.screens > 0 ? `${use.name} (${t('playlists.screens', { count: use.screens })})` : use.name)))}</strong>
      </p>
      <p>{t('content.deleteForGood')}</p>
    </ConfirmDialog>
  );
}

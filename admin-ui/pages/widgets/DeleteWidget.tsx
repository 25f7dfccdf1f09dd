import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteWidget, type Widget } from '../../../shared/contract/content/widgets.ts';
import { placesQuery } from '../../api/bin.ts';
import { ownEdits } from '../../api/editing/ownEdits.ts';
import { removals } from '../../api/editing/useRemovals.ts';
import { client } from '../../api/requests/client.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { toast } from '../../components/controls/toasts.ts';
import { DeleteRecord } from '../../domain/saving/DeleteRecord.tsx';

type Props = { widget: Widget; onClose: () => void };

/**
 * Deletes a widget. An unused widget is deleted at once and can be restored. For a widget in use, a dialog shows the
 * effect and asks for confirmation.
 */
export function DeleteWidget({ widget, onClose }: Props) {
  const places = useQuery(placesQuery('widget', widget.id));
  if (places.isPending) return null;
  // If the uses are unknown, the dialog asks for confirmation.
  return places.data?.total === 0 ? <DeleteUnused widget={widget} /> : <DeleteUsed widget={widget} onClose={onClose} />;
}

function DeleteUnused({ widget }: { widget: Widget }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const tell = useProblem();
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const { commit, undo } = removals.begin(`widget:${widget.id}`, async () => {
      const end = ownEdits.begin(['widgets']);
      try {
        await client.call(deleteWidget, { params: { id: widget.id } });
      } catch (error) {
        tell(error);
      } finally {
        end();
        await queries.invalidateQueries({ queryKey: ['widgets', 'list'] });
      }
    });
    toast(
      {
        tone: 'done',
        text: t('common.deleted', { name: widget.name }),
        action: { label: t('common.undo'), run: undo },
      },
      { onClose: commit },
    );
    void navigate({ to: '/widgets' });
  }, [widget, navigate, queries, t, tell]);
  return null;
}

function DeleteUsed({ widget, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <DeleteRecord
      topics={['widgets', 'playlists']}
      run={() => client.call(deleteWidget, { params: { id: widget.id } })}
      to="/widgets"
      binned={{ kind: 'widget', id: widget.id }}
      title={t('common.deleteAsk', { name: widget.name })}
      said={() => t('common.deleted', { name: widget.name })}
      onClose={onClose}
    >
      <p>{t('widget.deleteUsed')}</p>
    </DeleteRecord>
  );
}

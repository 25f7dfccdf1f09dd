import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteWidget, type Widget } from '../../../shared/contract/widgets.ts';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { ownEdits } from '../../data/ownEdits.ts';
import { playlistQuery, playlistsQuery } from '../../data/playlists.ts';
import { useProblem } from '../../data/useProblem.ts';
import { removals } from '../../data/useRemovals.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { DeleteRecord } from '../../parts/DeleteRecord.tsx';

/** A playlist that holds the widget, and on how many screens it plays. */
type Use = { readonly name: string; readonly screens: number };

/** The playlists that hold a widget; undefined until all have been looked at. */
const useWidgetUse = (widgetId: string): readonly Use[] | undefined => {
  const list = useQuery(playlistsQuery);
  const details = useQueries({ queries: (list.data ?? []).map((p) => playlistQuery(p.id)) });
  if (!list.data || details.some((d) => d.isPending)) return undefined;
  return details.flatMap(({ data }) => {
    if (!data?.playlist.items.some((item) => item.widget_id === widgetId)) return [];
    const { name, display_count: screens } = data.playlist;
    return [{ name, screens }];
  });
};

type Props = { widget: Widget; onClose: () => void };

/** What no playlist holds goes at once and can be had back; what is in use is asked about, with what it means. */
export function DeleteWidget({ widget, onClose }: Props) {
  const uses = useWidgetUse(widget.id);
  if (uses === undefined) return null;
  return uses.length === 0 ? (
    <DeleteUnused widget={widget} />
  ) : (
    <DeleteUsed widget={widget} uses={uses} onClose={onClose} />
  );
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

function DeleteUsed({ widget, uses, onClose }: Props & { uses: readonly Use[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <DeleteRecord
      topics={['widgets', 'playlists']}
      run={() => client.call(deleteWidget, { params: { id: widget.id } })}
      to="/widgets"
      binned={widget.id}
      title={t('common.deleteAsk', { name: widget.name })}
      said={() => t('common.deleted', { name: widget.name })}
      onClose={onClose}
    >
      <p>{t('widget.deleteUsed', { count: uses.length })}</p>
      <p>
        <strong>
          {format.list(
            uses.map((use) =>
              use.screens > 0 ? `${use.name} (${t('playlists.screens', { count: use.screens })})` : use.name,
            ),
          )}
        </strong>
      </p>
    </DeleteRecord>
  );
}

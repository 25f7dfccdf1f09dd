import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { updateWidget, type Widget } from '../../../shared/contract/widgets.ts';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useCanWrite } from '../../data/me.ts';
import { useEdit } from '../../data/useEdit.ts';
import { widgetQuery } from '../../data/widgets.ts';
import { useConfigDraft } from '../../parts/useConfigDraft.ts';

export const useWidgetData = (id: string) => {
  const canWrite = useCanWrite();
  const query = useQuery(widgetQuery(id));
  return { canWrite, query, widget: query.data?.widget, etag: query.data?.etag };
};

export const useWidgetEditing = (widget: Widget, etag: string | undefined) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const draft = useConfigDraft(widget, etag);
  const { queryKey } = widgetQuery(widget.id);
  const save = useEdit({
    topics: ['widgets', 'playlists'],
    run: () => client.request(updateWidget, { params: { id: widget.id }, body: draft.changes, ifMatch: draft.ifMatch }),
    done: ({ data, etag: next }) => {
      queries.setQueryData(queryKey, { widget: data, etag: next });
      draft.forget();
      toast({ tone: 'done', text: t('widget.saved') });
    },
    failed: (error) => {
      if (!(error instanceof ApiError) || error.status !== 412) return false;
      // With the new version here the page says that there are two.
      void queries.invalidateQueries({ queryKey });
      return true;
    },
  });
  return { draft, save };
};

import { useTranslation } from 'react-i18next';
import { updateWidget, type Widget } from '../../../shared/contract/widgets.ts';
import { client } from '../../data/client.ts';
import { widgetQuery } from '../../data/widgets.ts';
import { useConfigDraft } from '../../parts/useConfigDraft.ts';
import { useSave } from '../../parts/useSave.ts';

export const useWidgetEditing = (widget: Widget, etag: string | undefined) => {
  const { t } = useTranslation();
  const draft = useConfigDraft(widget, etag);
  const save = useSave({
    topics: ['widgets', 'playlists'],
    draft,
    run: () => client.request(updateWidget, { params: { id: widget.id }, body: draft.changes, ifMatch: draft.ifMatch }),
    queryKey: widgetQuery(widget.id).queryKey,
    cached: ({ data, etag: next }) => ({ widget: data, etag: next }),
    saved: t('widget.saved'),
  });
  return { draft, save };
};

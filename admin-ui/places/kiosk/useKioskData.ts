import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type KioskPage, updateKioskPage } from '../../../shared/contract/kiosk.ts';
import { client } from '../../data/client.ts';
import { kioskIdOf, kioskPageQuery } from '../../data/kiosk.ts';
import { widgetsQuery } from '../../data/widgets.ts';
import { textIn, useConfigDraft } from '../../parts/useConfigDraft.ts';
import { useSave } from '../../parts/useSave.ts';

export const useKioskEditing = (page: KioskPage, etag: string | undefined) => {
  const { t } = useTranslation();
  const draft = useConfigDraft(page, etag);
  const save = useSave({
    topics: ['kiosk'],
    draft,
    run: () => client.request(updateKioskPage, { params: { id: page.id }, body: draft.changes, ifMatch: draft.ifMatch }),
    queryKey: kioskPageQuery(page.id).queryKey,
    cached: ({ data, etag: next }) => ({ page: data, etag: next }),
    saved: t('widget.saved'),
  });
  return { draft, save };
};

/** The widgets through which screens show it. */
export const useShowingWidgets = (id: string) =>
  (useQuery(widgetsQuery).data ?? []).filter((widget) => widget.widget_type === 'webpage' && kioskIdOf(textIn(widget.config, 'url')) === id);

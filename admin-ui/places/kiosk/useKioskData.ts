import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { type KioskPage, updateKioskPage } from '../../../shared/contract/kiosk.ts';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { kioskIdOf, kioskPageQuery } from '../../data/kiosk.ts';
import { useCanWrite } from '../../data/me.ts';
import { useEdit } from '../../data/useEdit.ts';
import { widgetsQuery } from '../../data/widgets.ts';
import { textIn, useConfigDraft } from '../../parts/useConfigDraft.ts';

export const useKioskData = (id: string) => {
  const canWrite = useCanWrite();
  const query = useQuery(kioskPageQuery(id));
  return { canWrite, query, page: query.data?.page, etag: query.data?.etag };
};

export const useKioskEditing = (page: KioskPage, etag: string | undefined) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const draft = useConfigDraft(page, etag);
  const { queryKey } = kioskPageQuery(page.id);
  const save = useEdit({
    topics: ['kiosk'],
    run: () => client.request(updateKioskPage, { params: { id: page.id }, body: draft.changes, ifMatch: draft.ifMatch }),
    done: ({ data, etag: next }) => {
      queries.setQueryData(queryKey, { page: data, etag: next });
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

/** The widgets through which screens show it. */
export const useShowingWidgets = (id: string) =>
  (useQuery(widgetsQuery).data ?? []).filter((widget) => widget.widget_type === 'webpage' && kioskIdOf(textIn(widget.config, 'url')) === id);

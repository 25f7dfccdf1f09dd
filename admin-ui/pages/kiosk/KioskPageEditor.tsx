import { useQuery } from '@tanstack/react-query';
import { Link as RouteLink, useNavigate, useParams } from '@tanstack/react-router';
import { Copy, CopyPlus, Ellipsis, MonitorPlay, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  deleteKioskPage,
  duplicateKioskPage,
  type KioskPage,
  kioskPreviewFrame,
  previewKioskPage,
  updateKioskPage,
} from '../../../shared/contract/content/kiosk.ts';
import { createWidget } from '../../../shared/contract/content/widgets.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { kioskIdOf, kioskPageQuery, kioskPath } from '../../api/kiosk.ts';
import { client } from '../../api/requests/client.ts';
import { copyText } from '../../api/requests/copy.ts';
import { useLinkOrigin } from '../../api/requests/origin.ts';
import { useCanWrite } from '../../api/session/me.ts';
import { useMay } from '../../api/session/rights.ts';
import { widgetsQuery } from '../../api/widgets.ts';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { toast } from '../../components/controls/toasts.ts';
import { Bone } from '../../components/frame/Page.tsx';
import { LivePreview } from '../../domain/preview/LivePreview.tsx';
import { MakerPage } from '../../domain/records/MakerPage.tsx';
import { RecordPage } from '../../domain/records/RecordPage.tsx';
import { DeleteRecord } from '../../domain/saving/DeleteRecord.tsx';
import { textIn, useConfigDraft } from '../../domain/saving/useConfigDraft.ts';
import { useDuplicate } from '../../domain/saving/useDuplicate.ts';
import { useSave } from '../../domain/saving/useSave.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { KioskForm } from './KioskForm.tsx';
import { sizes } from './kiosk.utils.ts';
import './kiosk.css';

export function KioskPageEditor() {
  const { t } = useTranslation();
  const { kioskId } = useParams({ from: '/shell/kiosk/$kioskId' });
  const query = useQuery(kioskPageQuery(kioskId));
  return (
    <RecordPage
      query={query}
      record={query.data}
      name={query.data?.page.name}
      list={{ to: '/kiosk', label: t('kiosk.all') }}
      bones={<Bone height="24rem" radius="var(--r-xl)" />}
    >
      {({ page, etag }, back) => <Editor key={page.id} page={page} etag={etag} back={back} />}
    </RecordPage>
  );
}

function Editor({ page, etag, back }: { page: KioskPage; etag: string | undefined; back: ReactNode }) {
  const { t } = useTranslation();
  const may = useMay('kiosk', page.id);
  // Taking content off screens needs no approval.
  const canDelete = may.may || may.needsApproval;
  const draft = useConfigDraft(page, etag);
  const save = useSave({
    topics: ['kiosk'],
    draft,
    run: () =>
      client.request(updateKioskPage, { params: { id: page.id }, body: draft.changes, ifMatch: draft.ifMatch }),
    queryKey: kioskPageQuery(page.id).queryKey,
    cached: ({ data, etag: next }) => ({ page: data, etag: next }),
    saved: t('widget.saved'),
  });
  const [deleting, setDeleting] = useState(false);
  const canWrite = useCanWrite();
  const duplicate = useDuplicate({
    topics: ['kiosk'],
    run: (body) => client.call(duplicateKioskPage, { params: { id: page.id }, body }),
    said: ({ name }) => t('find.duplicated', { name }),
    to: ({ id }) => ({ to: '/kiosk/$kioskId', params: { kioskId: id } }),
  });
  const origin = useLinkOrigin();
  const copy = async () => {
    const address = `${origin}${kioskPath(page.id)}`;
    const done = await copyText(address);
    toast({ tone: done ? 'done' : 'note', text: done ? t('kiosk.copied') : t('kiosk.copyByHand'), detail: address });
  };
  return (
    <MakerPage
      back={back}
      title={page.name}
      place={`kiosk/${page.id}`}
      may={may}
      draft={draft}
      save={save}
      actions={
        <Button icon={Copy} onPress={() => void copy()}>
          {t('kiosk.copy')}
        </Button>
      }
      menu={
        canWrite && (
          <Menu
            label={t('common.moreFor', { name: page.name })}
            trigger={<IconButton icon={Ellipsis} label={t('common.moreFor', { name: page.name })} />}
          >
            <MenuItem icon={CopyPlus} onAction={() => duplicate.mutate()}>
              {t('find.duplicate')}
            </MenuItem>
            {canDelete ? (
              <MenuItem icon={Trash2} danger onAction={() => setDeleting(true)}>
                {t('common.delete')}
              </MenuItem>
            ) : null}
          </Menu>
        )
      }
      form={<KioskForm draft={draft} />}
      preview={
        <>
          <LivePreview
            sizes={sizes}
            first="landscape"
            endpoint={previewKioskPage}
            draft={{ config: draft.draft.config }}
            frame={kioskPreviewFrame}
            note="preview.touchNote"
          />
          <OnScreens page={page} />
        </>
      }
    >
      {deleting && <DeleteKiosk page={page} onClose={() => setDeleting(false)} />}
    </MakerPage>
  );
}

/** Section that shows the kiosk page on screens. Screens show it through a widget, which one click creates. */
function OnScreens({ page }: { page: KioskPage }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const widgets = useShowingWidgets(page.id);
  const make = useEdit({
    topics: ['widgets'],
    run: () =>
      client.call(createWidget, {
        body: { widget_type: 'webpage', name: page.name, config: { url: kioskPath(page.id) } },
      }),
    done: ({ id }) => void navigate({ to: '/widgets/$widgetId', params: { widgetId: id } }),
  });
  return (
    <section className="kiosk-screens">
      <h2>{t('kiosk.onScreens')}</h2>
      {widgets.length === 0 ? (
        <>
          <p>{t('kiosk.onScreensHelp')}</p>
          <Button icon={MonitorPlay} isPending={make.isPending} onPress={() => make.mutate()}>
            {t('kiosk.makeWidget')}
          </Button>
        </>
      ) : (
        <>
          <p>{t('kiosk.shownBy')}</p>
          <ul>
            {widgets.map((widget) => (
              <li key={widget.id}>
                <RouteLink to="/widgets/$widgetId" params={{ widgetId: widget.id }}>
                  {widget.name}
                </RouteLink>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function DeleteKiosk({ page, onClose }: { page: KioskPage; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const widgets = useShowingWidgets(page.id);
  return (
    <DeleteRecord
      topics={['kiosk']}
      run={() => client.call(deleteKioskPage, { params: { id: page.id } })}
      to="/kiosk"
      binned={{ kind: 'kiosk', id: page.id }}
      title={t('common.deleteAsk', { name: page.name })}
      said={() => t('common.deleted', { name: page.name })}
      onClose={onClose}
    >
      <p>
        {widgets.length > 0
          ? t('kiosk.deleteUsed', { names: format.list(widgets.map(({ name }) => name)) })
          : t('kiosk.deleteUnused')}
      </p>
    </DeleteRecord>
  );
}

/** Returns the widgets through which screens show the kiosk page. */
const useShowingWidgets = (id: string) =>
  (useQuery(widgetsQuery).data ?? []).filter(
    (widget) => widget.widget_type === 'webpage' && kioskIdOf(textIn(widget.config, 'url')) === id,
  );

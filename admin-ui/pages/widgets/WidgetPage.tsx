import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Copy, Ellipsis, ListPlus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { widgetTypes } from '../../../shared/contract/content/widget-types.ts';
import {
  createWidget,
  duplicateWidget,
  previewFrame,
  previewWidget,
  updateWidget,
  type Widget,
} from '../../../shared/contract/content/widgets.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { kioskIdOf, kioskPath } from '../../api/kiosk.ts';
import { client } from '../../api/requests/client.ts';
import { useCanWrite, useMe } from '../../api/session/me.ts';
import { useMay } from '../../api/session/rights.ts';
import { openedStore } from '../../api/session/storeWindow.ts';
import { widgetQuery } from '../../api/widgets.ts';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { Bone } from '../../components/frame/Page.tsx';
import { LivePreview } from '../../domain/preview/LivePreview.tsx';
import { Scaled } from '../../domain/preview/Scaled.tsx';
import { MakerPage } from '../../domain/records/MakerPage.tsx';
import { RecordPage } from '../../domain/records/RecordPage.tsx';
import { ManagedMark } from '../../domain/saving/ManagedMark.tsx';
import { type ConfigRecord, textIn, useConfigDraft } from '../../domain/saving/useConfigDraft.ts';
import { useDuplicate } from '../../domain/saving/useDuplicate.ts';
import { useSave } from '../../domain/saving/useSave.ts';
import { AddToPlaylist } from './AddToPlaylist.tsx';
import { DeleteWidget } from './DeleteWidget.tsx';
import { PreviewStore, useFilled } from './PreviewStore.tsx';
import { WidgetForm } from './WidgetForm.tsx';
import { sizes } from './widget.utils.ts';
import './widgets.css';

export function WidgetPage() {
  const { t } = useTranslation();
  const { widgetId } = useParams({ from: '/shell/widgets/$widgetId' });
  const query = useQuery(widgetQuery(widgetId));
  return (
    <RecordPage
      query={query}
      record={query.data}
      name={query.data?.widget.name}
      list={{ to: '/widgets', label: t('widget.all') }}
      bones={<Bone height="24rem" radius="var(--r-xl)" />}
    >
      {({ widget, etag }, back) => <WidgetEditor key={widget.id} widget={widget} etag={etag} back={back} />}
    </RecordPage>
  );
}

function WidgetEditor({ widget, etag, back }: { widget: Widget; etag: string | undefined; back: ReactNode }) {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const may = useMay('widget', widget.id);
  // Taking content off screens needs no approval.
  const canDelete = may.may || may.needsApproval;
  const { name, config, valid_from, valid_until } = widget;
  const draft = useConfigDraft({ name, config, valid: { valid_from, valid_until } }, etag);
  const save = useSave({
    topics: ['widgets', 'playlists'],
    draft,
    run: () => client.request(updateWidget, { params: { id: widget.id }, body: draft.changes, ifMatch: draft.ifMatch }),
    queryKey: widgetQuery(widget.id).queryKey,
    cached: ({ data, etag: next }) => ({ widget: data, etag: next }),
    saved: t('widget.saved'),
  });
  const [open, setOpen] = useState<'delete' | 'add'>();
  const duplicate = useDuplicate({
    topics: ['widgets'],
    run: (body) => client.call(duplicateWidget, { params: { id: widget.id }, body }),
    said: (copy) => t('find.duplicated', { name: copy.name }),
    to: ({ id }) => ({ to: '/widgets/$widgetId', params: { widgetId: id } }),
  });
  return (
    <MakerPage
      back={back}
      title={widget.name}
      lead={t(`widgets.about.${widget.widget_type}`)}
      place={`widgets/${widget.id}`}
      may={may}
      mark={<ManagedMark kind="widget" id={widget.id} isLink />}
      copy={<CopyWidget widget={widget} />}
      draft={draft}
      save={save}
      actions={
        canWrite && (
          <Button icon={ListPlus} onPress={() => setOpen('add')}>
            {t('widget.addToPlaylist')}
          </Button>
        )
      }
      menu={
        canWrite && (
          <Menu
            label={t('common.moreFor', { name: widget.name })}
            trigger={<IconButton icon={Ellipsis} label={t('common.moreFor', { name: widget.name })} />}
          >
            <MenuItem icon={Copy} onAction={() => duplicate.mutate()}>
              {t('find.duplicate')}
            </MenuItem>
            {canDelete ? (
              <MenuItem icon={Trash2} danger onAction={() => setOpen('delete')}>
                {t('common.delete')}
              </MenuItem>
            ) : null}
          </Menu>
        )
      }
      form={<WidgetForm type={widget.widget_type} draft={draft} />}
      preview={<WidgetPreview widget={widget} record={draft.draft} />}
    >
      {open === 'delete' && <DeleteWidget widget={widget} onClose={() => setOpen(undefined)} />}
      {open === 'add' && <AddToPlaylist widget={widget} onClose={() => setOpen(undefined)} />}
    </MakerPage>
  );
}

/** Button that copies a widget of headquarters. The copy belongs to the store. */
function CopyWidget({ widget: { widget_type, name, config } }: { widget: Widget }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const copy = useEdit<void, { id: string }>({
    topics: ['widgets'],
    run: () => {
      const body = { widget_type, name: t('held.copyOf', { name }).slice(0, 200), config };
      return client.call(createWidget, { body });
    },
    done: ({ id }) => void navigate({ to: '/widgets/$widgetId', params: { widgetId: id } }),
  });
  return (
    <Button icon={Copy} size="small" isPending={copy.isPending} onPress={() => copy.mutate()}>
      {t('held.copy')}
    </Button>
  );
}

function WidgetPreview({ widget, record }: { widget: Widget; record: ConfigRecord }) {
  const { t } = useTranslation();
  const { headquarters } = useMe();
  const [storeId, setStoreId] = useState<string>();
  const draft = { widget_type: widget.widget_type, config: record.config };
  const filled = useFilled(draft, storeId);
  const kiosk = widget.widget_type === 'webpage' ? kioskIdOf(textIn(record.config, 'url')) : undefined;
  return (
    <>
      {headquarters && <PreviewStore draft={draft} filled={filled} storeId={storeId} onChange={setStoreId} />}
      <LivePreview
        sizes={sizes}
        first={widgetTypes[widget.widget_type].strip ? 'strip' : 'landscape'}
        endpoint={previewWidget}
        draft={{ ...draft, config: filled.config }}
        frame={previewFrame}
        note="preview.note"
        instead={
          // In a store's window, headquarters serves the page and cannot show kiosk pages of the store.
          kiosk === undefined || openedStore !== undefined
            ? undefined
            : (size) => (
                <Scaled size={size}>
                  {(style) => (
                    <iframe
                      title={t('common.preview')}
                      src={kioskPath(kiosk)}
                      sandbox="allow-scripts allow-forms"
                      style={style}
                    />
                  )}
                </Scaled>
              )
        }
      />
    </>
  );
}

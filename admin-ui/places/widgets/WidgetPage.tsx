import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ListPlus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { widgetTypes } from '../../../shared/contract/widget-types.ts';
import { previewFrame, previewWidget, updateWidget, type Widget } from '../../../shared/contract/widgets.ts';
import { Button } from '../../components/Button.tsx';
import { LeaveGuard } from '../../components/LeaveGuard.tsx';
import { Bone, Page } from '../../components/Page.tsx';
import '../../components/maker.css';
import { ConflictNotice, SaveButtons } from '../../components/SaveBar.tsx';
import { client } from '../../data/client.ts';
import { kioskIdOf, kioskPath } from '../../data/kiosk.ts';
import { useCanWrite } from '../../data/me.ts';
import { widgetQuery } from '../../data/widgets.ts';
import { LivePreview } from '../../parts/LivePreview.tsx';
import { RecordPage } from '../../parts/RecordPage.tsx';
import { Scaled } from '../../parts/Scaled.tsx';
import { type ConfigRecord, textIn, useConfigDraft } from '../../parts/useConfigDraft.ts';
import { useSave } from '../../parts/useSave.ts';
import { AddToPlaylist } from './AddToPlaylist.tsx';
import { DeleteWidget } from './DeleteWidget.tsx';
import { WidgetForm } from './WidgetForm.tsx';
import { sizes } from './widget.utils.ts';
import './widgets.css';

const useWidgetEditing = (widget: Widget, etag: string | undefined) => {
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

export function WidgetPage() {
  const { t } = useTranslation();
  const { widgetId } = useParams({ from: '/shell/widgets/$widgetId' });
  const query = useQuery(widgetQuery(widgetId));
  return (
    <RecordPage
      query={query}
      record={query.data}
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
  const { draft, save } = useWidgetEditing(widget, etag);
  const [open, setOpen] = useState<'delete' | 'add'>();
  return (
    <Page
      before={back}
      title={widget.name}
      lead={t(`widgets.about.${widget.widget_type}`)}
      actions={
        canWrite && (
          <>
            <Button icon={Trash2} variant="quiet" onPress={() => setOpen('delete')}>
              {t('common.delete')}
            </Button>
            <Button icon={ListPlus} onPress={() => setOpen('add')}>
              {t('widget.addToPlaylist')}
            </Button>
            <SaveButtons
              draft={draft}
              isDisabled={draft.unnamed}
              isPending={save.isPending}
              onSave={() => save.mutate()}
            />
          </>
        )
      }
    >
      <LeaveGuard when={draft.dirty} />
      <ConflictNotice draft={draft} words="preview" />
      <div className="maker">
        {canWrite && (
          <fieldset className="maker-form" aria-label={t('nav.settings')}>
            <WidgetForm type={widget.widget_type} draft={draft} />
          </fieldset>
        )}
        <div className="maker-preview">
          {canWrite ? <WidgetPreview widget={widget} record={draft.draft} /> : <p>{t('widget.readOnly')}</p>}
        </div>
      </div>
      {open === 'delete' && <DeleteWidget widget={widget} onClose={() => setOpen(undefined)} />}
      {open === 'add' && <AddToPlaylist widget={widget} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function WidgetPreview({ widget, record }: { widget: Widget; record: ConfigRecord }) {
  const { t } = useTranslation();
  const kiosk = widget.widget_type === 'webpage' ? kioskIdOf(textIn(record.config, 'url')) : undefined;
  return (
    <LivePreview
      sizes={sizes}
      first={widgetTypes[widget.widget_type].strip ? 'strip' : 'landscape'}
      endpoint={previewWidget}
      draft={{ widget_type: widget.widget_type, config: record.config }}
      frame={previewFrame}
      note="preview.note"
      instead={
        kiosk === undefined
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
  );
}

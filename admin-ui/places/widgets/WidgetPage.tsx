import { Link, useParams } from '@tanstack/react-router';
import { ChevronLeft, ListPlus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { previewFrame, previewWidget, type Widget } from '../../../shared/contract/widgets.ts';
import { NothingFoundArt } from '../../components/Art.tsx';
import { Button, ButtonLink } from '../../components/Button.tsx';
import { Segments } from '../../components/Choices.tsx';
import { Bone, Empty, Notice, Page } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { kioskIdOf, kioskPath } from '../../data/kiosk.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { LeaveGuard } from '../../parts/LeaveGuard.tsx';
import { PreviewFrame } from '../../parts/PreviewFrame.tsx';
import '../../parts/maker.css';
import { ConflictNotice, SaveButtons } from '../../parts/SaveBar.tsx';
import { Scaled } from '../../parts/Scaled.tsx';
import { type ConfigRecord, textIn } from '../../parts/useConfigDraft.ts';
import { usePreview } from '../../parts/usePreview.ts';
import { AddToPlaylist } from './AddToPlaylist.tsx';
import { DeleteWidget } from './DeleteWidget.tsx';
import { useWidgetData, useWidgetEditing } from './useWidgetData.ts';
import { WidgetForm } from './WidgetForm.tsx';
import { firstSize, type SizeName, sizes } from './widget.utils.ts';
import './widgets.css';

export function WidgetPage() {
  const { t } = useTranslation();
  const { widgetId } = useParams({ from: '/shell/widgets/$widgetId' });
  const { query, widget, etag, canWrite } = useWidgetData(widgetId);
  const back = (
    <Link to="/widgets" className="crumb">
      <ChevronLeft aria-hidden />
      {t('widget.all')}
    </Link>
  );
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <div className="page">
        <Empty
          art={<NothingFoundArt />}
          title={t('app.notFound')}
          actions={
            <ButtonLink to="/widgets" variant="primary">
              {t('widget.all')}
            </ButtonLink>
          }
        >
          {t('app.notFoundHelp')}
        </Empty>
      </div>
    );
  }
  if (query.isError && !widget) return <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />;
  if (!widget) {
    return (
      <Page before={back} title={<Bone width="14rem" />}>
        <Bone height="24rem" radius="var(--r-xl)" />
      </Page>
    );
  }
  return <WidgetEditor key={widget.id} widget={widget} etag={etag} canWrite={canWrite} back={back} />;
}

function WidgetEditor({ widget, etag, canWrite, back }: { widget: Widget; etag: string | undefined; canWrite: boolean; back: ReactNode }) {
  const { t } = useTranslation();
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
            <SaveButtons draft={draft} isPending={save.isPending} onSave={() => save.mutate()} />
          </>
        )
      }
    >
      <LeaveGuard when={draft.dirty} />
      <ConflictNotice draft={draft} />
      <div className="maker">
        {canWrite && (
          <fieldset className="maker-form" aria-label={t('widget.settings')}>
            <WidgetForm type={widget.widget_type} draft={draft} />
          </fieldset>
        )}
        <div className="maker-preview">{canWrite ? <WidgetPreview widget={widget} record={draft.draft} /> : <p>{t('widget.readOnly')}</p>}</div>
      </div>
      {open === 'delete' && <DeleteWidget widget={widget} onClose={() => setOpen(undefined)} />}
      {open === 'add' && <AddToPlaylist widget={widget} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function WidgetPreview({ widget, record }: { widget: Widget; record: ConfigRecord }) {
  const { t } = useTranslation();
  const [size, setSize] = useState<SizeName>(firstSize(widget.widget_type));
  const preview = usePreview(previewWidget, { widget_type: widget.widget_type, config: record.config });
  const kiosk = widget.widget_type === 'webpage' ? kioskIdOf(textIn(record.config, 'url')) : undefined;
  const title = t('preview.title');
  return (
    <section className="live-preview" aria-label={title}>
      <div className="preview-bar">
        <Segments
          label={t('preview.size')}
          value={size}
          onChange={setSize}
          options={(Object.keys(sizes) as SizeName[]).map((value) => ({ value, label: t(`preview.sizes.${value}`) }))}
        />
      </div>
      {kiosk ? (
        <Scaled size={sizes[size]}>{(style) => <iframe title={title} src={kioskPath(kiosk)} sandbox="allow-scripts allow-forms" style={style} />}</Scaled>
      ) : (
        <PreviewFrame title={title} frame={previewFrame} html={preview.html} size={sizes[size]} isBusy={preview.isBusy} />
      )}
      {preview.error && <Notice tone="bad" {...noticeOf(describeProblem(preview.error, t))} />}
      <p className="preview-note">{t('preview.note', sizes[size])}</p>
    </section>
  );
}

const noticeOf = ({ text, detail }: { text: string; detail?: string }) => ({ title: text, children: detail });

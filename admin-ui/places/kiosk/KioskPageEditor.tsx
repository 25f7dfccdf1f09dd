import { Link as RouteLink, useNavigate, useParams } from '@tanstack/react-router';
import { ChevronLeft, Copy, Ellipsis, MonitorPlay, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/contract/errors.ts';
import { deleteKioskPage, type KioskPage, kioskPreviewFrame, previewKioskPage } from '../../../shared/contract/kiosk.ts';
import { createWidget } from '../../../shared/contract/widgets.ts';
import { NothingFoundArt } from '../../components/Art.tsx';
import { Button, ButtonLink, IconButton } from '../../components/Button.tsx';
import { Segments } from '../../components/Choices.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Menu, MenuItem } from '../../components/Menu.tsx';
import { Bone, Empty, Notice, Page } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { copyText } from '../../data/copy.ts';
import { kioskPath } from '../../data/kiosk.ts';
import { useEdit } from '../../data/useEdit.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import '../../parts/maker.css';
import { LeaveGuard } from '../../parts/LeaveGuard.tsx';
import { PreviewFrame } from '../../parts/PreviewFrame.tsx';
import { ConflictNotice, SaveButtons } from '../../parts/SaveBar.tsx';
import type { Config } from '../../parts/useConfigDraft.ts';
import { usePreview } from '../../parts/usePreview.ts';
import { KioskForm } from './KioskForm.tsx';
import { type SizeName, sizes } from './kiosk.utils.ts';
import './kiosk.css';
import { useKioskData, useKioskEditing, useShowingWidgets } from './useKioskData.ts';

function Back() {
  const { t } = useTranslation();
  return (
    <RouteLink to="/kiosk" className="crumb">
      <ChevronLeft aria-hidden />
      {t('kiosk.all')}
    </RouteLink>
  );
}

export function KioskPageEditor() {
  const { t } = useTranslation();
  const { kioskId } = useParams({ from: '/shell/kiosk/$kioskId' });
  const { query, page, etag, canWrite } = useKioskData(kioskId);
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <div className="page">
        <Empty
          art={<NothingFoundArt />}
          title={t('app.notFound')}
          actions={
            <ButtonLink to="/kiosk" variant="primary">
              {t('kiosk.all')}
            </ButtonLink>
          }
        >
          {t('app.notFoundHelp')}
        </Empty>
      </div>
    );
  }
  if (query.isError && !page) return <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />;
  if (!page) {
    return (
      <Page before={<Back />} title={<Bone width="14rem" />}>
        <Bone height="24rem" radius="var(--r-xl)" />
      </Page>
    );
  }
  return <Editor key={page.id} page={page} etag={etag} canWrite={canWrite} />;
}

function Editor({ page, etag, canWrite }: { page: KioskPage; etag: string | undefined; canWrite: boolean }) {
  const { t } = useTranslation();
  const { draft, save } = useKioskEditing(page, etag);
  const [deleting, setDeleting] = useState(false);
  const copy = async () => {
    const address = `${location.origin}${kioskPath(page.id)}`;
    const done = await copyText(address);
    toast({ tone: done ? 'done' : 'note', text: done ? t('kiosk.copied') : t('kiosk.copyByHand'), detail: address });
  };
  return (
    <Page
      before={<Back />}
      title={page.name}
      actions={
        <>
          {canWrite && (
            <Menu label={t('common.moreFor', { name: page.name })} trigger={<IconButton icon={Ellipsis} label={t('common.moreFor', { name: page.name })} />}>
              <MenuItem icon={Trash2} danger onAction={() => setDeleting(true)}>
                {t('common.delete')}
              </MenuItem>
            </Menu>
          )}
          <Button icon={Copy} onPress={() => void copy()}>
            {t('kiosk.copy')}
          </Button>
          {canWrite && <SaveButtons draft={draft} isPending={save.isPending} onSave={() => save.mutate()} />}
        </>
      }
    >
      <LeaveGuard when={draft.dirty} />
      <ConflictNotice draft={draft} />
      <div className="maker">
        {canWrite && (
          <fieldset className="maker-form" aria-label={t('widget.settings')}>
            <KioskForm draft={draft} />
          </fieldset>
        )}
        <div className="maker-preview">
          {canWrite ? <Preview config={draft.draft.config} /> : <p>{t('widget.readOnly')}</p>}
          {canWrite && <OnScreens page={page} />}
        </div>
      </div>
      {deleting && <DeleteKiosk page={page} onClose={() => setDeleting(false)} />}
    </Page>
  );
}

function Preview({ config }: { config: Config }) {
  const { t } = useTranslation();
  const [size, setSize] = useState<SizeName>('landscape');
  const preview = usePreview(previewKioskPage, { config });
  const problem = preview.error ? describeProblem(preview.error, t) : undefined;
  return (
    <section className="live-preview" aria-label={t('preview.title')}>
      <div className="preview-bar">
        <Segments
          label={t('preview.size')}
          value={size}
          onChange={setSize}
          options={(Object.keys(sizes) as SizeName[]).map((value) => ({ value, label: t(`preview.sizes.${value}`) }))}
        />
      </div>
      <PreviewFrame title={t('preview.title')} frame={kioskPreviewFrame} html={preview.html} size={sizes[size]} isBusy={preview.isBusy} />
      {problem && (
        <Notice tone="bad" title={problem.text}>
          {problem.detail}
        </Notice>
      )}
      <p className="preview-note">{t('preview.touchNote', sizes[size])}</p>
    </section>
  );
}

/** Screens show it through a widget; one is made of it with one click. */
function OnScreens({ page }: { page: KioskPage }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const widgets = useShowingWidgets(page.id);
  const make = useEdit({
    topics: ['widgets'],
    run: () => client.call(createWidget, { body: { widget_type: 'webpage', name: page.name, config: { url: kioskPath(page.id) } } }),
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
  const navigate = useNavigate();
  const format = useFormat();
  const widgets = useShowingWidgets(page.id);
  const remove = useEdit({
    topics: ['kiosk'],
    run: async () => {
      const gone = await client.call(deleteKioskPage, { params: { id: page.id } });
      await navigate({ to: '/kiosk' });
      return gone;
    },
    done: () => toast({ tone: 'done', text: t('widget.deleted', { name: page.name }) }),
  });
  return (
    <ConfirmDialog
      title={t('widget.deleteAsk', { name: page.name })}
      confirm={t('common.delete')}
      danger
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{widgets.length > 0 ? t('kiosk.deleteUsed', { names: format.list(widgets.map(({ name }) => name)) }) : t('kiosk.deleteUnused')}</p>
    </ConfirmDialog>
  );
}

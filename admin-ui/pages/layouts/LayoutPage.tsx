import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Copy, Ellipsis, MonitorPlay, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteLayout, type Layout, type Zone } from '../../../shared/contract/content/layouts.ts';
import { announce } from '../../components/controls/announce.ts';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { AmountField } from '../../components/fields/AmountField.tsx';
import '../../components/frame/CanvasEditor.css';
import { layoutQuery } from '../../api/layouts.ts';
import { client } from '../../api/requests/client.ts';
import { useCanWrite } from '../../api/session/me.ts';
import { useMay } from '../../api/session/rights.ts';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { LeaveGuard } from '../../components/frame/LeaveGuard.tsx';
import { Bone, Notice, Page } from '../../components/frame/Page.tsx';
import { ConflictNotice, SaveButtons, UndoButtons } from '../../components/frame/SaveBar.tsx';
import { useHistory } from '../../components/hooks/useHistory.ts';
import { useUndoKeys } from '../../components/keyboard/useUndoKeys.ts';
import { RecordPage } from '../../domain/records/RecordPage.tsx';
import { DeleteRecord } from '../../domain/saving/DeleteRecord.tsx';
import { Hindered } from '../../domain/saving/Hindered.tsx';
import { KeptChanges } from '../../domain/saving/KeptNotice.tsx';
import { ManagedMark } from '../../domain/saving/ManagedMark.tsx';
import { shapesOf, turnedTo } from '../../domain/screens/screenShape.utils.ts';
import { FillPane } from './FillPane.tsx';
import { LayoutCanvas } from './LayoutCanvas.tsx';
import {
  added,
  changedZone,
  divided,
  draftOf,
  duplicated,
  type Fill,
  filled,
  fillOf,
  firstEmpty,
  type LayoutDraft,
  raised,
  removed,
  stacked,
  withRect,
} from './layout.utils.ts';
import './layouts.css';
import { TermHelp } from '../../domain/records/TermHelp.tsx';
import { copyOfLayout, layoutInWords, templateName } from '../../domain/records/templateName.ts';
import { useDuplicate } from '../../domain/saving/useDuplicate.ts';
import { LayoutScreens } from './LayoutScreens.tsx';
import { PreviewBar, usePreviewChoice } from './PreviewBar.tsx';
import { useLayoutScreens, useSaveLayout } from './useLayoutData.ts';
import { ZonePanel } from './ZonePanel.tsx';

export function LayoutPage() {
  const { t } = useTranslation();
  const { layoutId } = useParams({ from: '/shell/layouts/$layoutId' });
  const query = useQuery(layoutQuery(layoutId));
  return (
    <RecordPage
      query={query}
      record={query.data}
      name={query.data && templateName(query.data.layout, t)}
      list={{ to: '/layouts', label: t('layout.all') }}
      bones={<Bone height="28rem" radius="var(--r-xl)" />}
    >
      {({ layout, etag }, back) => <Editor key={layoutId} layout={layout} etag={etag} back={back} />}
    </RecordPage>
  );
}

type Asking = 'screens' | 'delete';

function Editor({ layout, etag, back }: { layout: Layout; etag: string | undefined; back: ReactNode }) {
  const { t } = useTranslation();
  const canWrite = useCanWrite();
  const { may, why, isHeld } = useMay('layout', layout.id);
  const canEdit = may && layout.is_template === 0;
  const draft = useHistory(draftOf(layoutInWords(layout, t)), etag);
  const { value, change } = draft;
  const save = useSaveLayout(layout.id, draft);
  const screens = useLayoutScreens(layout.id);
  const [selected, setSelected] = useState<string | null>(null);
  const [asking, setAsking] = useState<Asking>();
  const [held, setHeld] = useState<Fill | null>(null);
  const preview = usePreviewChoice(value, shapesOf(screens.rows));
  const { items, names } = preview;
  useUndoKeys(draft);
  const zone = value.zones.find((z) => z.id === selected);
  const target = zone ?? firstEmpty(value);
  const { add, fill, divide, copyZone, raise, remove } = useZoneEdits(draft, setSelected);
  const lead = screens.total > 0 ? t('layout.onScreens', { count: screens.total }) : t('layout.onNone');
  return (
    <Page
      before={back}
      title={layout.is_template === 1 ? templateName(layout, t) : value.name || layout.name}
      lead={`${value.width} × ${value.height} · ${lead}`}
      actions={
        <>
          {canEdit && <UndoButtons draft={draft} />}
          {canWrite && (
            <Button icon={MonitorPlay} isDisabled={draft.conflict} onPress={() => setAsking('screens')}>
              {t('layout.chooseScreens')}
            </Button>
          )}
          {canEdit && <SaveButtons draft={draft} isPending={save.isPending} onSave={() => save.mutate()} />}
          {canWrite && <MoreMenu layout={layout} onAsk={setAsking} canEdit={canEdit} />}
        </>
      }
    >
      {canEdit && <KeptChanges place={`layouts/${layout.id}`} draft={draft} />}
      <ConflictNotice draft={draft} words="draft" />
      <ManagedMark kind="layout" id={layout.id} isLink />
      <Hindered why={why} actions={isHeld && canWrite && <CopyButton layout={layout} label={t('held.copy')} />} />
      {layout.is_template === 1 && canWrite && <TemplateNotice layout={layout} />}
      <div className={canEdit ? 'canvas-editor with-library' : 'canvas-editor'}>
        {canEdit && <FillPane target={target?.name} onFill={(one) => fill(one, target?.id)} onHold={setHeld} />}
        <div className="canvas-column">
          <div className="canvas-bar">
            {canEdit && (
              <Button icon={Plus} onPress={add} isDisabled={value.zones.length >= 50}>
                {t('layout.addZone')}
              </Button>
            )}
            <PreviewBar preview={preview} draft={value} />
          </div>
          <LayoutCanvas
            draft={value}
            selected={selected}
            onSelect={setSelected}
            onRect={(id, rect, kind) => change((d) => changedZone(d, id, (z) => withRect(z, rect)), kind)}
            onRemove={remove}
            onSettle={draft.settle}
            items={items}
            names={names}
            isPreview={preview.playlistId !== null || value.zones.some((z) => fillOf(z) !== null)}
            size={turnedTo(value, preview.shape)}
            onDivide={divide}
            onRaise={raise}
            onDrop={held ? (id) => fill(held, id) : undefined}
            canEdit={canEdit}
          />
        </div>
        <aside className="canvas-side" aria-label={zone ? zone.name : t('layout.zones')}>
          {zone ? (
            <ZonePanel
              key={zone.id}
              zone={zone}
              size={value}
              canEdit={canEdit}
              onChange={(edit, kind) => change((d) => changedZone(d, zone.id, edit), kind)}
              onRaise={(by) => raise(zone.id, by)}
              shows={nameOfFill(zone, names)}
              onEmpty={() => change((d) => filled(d, zone.id, null))}
              onDivide={() => divide(zone.id)}
              onDuplicate={() => copyZone(zone.id, zone.name)}
              onRemove={() => remove(zone.id)}
            />
          ) : (
            <SizeFields draft={value} onChange={(edit, kind) => change(edit, kind)} canEdit={canEdit} />
          )}
          <ZoneList zones={stacked(value.zones).reverse()} names={names} selected={selected} onSelect={setSelected} />
        </aside>
      </div>
      {asking === 'screens' && (
        <LayoutScreens
          layout={layout}
          saveFirst={draft.dirty ? () => save.mutateAsync() : undefined}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'delete' && (
        <DeleteLayout layout={layout} screens={screens.total} onClose={() => setAsking(undefined)} />
      )}
      <LeaveGuard when={draft.dirty} />
    </Page>
  );
}

/** Edits of zones. A new zone is selected. */
const useZoneEdits = (
  { value, change }: Pick<ReturnType<typeof useHistory<LayoutDraft>>, 'value' | 'change'>,
  onSelect: (id: string | null) => void,
) => {
  const { t } = useTranslation();
  const add = () => {
    const made = added(value, t('layout.zoneNo', { n: value.zones.length + 1 }));
    change(() => made.draft);
    onSelect(made.id);
  };
  const fill = (one: Fill, zoneId: string | undefined) => {
    if (zoneId !== undefined) change((d) => filled(d, zoneId, one));
  };
  const divide = (id: string) => change((d) => divided(d, id, t('layout.zoneNo', { n: d.zones.length + 1 })).draft);
  const copyZone = (id: string, name: string) => {
    const made = duplicated(value, id, t('layout.copyOf', { name }));
    change(() => made.draft);
    onSelect(made.id);
  };
  const raise = (id: string, by: 1 | -1) => {
    const next = raised(value, id, by);
    change(() => next);
    const place = next.zones.length - stacked(next.zones).findIndex((z) => z.id === id);
    announce(t('layout.saidPlace', { n: place, total: next.zones.length }));
  };
  const remove = (id: string) => {
    change((d) => removed(d, id));
    onSelect(null);
  };
  return { add, fill, divide, copyZone, raise, remove };
};

const nameOfFill = (zone: Zone, names: ReadonlyMap<string, string>): string | null => {
  const fill = fillOf(zone);
  return fill && (names.get(fill.id) ?? '…');
};

function ZoneList({
  zones,
  names,
  selected,
  onSelect,
}: {
  zones: Layout['zones'];
  names: ReadonlyMap<string, string>;
  selected: string | null;
  onSelect: (id: string | null) => void;
}) {
  const { t } = useTranslation();
  return (
    <section className="zone-list">
      <div className="with-help">
        <h2>{t('layout.frontToBack')}</h2>
        <TermHelp term="zone" />
      </div>
      {zones.length === 0 && <p className="field-hint">{t('layout.noZones')}</p>}
      <ul>
        {zones.map((zone) => (
          <li key={zone.id}>
            <button
              type="button"
              aria-pressed={zone.id === selected}
              onClick={() => onSelect(zone.id === selected ? null : zone.id)}
            >
              {zone.name}
              <small>{nameOfFill(zone, names)}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function TemplateNotice({ layout }: { layout: Layout }) {
  const { t } = useTranslation();
  return (
    <Notice
      tone="info"
      title={t('layout.isTemplate')}
      actions={<CopyButton layout={layout} label={t('layouts.use')} />}
    >
      {t('layout.isTemplateHelp')}
    </Notice>
  );
}

function CopyButton({ layout, label }: { layout: Layout; label: string }) {
  const copy = useCopy(layout);
  return (
    <Button icon={Copy} size="small" isPending={copy.isPending} onPress={() => copy.mutate()}>
      {label}
    </Button>
  );
}

const useCopy = (layout: Layout) => {
  const { t } = useTranslation();
  return useDuplicate({
    topics: ['layouts'],
    run: (body) => copyOfLayout(layout, body, t),
    said: ({ name }) => t('layout.duplicated', { name }),
    to: ({ id }) => ({ to: '/layouts/$layoutId', params: { layoutId: id } }),
  });
};

function MoreMenu({ layout, onAsk, canEdit }: { layout: Layout; onAsk: (asking: Asking) => void; canEdit: boolean }) {
  const { t } = useTranslation();
  const copy = useCopy(layout);
  const label = t('common.moreFor', { name: layout.name });
  return (
    <Menu label={label} trigger={<IconButton icon={Ellipsis} label={label} />}>
      <MenuItem icon={Copy} onAction={() => copy.mutate()}>
        {t('layout.duplicate')}
      </MenuItem>
      {canEdit ? (
        <MenuItem icon={Trash2} danger onAction={() => onAsk('delete')}>
          {t('layout.delete')}
        </MenuItem>
      ) : null}
    </Menu>
  );
}

function DeleteLayout({ layout, screens, onClose }: { layout: Layout; screens: number; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <DeleteRecord
      topics={['layouts']}
      run={() => client.call(deleteLayout, { params: { id: layout.id } })}
      to="/layouts"
      binned={{ kind: 'layout', id: layout.id }}
      title={t('common.deleteAsk', { name: layout.name })}
      said={() => t('common.deleted', { name: layout.name })}
      onClose={onClose}
    >
      <p>{t('layout.deleteEffects', { count: screens })}</p>
    </DeleteRecord>
  );
}

type SizeFieldsProps = {
  draft: LayoutDraft;
  onChange: (edit: (draft: LayoutDraft) => LayoutDraft, kind: string) => void;
  canEdit: boolean;
};

/** Settings of the whole layout, shown while no zone is selected. */
function SizeFields({ draft, onChange, canEdit }: SizeFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="form">
      <TextField
        label={t('common.name')}
        value={draft.name}
        onChange={(name) => onChange((d) => ({ ...d, name }), 'name')}
        error={draft.name.trim() ? undefined : t('form.missing', { field: t('common.name') })}
        maxLength={200}
        isDisabled={!canEdit}
      />
      <div className="rect-fields">
        <AmountField
          label={t('layout.rect.width')}
          value={draft.width}
          min={1}
          max={100_000}
          unit="px"
          isDisabled={!canEdit}
          onChange={(width) => onChange((d) => ({ ...d, width }), 'width')}
        />
        <AmountField
          label={t('layout.rect.height')}
          value={draft.height}
          min={1}
          max={100_000}
          unit="px"
          isDisabled={!canEdit}
          onChange={(height) => onChange((d) => ({ ...d, height }), 'height')}
        />
      </div>
      {canEdit && <p className="field-hint">{t('layout.pickZone')}</p>}
    </div>
  );
}

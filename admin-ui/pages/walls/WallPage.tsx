import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Ellipsis, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { deleteWall, type Wall } from '../../../shared/contract/screens/walls.ts';
import { useLiveStatuses } from '../../api/live/useLive.ts';
import { client } from '../../api/requests/client.ts';
import { useMay } from '../../api/session/rights.ts';
import { wallsQuery } from '../../api/walls.ts';
import { Segments } from '../../components/choices/Choices.tsx';
import { Menu, MenuItem } from '../../components/choices/Menu.tsx';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { Badge, Bone, Page, Section } from '../../components/frame/Page.tsx';
import '../../components/frame/CanvasEditor.css';
import { LeaveGuard } from '../../components/frame/LeaveGuard.tsx';
import { ConflictNotice, SaveButtons, UndoButtons } from '../../components/frame/SaveBar.tsx';
import { useHistory } from '../../components/hooks/useHistory.ts';
import { useUndoKeys } from '../../components/keyboard/useUndoKeys.ts';
import { RecordPage } from '../../domain/records/RecordPage.tsx';
import { TermHelp } from '../../domain/records/TermHelp.tsx';
import { DeleteRecord } from '../../domain/saving/DeleteRecord.tsx';
import { Hindered } from '../../domain/saving/Hindered.tsx';
import { KeptChanges } from '../../domain/saving/KeptNotice.tsx';
import { ScreenFinder } from '../../domain/screens/ScreenFinder.tsx';
import { PanelFields } from './PanelFields.tsx';
import { SyncError } from './SyncError.tsx';
import type { Arrange } from './useCellFocus.ts';
import { useSaveWall, useWall, useWallItem } from './useWallData.ts';
import { WallCanvas } from './WallCanvas.tsx';
import { WallFields } from './WallFields.tsx';
import { draftOf, freeCell, placed } from './wall.utils.ts';
import './walls.css';

export function WallPage() {
  const { t } = useTranslation();
  const { wallId } = useParams({ from: '/shell/walls/$wallId' });
  const query = useWall(wallId);
  return (
    <RecordPage
      query={query}
      record={query.data}
      name={query.data?.wall.name}
      list={{ to: '/walls', label: t('wall.all') }}
      bones={<Bone height="28rem" radius="var(--r-xl)" />}
    >
      {({ wall, etag }, back) => <Editor key={wallId} wall={wall} etag={etag} back={back} />}
    </RecordPage>
  );
}

type Cell = { col: number; row: number };

function Editor({ wall, etag, back }: { wall: Wall; etag: string | undefined; back: ReactNode }) {
  const { t } = useTranslation();
  const { may: canEdit, why } = useMay('wall', wall.id);
  const draft = useHistory(draftOf(wall), etag);
  const { value, change } = draft;
  const save = useSaveWall(wall, draft);
  const item = useWallItem(value);
  const live = useLiveStatuses();
  const [selected, setSelected] = useState<string | null>(null);
  const [arrange, setArrange] = useState<Arrange>(value.panels.some((p) => p.canvas) ? 'free' : 'cells');
  const [filling, setFilling] = useState<Cell>();
  const [deleting, setDeleting] = useState(false);
  useUndoKeys(draft);
  const index = value.panels.findIndex((p) => p.device_id === selected);
  const panel = value.panels[index];
  const statusOf = (id: string) => {
    const known = live.get(id) ?? wall.devices.find((d) => d.device_id === id)?.device_status;
    return known === 'online' || known === 'offline' ? known : undefined;
  };
  const free = freeCell(value);
  const label = t('common.moreFor', { name: wall.name });
  return (
    <Page
      before={back}
      title={value.name || wall.name}
      lead={`${t('walls.grid', { cols: value.grid_cols, rows: value.grid_rows })} · ${t('walls.panels', { count: value.panels.length })}`}
      actions={
        canEdit && (
          <>
            <UndoButtons draft={draft} />
            <SaveButtons draft={draft} isPending={save.isPending} onSave={() => save.mutate()} />
            <Menu label={label} trigger={<IconButton icon={Ellipsis} label={label} />}>
              <MenuItem icon={Trash2} danger onAction={() => setDeleting(true)}>
                {t('wall.delete')}
              </MenuItem>
            </Menu>
          </>
        )
      }
    >
      {canEdit && <KeptChanges place={`walls/${wall.id}`} draft={draft} />}
      <ConflictNotice draft={draft} words="draft" />
      <Hindered why={why} />
      <div className="canvas-editor wall-editor">
        <div className="canvas-column">
          {canEdit && (
            <div className="canvas-bar">
              <Button icon={Plus} onPress={() => free && setFilling(free)} isDisabled={!free}>
                {t('wall.addPanel')}
              </Button>
              <Segments
                label={t('wall.arrange')}
                value={arrange}
                onChange={setArrange}
                options={(['cells', 'free'] as const).map((v) => ({ value: v, label: t(`wall.arrangeBy.${v}`) }))}
              />
            </div>
          )}
          <WallCanvas
            draft={value}
            selected={selected}
            onSelect={setSelected}
            onChange={change}
            onSettle={draft.settle}
            onFill={setFilling}
            arrange={arrange}
            item={item}
            statusOf={statusOf}
            canEdit={canEdit}
          />
          {panel && (
            <section className="card pad wall-chosen" aria-labelledby="wall-chosen">
              <div className="panel-head">
                <h2 id="wall-chosen" className="truncate">
                  {panel.name}
                </h2>
                <Badge tone={statusOf(panel.device_id) === 'online' ? 'good' : 'bad'} dot>
                  {t(`screens.state.${statusOf(panel.device_id) ?? 'offline'}`)}
                </Badge>
              </div>
              <PanelFields
                key={panel.device_id}
                draft={value}
                panel={panel}
                rect={placed(value)[index]!}
                onChange={change}
                onRemoved={() => setSelected(null)}
                canEdit={canEdit}
              />
            </section>
          )}
          <Section title={t('wall.syncTitle')} lead={t('wall.syncLead')} actions={<TermHelp term="sync" />}>
            <SyncError sync={wall.sync} />
          </Section>
        </div>
        <aside className="canvas-side" aria-label={t('wall.settings')}>
          <WallFields draft={value} onChange={change} canEdit={canEdit} />
        </aside>
      </div>
      {filling && (
        <ChoosePanel
          wall={wall}
          taken={new Set(value.panels.map((p) => p.device_id))}
          cell={filling}
          onClose={() => setFilling(undefined)}
          onChoose={(screen) => {
            change((d) => ({
              ...d,
              panels: [...d.panels, { device_id: screen.id, name: screen.name, ...filling, rotation: 0, canvas: null }],
            }));
            setSelected(screen.id);
            setFilling(undefined);
          }}
        />
      )}
      {deleting && <DeleteWall wall={wall} onClose={() => setDeleting(false)} />}
      <LeaveGuard when={draft.dirty} />
    </Page>
  );
}

type ChoosePanelProps = {
  wall: Wall;
  taken: ReadonlySet<string>;
  cell: Cell;
  onChoose: (screen: Pick<Device, 'id' | 'name'>) => void;
  onClose: () => void;
};

function ChoosePanel({ wall, taken, cell, onChoose, onClose }: ChoosePanelProps) {
  const { t } = useTranslation();
  const walls = useQuery(wallsQuery).data ?? [];
  const elsewhere = (id: string) =>
    walls.find((w) => w.id !== wall.id && w.devices.some((d) => d.device_id === id))?.name;
  return (
    <Dialog
      title={t('wall.choosePanel', { col: cell.col + 1, row: cell.row + 1 })}
      onClose={onClose}
      actions={<Button onPress={onClose}>{t('common.cancel')}</Button>}
    >
      <ScreenFinder label={t('nav.screens')} none={<p className="field-hint">{t('wall.noScreens')}</p>} byGroup>
        {(screen) => {
          const other = elsewhere(screen.id);
          return (
            <button
              type="button"
              className="panel-choice"
              disabled={taken.has(screen.id)}
              onClick={() => onChoose(screen)}
            >
              <strong className="truncate">{screen.name}</strong>
              <small>
                {taken.has(screen.id)
                  ? t('wall.hangsHere')
                  : other === undefined
                    ? t(`screens.state.${screen.status === 'online' ? 'online' : 'offline'}`)
                    : t('wall.leaves', { name: other })}
              </small>
            </button>
          );
        }}
      </ScreenFinder>
    </Dialog>
  );
}

function DeleteWall({ wall, onClose }: { wall: Wall; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <DeleteRecord
      topics={['walls', 'devices']}
      run={() => client.call(deleteWall, { params: { id: wall.id } })}
      to="/walls"
      binned={{ kind: 'wall', id: wall.id }}
      title={t('wall.deleteAsk', { name: wall.name })}
      confirm={t('wall.delete')}
      said={() => t('wall.deleted', { name: wall.name })}
      onClose={onClose}
    >
      <p>{t('wall.deleteEffects', { count: wall.devices.length })}</p>
    </DeleteRecord>
  );
}

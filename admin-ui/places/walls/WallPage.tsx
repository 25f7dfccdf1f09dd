import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ChevronLeft, Ellipsis, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../../shared/contract/devices.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { deleteWall, type Wall } from '../../../shared/contract/walls.ts';
import { NothingFoundArt } from '../../components/Art.tsx';
import { Button, ButtonLink, IconButton } from '../../components/Button.tsx';
import { Segments } from '../../components/Choices.tsx';
import { ConfirmDialog, Dialog } from '../../components/Dialog.tsx';
import { Menu, MenuItem } from '../../components/Menu.tsx';
import { Badge, Bone, Empty, Page, Section } from '../../components/Page.tsx';
import { QueryFailure } from '../../components/QueryFailure.tsx';
import { toast } from '../../components/toasts.ts';
import { client } from '../../data/client.ts';
import { useCanWrite } from '../../data/me.ts';
import { screensQuery } from '../../data/screens.ts';
import { useEdit } from '../../data/useEdit.ts';
import { describeProblem } from '../../data/useProblem.ts';
import { wallsQuery } from '../../data/walls.ts';
import { useLiveStatuses } from '../../live/useLive.ts';
import { DraftButtons, DraftConflict } from '../../parts/DraftBar.tsx';
import { LeaveGuard } from '../../parts/LeaveGuard.tsx';
import { useHistory } from '../../parts/useHistory.ts';
import { useUndoKeys } from '../../parts/useUndoKeys.ts';
import { PanelFields } from './PanelFields.tsx';
import { SyncError } from './SyncError.tsx';
import { useSaveWall, useWall, useWallItem } from './useWallData.ts';
import { type Arrange, WallCanvas } from './WallCanvas.tsx';
import { WallFields } from './WallFields.tsx';
import { draftOf, freeCell, placed } from './wall.utils.ts';
import './walls.css';

export function WallPage() {
  const { t } = useTranslation();
  const { wallId } = useParams({ from: '/shell/walls/$wallId' });
  const query = useWall(wallId);
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <div className="page">
        <Empty
          art={<NothingFoundArt />}
          title={t('app.notFound')}
          actions={
            <ButtonLink to="/walls" variant="primary">
              {t('wall.all')}
            </ButtonLink>
          }
        >
          {t('app.notFoundHelp')}
        </Empty>
      </div>
    );
  }
  if (query.isError && !query.data) return <QueryFailure {...describeProblem(query.error, t)} onRetry={() => void query.refetch()} />;
  if (!query.data) {
    return (
      <Page before={<Back />} title={<Bone width="14rem" />}>
        <Bone height="28rem" radius="var(--r-xl)" />
      </Page>
    );
  }
  return <Editor key={wallId} wall={query.data.wall} etag={query.data.etag} />;
}

function Back() {
  const { t } = useTranslation();
  return (
    <Link to="/walls" className="crumb">
      <ChevronLeft aria-hidden />
      {t('wall.all')}
    </Link>
  );
}

type Cell = { col: number; row: number };

function Editor({ wall, etag }: { wall: Wall; etag: string | undefined }) {
  const { t } = useTranslation();
  const canEdit = useCanWrite();
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
      before={<Back />}
      title={value.name || wall.name}
      lead={`${t('walls.grid', { cols: value.grid_cols, rows: value.grid_rows })} · ${t('walls.panels', { count: value.panels.length })}`}
      actions={
        canEdit && (
          <>
            <DraftButtons draft={draft} isPending={save.isPending} onSave={() => save.mutate()} />
            <Menu label={label} trigger={<IconButton icon={Ellipsis} label={label} />}>
              <MenuItem icon={Trash2} danger onAction={() => setDeleting(true)}>
                {t('wall.delete')}
              </MenuItem>
            </Menu>
          </>
        )
      }
    >
      <DraftConflict draft={draft} />
      <div className="wall-editor">
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
          <Section title={t('wall.syncTitle')} lead={t('wall.syncLead')}>
            <SyncError sync={wall.sync} />
          </Section>
        </div>
        <aside className="layout-side" aria-label={panel ? panel.name : t('wall.settings')}>
          {panel ? (
            <>
              <div className="panel-head">
                <h2 className="truncate">{panel.name}</h2>
                <Badge tone={statusOf(panel.device_id) === 'online' ? 'good' : 'bad'} dot>
                  {t(`screens.state.${statusOf(panel.device_id) ?? 'offline'}`)}
                </Badge>
              </div>
              <PanelFields key={panel.device_id} draft={value} panel={panel} rect={placed(value)[index]!} onChange={change} onRemoved={() => setSelected(null)} canEdit={canEdit} />
            </>
          ) : (
            <WallFields draft={value} onChange={change} canEdit={canEdit} />
          )}
        </aside>
      </div>
      {filling && (
        <ChoosePanel
          wall={wall}
          taken={new Set(value.panels.map((p) => p.device_id))}
          cell={filling}
          onClose={() => setFilling(undefined)}
          onChoose={(screen) => {
            change((d) => ({ ...d, panels: [...d.panels, { device_id: screen.id, name: screen.name, ...filling, rotation: 0, canvas: null }] }));
            setSelected(screen.id);
            setFilling(undefined);
          }}
        />
      )}
      {deleting && <DeleteWall wall={wall} onClose={() => setDeleting(false)} onDeleted={draft.forget} />}
      <LeaveGuard when={draft.dirty} />
    </Page>
  );
}

type ChoosePanelProps = { wall: Wall; taken: ReadonlySet<string>; cell: Cell; onChoose: (screen: Pick<Device, 'id' | 'name'>) => void; onClose: () => void };

function ChoosePanel({ wall, taken, cell, onChoose, onClose }: ChoosePanelProps) {
  const { t } = useTranslation();
  const screens = (useQuery(screensQuery).data ?? []).filter((s) => !taken.has(s.id));
  const walls = useQuery(wallsQuery).data ?? [];
  const elsewhere = (id: string) => walls.find((w) => w.id !== wall.id && w.devices.some((d) => d.device_id === id))?.name;
  return (
    <Dialog title={t('wall.choosePanel', { col: cell.col + 1, row: cell.row + 1 })} onClose={onClose} actions={<Button onPress={onClose}>{t('common.cancel')}</Button>}>
      {screens.length === 0 ? (
        <p className="field-hint">{t('wall.noScreens')}</p>
      ) : (
        <ul className="panel-choices">
          {screens.map((screen) => {
            const other = elsewhere(screen.id);
            return (
              <li key={screen.id}>
                <button type="button" onClick={() => onChoose(screen)}>
                  <strong className="truncate">{screen.name}</strong>
                  <small>{other === undefined ? t(`screens.state.${screen.status === 'online' ? 'online' : 'offline'}`) : t('wall.leaves', { name: other })}</small>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </Dialog>
  );
}

function DeleteWall({ wall, onClose, onDeleted }: { wall: Wall; onClose: () => void; onDeleted: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useEdit({
    topics: ['walls', 'devices'],
    run: async () => {
      const gone = await client.call(deleteWall, { params: { id: wall.id } });
      onDeleted();
      await navigate({ to: '/walls', ignoreBlocker: true });
      return gone;
    },
    done: () => toast({ tone: 'done', text: t('wall.deleted', { name: wall.name }) }),
  });
  return (
    <ConfirmDialog
      title={t('wall.deleteAsk', { name: wall.name })}
      confirm={t('wall.delete')}
      danger
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('wall.deleteEffects', { count: wall.devices.length })}</p>
    </ConfirmDialog>
  );
}

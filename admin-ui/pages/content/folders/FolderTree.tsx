import { Link } from '@tanstack/react-router';
import {
  ChevronRight,
  Ellipsis,
  Folder as FolderIcon,
  FolderInput,
  FolderPlus,
  Images,
  Pencil,
  Tag,
  Trash2,
} from 'lucide-react';
import { type DragEvent, memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Folder } from '../../../../shared/contract/content/folders.ts';
import { Menu, MenuItem } from '../../../components/choices/Menu.tsx';
import { IconButton } from '../../../components/controls/Button.tsx';
import { useFormat } from '../../../i18n/useFormat.ts';
import { DRAGGED } from '../content.utils.ts';
import type { FolderAsk } from './FolderDialogs.tsx';
import { type FolderNode, pathTo, type Reach } from './folders.utils.ts';

type FolderTreeProps = {
  folders: readonly Folder[];
  tree: readonly FolderNode[];
  labels: readonly { folder: string; count: number }[];
  current: string | undefined;
  label: string | undefined;
  reach: Reach;
  onAsk: (ask: FolderAsk) => void;
  /** Called when contents are dropped on a folder, or with null on "All content". */
  onMoveTo: (folder: Folder | null, ids: string[]) => void;
};

/**
 * The folders of the library. Contents can be dragged onto them; "Move" is the alternative for keyboards. Memoized,
 * since each folder has a menu and must not be redrawn with each loaded page or typed letter.
 */
export const FolderTree = memo(function FolderTree({
  folders,
  tree,
  labels,
  current,
  label,
  reach,
  onAsk,
  onMoveTo,
}: FolderTreeProps) {
  const { t } = useTranslation();
  return (
    <aside className="library-places">
      <nav aria-label={t('content.folders')}>
        <div className="places-head">
          <h2>{t('content.folders')}</h2>
          {reach.has(null) && (
            <IconButton
              icon={FolderPlus}
              size="small"
              label={t('content.folderNew')}
              onPress={() => onAsk({ kind: 'new', parent: null })}
            />
          )}
        </div>
        <DropRow canDrop={reach.has(null)} onDrop={(ids) => onMoveTo(null, ids)}>
          <Link
            to="/content"
            search={(now) => keep(now)}
            className="folder-link"
            {...(!current && !label && { 'aria-current': 'page' as const })}
          >
            <Images aria-hidden />
            <span className="truncate">{t('content.everything')}</span>
          </Link>
        </DropRow>
        <Folders folders={folders} tree={tree} current={current} reach={reach} onAsk={onAsk} onMoveTo={onMoveTo} />
        {tree.length === 0 && reach.has(null) && <p className="field-hint places-hint">{t('content.foldersHint')}</p>}
      </nav>
      {labels.length > 0 && <Labels labels={labels} label={label} />}
    </aside>
  );
});

type FoldersProps = Pick<FolderTreeProps, 'folders' | 'tree' | 'current' | 'reach' | 'onAsk' | 'onMoveTo'>;

/** Nested lists of folders. Folders that contain the current folder are open. */
function Folders({ folders, tree, current, reach, onAsk, onMoveTo }: FoldersProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  /** Without nested folders, the column of arrows is left out. */
  const nested = tree.some((node) => node.children.length > 0);
  const onTheWay = new Set(
    pathTo(folders, current)
      .slice(0, -1)
      .map((f) => f.id),
  );
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const rows = (nodes: readonly FolderNode[]) => (
    <ul>
      {nodes.map(({ folder, children }) => {
        const isOpen = open.has(folder.id) || onTheWay.has(folder.id);
        return (
          <li key={folder.id}>
            <DropRow canDrop={reach.has(folder.id)} onDrop={(ids) => onMoveTo(folder, ids)}>
              {children.length > 0 ? (
                <button
                  type="button"
                  className="folder-toggle"
                  aria-expanded={isOpen}
                  aria-label={t('content.folderOpen', { name: folder.name })}
                  onClick={() => toggle(folder.id)}
                >
                  <ChevronRight aria-hidden />
                </button>
              ) : (
                nested && <span className="folder-toggle" />
              )}
              <Link
                to="/content"
                search={(now) => ({ ...keep(now), folder: folder.id })}
                className="folder-link"
                {...(folder.id === current && { 'aria-current': 'page' as const })}
              >
                <FolderIcon aria-hidden />
                <span className="truncate">{folder.name}</span>
              </Link>
              {reach.has(folder.id) && <FolderMenu folder={folder} isOwner={reach.owns(folder)} onAsk={onAsk} />}
            </DropRow>
            {children.length > 0 && isOpen && rows(children)}
          </li>
        );
      })}
    </ul>
  );
  return rows(tree);
}

function FolderMenu({
  folder,
  isOwner,
  onAsk,
}: {
  folder: Folder;
  /** Whether the user may change the folder itself, and not only its contents. */
  isOwner: boolean;
  onAsk: (ask: FolderAsk) => void;
}) {
  const { t } = useTranslation();
  const label = t('common.moreFor', { name: folder.name });
  return (
    <Menu label={label} trigger={<IconButton icon={Ellipsis} size="small" label={label} />}>
      <MenuItem icon={FolderPlus} onAction={() => onAsk({ kind: 'new', parent: folder })}>
        {t('content.folderNewIn')}
      </MenuItem>
      {isOwner && (
        <>
          <MenuItem icon={Pencil} onAction={() => onAsk({ kind: 'rename', folder })}>
            {t('common.rename')}
          </MenuItem>
          <MenuItem icon={FolderInput} onAction={() => onAsk({ kind: 'move', folder })}>
            {t('content.moveTo')}
          </MenuItem>
          <MenuItem icon={Trash2} danger onAction={() => onAsk({ kind: 'delete', folder })}>
            {t('common.delete')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function Labels({ labels, label }: Pick<FolderTreeProps, 'labels' | 'label'>) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <nav aria-label={t('content.labels')}>
      <div className="places-head">
        <h2>{t('content.labels')}</h2>
      </div>
      <ul>
        {labels.map(({ folder: name, count }) => (
          <li key={name}>
            <div className="folder-row">
              <Link
                to="/content"
                search={(now) => ({ ...keep(now), label: name })}
                className="folder-link"
                {...(name === label && { 'aria-current': 'page' as const })}
              >
                <Tag aria-hidden />
                <span className="truncate">{name}</span>
                <small>{format.number(count)}</small>
              </Link>
            </div>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type Kept = { view?: string; sort?: string };
/** View and order are kept, the filter is not. */
const keep = ({ view, sort }: Kept): Kept => ({ ...(view && { view }), ...(sort && { sort }) });

/** A row of the tree onto which contents can be dragged. */
function DropRow({
  canDrop,
  onDrop,
  children,
}: {
  canDrop: boolean;
  onDrop: (ids: string[]) => void;
  children: React.ReactNode;
}) {
  const [over, setOver] = useState(false);
  const takes = (event: DragEvent) => canDrop && event.dataTransfer.types.includes(DRAGGED);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is the pointer's way; "Move" is everybody's
    <div
      className={over ? 'folder-row over' : 'folder-row'}
      onDragOver={(event) => {
        if (!takes(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'move';
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!takes(event)) return;
        event.preventDefault();
        onDrop(JSON.parse(event.dataTransfer.getData(DRAGGED)) as string[]);
      }}
    >
      {children}
    </div>
  );
}

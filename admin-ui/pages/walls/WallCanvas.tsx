import { RotateCw, Volume2 } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FULL_ZONE } from '../../../shared/program/full-zone.ts';
import type { ProgramItem } from '../../../shared/program/program.ts';
import { type Rect, wallGeometry } from '../../../shared/program/wall.ts';
import { announce } from '../../components/controls/announce.ts';
import { stepOf, useDrag } from '../../components/hooks/useDrag.ts';
import { ScenePicture } from '../../domain/preview/ScenePicture.tsx';
import {
  cellsOf,
  draggedTo,
  extentOf,
  movedToCell,
  nearFor,
  type PanelDraft,
  panelAt,
  placed,
  turned,
  type WallDraft,
  withoutPanel,
  withPanel,
} from './wall.utils.ts';

export type Arrange = 'cells' | 'free';

type WallCanvasProps = {
  draft: WallDraft;
  selected: string | null;
  onSelect: (deviceId: string | null) => void;
  onChange: (edit: (draft: WallDraft) => WallDraft, kind?: string) => void;
  onSettle: () => void;
  onFill: (cell: { col: number; row: number }) => void;
  arrange: Arrange;
  item: ProgramItem | null;
  statusOf: (deviceId: string) => 'online' | 'offline' | undefined;
  canEdit: boolean;
};

/** The picture is drawn at a screen's usual width, whatever the wall's millimetres. */
const PICTURE_PX = 1920;

type Cell = { readonly col: number; readonly row: number };
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const cellId = ({ col, row }: Cell) => `wall-cell-${col}-${row}`;
const panelId = (deviceId: string) => `wall-panel-${deviceId}`;

/**
 * The wall as the audience sees it, with the picture cut as on the panels. For the keyboard, it is a grid: arrows move
 * between cells, and with Shift move the panel. Freely placed panels move by millimetres.
 */
export function WallCanvas({
  draft,
  selected,
  onSelect,
  onChange,
  onSettle,
  onFill,
  arrange,
  item,
  statusOf,
  canEdit,
}: WallCanvasProps) {
  const { t } = useTranslation();
  const board = useRef<HTMLDivElement>(null);
  const rects = placed(draft);
  const extent = extentOf(draft);
  const { canvas } = wallGeometry(draft, draft.panels);
  const left = Math.min(...rects.map((r) => r.x));
  const top = Math.min(...rects.map((r) => r.y));
  const share = (rect: Rect): CSSProperties => ({
    left: `${((rect.x - extent.x) / extent.width) * 100}%`,
    top: `${((rect.y - extent.y) / extent.height) * 100}%`,
    width: `${(rect.width / extent.width) * 100}%`,
    height: `${(rect.height / extent.height) * 100}%`,
  });

  const drag = useDrag();

  /** The cell of the Tab stop. */
  const [at, setAt] = useState<Cell>({ col: 0, row: 0 });
  /** A cell whose button gets the focus as soon as its content differs from `now`. */
  const wanted = useRef<Cell & { readonly now: string }>(undefined);
  const stop = { col: Math.min(at.col, draft.grid_cols - 1), row: Math.min(at.row, draft.grid_rows - 1) };
  const isStop = (cell: Cell) => arrange === 'free' || (cell.col === stop.col && cell.row === stop.row);
  const idIn = (cell: Cell) => {
    const panel = panelAt(draft, cell.col, cell.row);
    return panel ? panelId(panel.device_id) : cellId(cell);
  };
  const goTo = (cell: Cell) => document.getElementById(idIn(cell))?.querySelector('button')?.focus();
  const want = (cell: Cell) => {
    wanted.current = { col: cell.col, row: cell.row, now: idIn(cell) };
  };
  useLayoutEffect(() => {
    const cell = wanted.current;
    if (!cell || idIn(cell) === cell.now) return;
    wanted.current = undefined;
    // By then, the dialog for choosing the screen is closed.
    requestAnimationFrame(() => goTo(cell));
  });
  const cellKey = (event: KeyboardEvent, { col, row }: Cell): boolean => {
    const by = ARROWS[event.key];
    const isChord = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey;
    if (arrange !== 'cells' || !by || isChord) return false;
    event.preventDefault();
    goTo({ col: col + by[0], row: row + by[1] });
    return true;
  };
  const placeInWords = ({ col, row }: Cell) => t('wall.cell', { col: col + 1, row: row + 1 });
  /** Moves a panel to the next cell. A panel there swaps places with it. */
  const moveBy = (panel: PanelDraft, dx: number, dy: number) => {
    const to = { col: panel.col + dx, row: panel.row + dy };
    const next = movedToCell(draft, panel.device_id, to.col, to.row);
    if (next === draft) return;
    const other = panelAt(draft, to.col, to.row);
    onChange(() => next);
    setAt(to);
    announce(
      [`${panel.name}: ${placeInWords(to)}`, other && `${other.name}: ${placeInWords(panel)}`]
        .filter(Boolean)
        .join('; '),
    );
  };

  const press = (event: PointerEvent<HTMLElement>, panel: PanelDraft, rect: Rect) => {
    if (!canEdit || event.button !== 0) return;
    onSelect(panel.device_id);
    const box = board.current!.getBoundingClientRect();
    const scale = box.width / extent.width;
    const kind = `drag ${panel.device_id} ${event.timeStamp}`;
    const others = rects.filter((_, index) => draft.panels[index]?.device_id !== panel.device_id);
    // The cells at the start of the drag, since cells move while panels swap places.
    const cells = [...draft.panels.map((p, i) => ({ ...rects[i]!, col: p.col, row: p.row })), ...cellsOf(draft)];
    const start = draft;
    const moveFreely = (dx: number, dy: number, near: number) => {
      const wanted = { ...rect, x: rect.x + dx / scale, y: rect.y + dy / scale };
      const canvas = draggedTo(wanted, others, { h: draft.bezel_h_mm, v: draft.bezel_v_mm }, near);
      onChange((d) => withPanel(d, panel.device_id, { canvas }), kind);
    };
    drag.press(event, {
      move: ({ dx, dy, clientX, clientY, altKey }) => {
        if (arrange === 'free') return moveFreely(dx, dy, altKey ? 0 : nearFor(scale));
        const x = (clientX - box.left) / scale + extent.x;
        const y = (clientY - box.top) / scale + extent.y;
        const over = cells.find((c) => x >= c.x && x <= c.x + c.width && y >= c.y && y <= c.y + c.height);
        if (over) onChange(() => movedToCell(start, panel.device_id, over.col, over.row), kind);
      },
      done: onSettle,
    });
  };

  const key = (event: KeyboardEvent<HTMLElement>, panel: PanelDraft, rect: Rect) => {
    if (event.key === 'Escape') return onSelect(null);
    if (cellKey(event, panel) || !canEdit) return;
    if (event.key.toLowerCase() === 'r' && !event.ctrlKey && !event.metaKey) {
      const next = turned(panel);
      announce(t('wall.turned', { degrees: next.rotation }));
      return onChange((d) => withPanel(d, panel.device_id, next));
    }
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      want(panel);
      onSelect(null);
      announce(t('wall.isFree', { place: placeInWords(panel) }));
      return onChange((d) => withoutPanel(d, panel.device_id));
    }
    drag.arrow(event, ({ dx, dy, ...keys }) => {
      if (arrange === 'cells') return moveBy(panel, dx, dy);
      const step = stepOf(keys);
      const canvas = {
        ...rect,
        x: Math.round((rect.x + dx * step) * 10) / 10,
        y: Math.round((rect.y + dy * step) * 10) / 10,
      };
      announce(t('wall.at', { x: canvas.x, y: canvas.y }));
      onChange((d) => withPanel(d, panel.device_id, { canvas }), `keys ${panel.device_id}`);
    });
  };

  return (
    <div className="canvas-room roomy" onPointerDown={() => onSelect(null)}>
      <div className="wall-board" ref={board} style={{ '--aspect': extent.width / extent.height } as CSSProperties}>
        {/* biome-ignore lint/a11y/useSemanticElements: panels lie where they hang; its rows only tell whose they are */}
        <div
          role="grid"
          aria-label={t('wall.panels')}
          aria-rowcount={draft.grid_rows}
          aria-colcount={draft.grid_cols}
          className="wall-rows"
        >
          {Array.from({ length: draft.grid_rows }, (_, row) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            // biome-ignore lint/a11y/useFocusableInteractive: its cells have the focus
            <div
              key={`row ${String(row)}`}
              role="row"
              aria-rowindex={row + 1}
              aria-owns={Array.from({ length: draft.grid_cols }, (_, col) => idIn({ col, row })).join(' ')}
            />
          ))}
        </div>
        {cellsOf(draft).map((cell) => (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: its button has the focus
          <div
            key={cellId(cell)}
            id={cellId(cell)}
            role="gridcell"
            aria-colindex={cell.col + 1}
            className="wall-place"
            style={share(cell)}
          >
            <button
              type="button"
              className="wall-cell"
              tabIndex={isStop(cell) ? 0 : -1}
              // For users who may not change it, the button stays in the grid without an action.
              aria-disabled={!canEdit}
              aria-label={canEdit ? t('wall.fillCell', { col: cell.col + 1, row: cell.row + 1 }) : placeInWords(cell)}
              onPointerDown={(event) => event.stopPropagation()}
              onFocus={() => {
                wanted.current = undefined;
                setAt(cell);
              }}
              onKeyDown={(event) => cellKey(event, cell)}
              onClick={() => {
                if (!canEdit) return;
                want(cell);
                onFill(cell);
              }}
            >
              {canEdit && <span>{t('wall.addPanel')}</span>}
            </button>
          </div>
        ))}
        {item && canvas.width > 0 && (
          <div className="wall-ghost" style={share({ x: left, y: top, ...canvas })} aria-hidden>
            <Picture canvas={canvas} item={item} label="" />
          </div>
        )}
        {draft.panels.map((panel, index) => {
          const rect = rects[index]!;
          const status = statusOf(panel.device_id);
          const said = [
            panel.name,
            t('wall.cell', { col: panel.col + 1, row: panel.row + 1 }),
            panel.rotation !== 0 && t('wall.turned', { degrees: panel.rotation }),
            status === 'offline' && t('screens.state.offline'),
          ];
          return (
            // biome-ignore lint/a11y/useSemanticElements: as above
            // biome-ignore lint/a11y/useFocusableInteractive: its button has the focus
            <div
              key={panel.device_id}
              id={panelId(panel.device_id)}
              role="gridcell"
              aria-colindex={panel.col + 1}
              aria-selected={panel.device_id === selected}
              className={panel.device_id === selected ? 'wall-panel selected' : 'wall-panel'}
              style={share(rect)}
            >
              {item && (
                <div className="wall-cut" aria-hidden>
                  <div
                    style={{
                      left: `${((left - rect.x) / rect.width) * 100}%`,
                      top: `${((top - rect.y) / rect.height) * 100}%`,
                      width: `${(canvas.width / rect.width) * 100}%`,
                      height: `${(canvas.height / rect.height) * 100}%`,
                    }}
                  >
                    <Picture canvas={canvas} item={item} label="" />
                  </div>
                </div>
              )}
              <button
                type="button"
                tabIndex={isStop(panel) ? 0 : -1}
                aria-label={said.filter(Boolean).join(', ')}
                aria-describedby={canEdit ? 'wall-hint' : undefined}
                className={canEdit ? 'movable' : undefined}
                onPointerDown={(event) => press(event, panel, rect)}
                onFocus={() => {
                  setAt(panel);
                  onSelect(panel.device_id);
                }}
                onKeyDown={(event) => key(event, panel, rect)}
                onBlur={onSettle}
              >
                <span className={item ? 'panel-name over' : 'panel-name'}>
                  <strong className="truncate">{panel.name}</strong>
                  <span className="panel-marks">
                    {panel.rotation !== 0 && (
                      <>
                        <RotateCw aria-hidden />
                        {panel.rotation}°
                      </>
                    )}
                    {(draft.leader_device_id ?? draft.panels[0]?.device_id) === panel.device_id && (
                      <Volume2 aria-hidden />
                    )}
                    {status === 'offline' && <i />}
                  </span>
                </span>
              </button>
            </div>
          );
        })}
      </div>
      {canEdit && (
        <p id="wall-hint" className="visually-hidden">
          {t(arrange === 'cells' ? 'wall.hint' : 'wall.hintFree')}
        </p>
      )}
    </div>
  );
}

function Picture({
  canvas,
  item,
  label,
}: {
  canvas: { width: number; height: number };
  item: ProgramItem;
  label: string;
}) {
  // Draws one picture over the whole canvas, as the players do.
  return (
    <ScenePicture
      width={PICTURE_PX}
      height={Math.max(1, Math.round((PICTURE_PX * canvas.height) / canvas.width))}
      shown={[{ zone: FULL_ZONE, item }]}
      label={label}
    />
  );
}

import { RotateCw, Volume2 } from 'lucide-react';
import { type CSSProperties, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FULL_ZONE } from '../../../shared/program/full-zone.ts';
import type { ProgramItem } from '../../../shared/program/program.ts';
import { type Rect, wallGeometry } from '../../../shared/program/wall.ts';
import { ScenePicture } from '../../domain/preview/ScenePicture.tsx';
import { type Cell, cellId, panelId, useCellFocus } from './useCellFocus.ts';
import { type PanelMoves, usePanelMoves } from './usePanelMoves.ts';
import { cellsOf, extentOf, type PanelDraft, placed } from './wall.utils.ts';

type WallCanvasProps = PanelMoves & {
  selected: string | null;
  onFill: (cell: Cell) => void;
  item: ProgramItem | null;
  statusOf: (deviceId: string) => 'online' | 'offline' | undefined;
};

/** The picture is drawn at a screen's usual width, whatever the wall's millimetres. */
const PICTURE_PX = 1920;

/**
 * The wall as the audience sees it, with the picture cut as on the panels. For the keyboard, it is a grid: arrows move
 * between cells, and with Shift move the panel. Freely placed panels move by millimetres.
 */
export function WallCanvas({ selected, onFill, item, statusOf, ...moves }: WallCanvasProps) {
  const { draft, arrange, canEdit, onSelect, onSettle } = moves;
  const { t } = useTranslation();
  const board = useRef<HTMLDivElement>(null);
  const rects = placed(draft);
  const extent = extentOf(draft);
  const { canvas } = wallGeometry(draft, draft.panels);
  const picture: Rect = {
    x: Math.min(...rects.map((r) => r.x)),
    y: Math.min(...rects.map((r) => r.y)),
    width: canvas.width,
    height: canvas.height,
  };
  const focus = useCellFocus(draft, arrange);
  const { press, key } = usePanelMoves(board, focus, moves);
  const leader = draft.leader_device_id ?? draft.panels[0]?.device_id;
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
              aria-owns={Array.from({ length: draft.grid_cols }, (_, col) => focus.idIn({ col, row })).join(' ')}
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
            style={share(cell, extent)}
          >
            <FillButton cell={cell} focus={focus} canEdit={canEdit} onFill={onFill} />
          </div>
        ))}
        {item && canvas.width > 0 && (
          <div className="wall-ghost" style={share(picture, extent)} aria-hidden>
            <Picture canvas={canvas} item={item} label="" />
          </div>
        )}
        {draft.panels.map((panel, index) => {
          const rect = rects[index]!;
          const status = statusOf(panel.device_id);
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
              style={share(rect, extent)}
            >
              {item && (
                <div className="wall-cut" aria-hidden>
                  <div style={share(picture, rect)}>
                    <Picture canvas={canvas} item={item} label="" />
                  </div>
                </div>
              )}
              <button
                type="button"
                tabIndex={focus.isStop(panel) ? 0 : -1}
                aria-label={[
                  panel.name,
                  t('wall.cell', { col: panel.col + 1, row: panel.row + 1 }),
                  panel.rotation !== 0 && t('wall.turned', { degrees: panel.rotation }),
                  status === 'offline' && t('screens.state.offline'),
                ]
                  .filter(Boolean)
                  .join(', ')}
                aria-describedby={canEdit ? 'wall-hint' : undefined}
                className={canEdit ? 'movable' : undefined}
                onPointerDown={(event) => press(event, panel, rect)}
                onFocus={() => {
                  focus.setStop(panel);
                  onSelect(panel.device_id);
                }}
                onKeyDown={(event) => key(event, panel, rect)}
                onBlur={onSettle}
              >
                <PanelName
                  panel={panel}
                  isOverPicture={item !== null}
                  hasSound={panel.device_id === leader}
                  isOffline={status === 'offline'}
                />
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

/** Puts a screen into a free cell. */
function FillButton({
  cell,
  focus,
  canEdit,
  onFill,
}: {
  cell: Cell;
  focus: ReturnType<typeof useCellFocus>;
  canEdit: boolean;
  onFill: (cell: Cell) => void;
}) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="wall-cell"
      tabIndex={focus.isStop(cell) ? 0 : -1}
      // For users who may not change it, the button stays in the grid without an action.
      aria-disabled={!canEdit}
      aria-label={t(canEdit ? 'wall.fillCell' : 'wall.cell', { col: cell.col + 1, row: cell.row + 1 })}
      onPointerDown={(event) => event.stopPropagation()}
      onFocus={() => {
        focus.stay();
        focus.setStop(cell);
      }}
      onKeyDown={(event) => focus.arrowKey(event, cell)}
      onClick={() => {
        if (!canEdit) return;
        focus.focusAfterChange(cell);
        onFill(cell);
      }}
    >
      {canEdit && <span>{t('wall.addPanel')}</span>}
    </button>
  );
}

/** Position of a rectangle inside another one. */
const share = (rect: Rect, within: Rect): CSSProperties => ({
  left: `${((rect.x - within.x) / within.width) * 100}%`,
  top: `${((rect.y - within.y) / within.height) * 100}%`,
  width: `${(rect.width / within.width) * 100}%`,
  height: `${(rect.height / within.height) * 100}%`,
});

function PanelName({
  panel,
  isOverPicture,
  hasSound,
  isOffline,
}: {
  panel: PanelDraft;
  isOverPicture: boolean;
  hasSound: boolean;
  isOffline: boolean;
}) {
  return (
    <span className={isOverPicture ? 'panel-name over' : 'panel-name'}>
      <strong className="truncate">{panel.name}</strong>
      <span className="panel-marks">
        {panel.rotation !== 0 && (
          <>
            <RotateCw aria-hidden />
            {panel.rotation}°
          </>
        )}
        {hasSound && <Volume2 aria-hidden />}
        {isOffline && <i />}
      </span>
    </span>
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

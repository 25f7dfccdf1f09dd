import { RotateCw, Volume2 } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FULL_ZONE } from '../../../shared/program/full-zone.ts';
import type { ProgramItem } from '../../../shared/program/program.ts';
import { type Rect, wallGeometry } from '../../../shared/program/wall.ts';
import { useDrag } from '../../components/useDrag.ts';
import { ScenePicture } from '../../parts/ScenePicture.tsx';
import {
  cellsOf,
  draggedTo,
  extentOf,
  movedToCell,
  nearFor,
  type PanelDraft,
  placed,
  turned,
  type WallDraft,
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

/** The wall as the audience sees it, the picture cut as it will be. */
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

  const press = (event: PointerEvent<HTMLElement>, panel: PanelDraft, rect: Rect) => {
    if (!canEdit || event.button !== 0) return;
    onSelect(panel.device_id);
    const box = board.current!.getBoundingClientRect();
    const scale = box.width / extent.width;
    const kind = `drag ${panel.device_id} ${event.timeStamp}`;
    const others = rects.filter((_, index) => draft.panels[index]?.device_id !== panel.device_id);
    // The cells as they were when the drag began: they move while panels change places.
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
    if (!canEdit) return;
    if (event.key.toLowerCase() === 'r' && !event.ctrlKey && !event.metaKey)
      return onChange((d) => withPanel(d, panel.device_id, turned(panel)));
    drag.arrow(event, ({ dx, dy, shiftKey }) => {
      if (arrange === 'cells') return onChange((d) => movedToCell(d, panel.device_id, panel.col + dx, panel.row + dy));
      const step = shiftKey ? 0.1 : 1;
      const canvas = {
        ...rect,
        x: Math.round((rect.x + dx * step) * 10) / 10,
        y: Math.round((rect.y + dy * step) * 10) / 10,
      };
      onChange((d) => withPanel(d, panel.device_id, { canvas }), `keys ${panel.device_id}`);
    });
  };

  return (
    <div className="canvas-room roomy" onPointerDown={() => onSelect(null)}>
      <div className="wall-board" ref={board} style={{ '--aspect': extent.width / extent.height } as CSSProperties}>
        {cellsOf(draft).map((cell) => (
          <button
            key={`${cell.col} ${cell.row}`}
            type="button"
            className="wall-cell"
            style={share(cell)}
            disabled={!canEdit}
            aria-label={t('wall.fillCell', { col: cell.col + 1, row: cell.row + 1 })}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => onFill(cell)}
          >
            {canEdit && <span>{t('wall.addPanel')}</span>}
          </button>
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
            <div
              key={panel.device_id}
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
                aria-pressed={panel.device_id === selected}
                aria-label={said.filter(Boolean).join(', ')}
                aria-describedby={canEdit ? 'wall-hint' : undefined}
                className={canEdit ? 'movable' : undefined}
                onPointerDown={(event) => press(event, panel, rect)}
                onFocus={() => onSelect(panel.device_id)}
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
          {t('wall.hint')}
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

import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Rect } from '../../../shared/program/wall.ts';
import { announce } from '../../components/controls/announce.ts';
import { stepOf, useDrag } from '../../components/hooks/useDrag.ts';
import type { Arrange, Cell, useCellFocus } from './useCellFocus.ts';
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

export type PanelMoves = {
  draft: WallDraft;
  arrange: Arrange;
  canEdit: boolean;
  onSelect: (deviceId: string | null) => void;
  /** `kind`: consecutive changes of one kind are undone together. */
  onChange: (edit: (draft: WallDraft) => WallDraft, kind?: string) => void;
  onSettle: () => void;
};

/** Moves, turns and removes panels with the pointer and with keys. */
export const usePanelMoves = (
  board: RefObject<HTMLDivElement | null>,
  focus: ReturnType<typeof useCellFocus>,
  { draft, arrange, canEdit, onSelect, onChange, onSettle }: PanelMoves,
) => {
  const { t } = useTranslation();
  const drag = useDrag();
  const rects = placed(draft);
  const extent = extentOf(draft);
  const placeInWords = ({ col, row }: Cell) => t('wall.cell', { col: col + 1, row: row + 1 });
  /** Moves a panel to the next cell. A panel there swaps places with it. */
  const moveBy = (panel: PanelDraft, dx: number, dy: number) => {
    const to = { col: panel.col + dx, row: panel.row + dy };
    const next = movedToCell(draft, panel.device_id, to.col, to.row);
    if (next === draft) return;
    const other = panelAt(draft, to.col, to.row);
    onChange(() => next);
    focus.setStop(to);
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
    if (focus.arrowKey(event, panel) || !canEdit) return;
    if (event.key.toLowerCase() === 'r' && !event.ctrlKey && !event.metaKey) {
      const next = turned(panel);
      announce(t('wall.turned', { degrees: next.rotation }));
      return onChange((d) => withPanel(d, panel.device_id, next));
    }
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      focus.focusAfterChange(panel);
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

  return { press, key };
};

import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '../../../shared/contract/content/layouts.ts';
import {
  type Guides,
  type Handle,
  moved,
  NO_GUIDES,
  nudged,
  type Rect,
  resized,
} from '../../components/canvas/canvas.utils.ts';
import { announce } from '../../components/controls/announce.ts';
import { useDrag } from '../../components/hooks/useDrag.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { type LayoutDraft, rectOf } from './layout.utils.ts';

export type ZoneMoves = {
  draft: LayoutDraft;
  canEdit: boolean;
  onSelect: (id: string | null) => void;
  /** `kind`: consecutive changes of one kind are undone together. */
  onRect: (id: string, rect: Rect, kind: string) => void;
  onRemove: (id: string) => void;
  onSettle: () => void;
  /** The key that divides a zone was pressed. */
  onDivide: (id: string) => void;
  /** A step to the front (1) or to the back (-1). */
  onRaise: (id: string, by: 1 | -1) => void;
};

/** Distance at which edges snap together. */
const NEAR_PX = 7;

/** Returns a function that writes the position and size of a zone. */
export const usePercents = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ x, y, width, height }: Rect) =>
    t('layout.at', {
      x: format.number(x, 1),
      y: format.number(y, 1),
      width: format.number(width, 1),
      height: format.number(height, 1),
    });
};

/** Moves, resizes, stacks, divides and removes zones with the pointer and with keys. `guides`: lines to snap to. */
export const useZoneMoves = (
  board: RefObject<HTMLDivElement | null>,
  { draft, canEdit, onSelect, onRect, onRemove, onSettle, onDivide, onRaise }: ZoneMoves,
) => {
  const percents = usePercents();
  const [guides, setGuides] = useState<Guides>(NO_GUIDES);
  const drag = useDrag();

  const press = (event: PointerEvent<HTMLElement>, zone: Zone, handle: Handle | null) => {
    if (!canEdit || event.button !== 0) return;
    onSelect(zone.id);
    const box = board.current!.getBoundingClientRect();
    const start = rectOf(zone);
    const kind = `drag ${zone.id} ${event.timeStamp}`;
    const others = draft.zones.filter((z) => z.id !== zone.id).map(rectOf);
    const snap = { others, nearX: (NEAR_PX / box.width) * 100, nearY: (NEAR_PX / box.height) * 100 };
    drag.press(event, {
      move: ({ dx, dy, altKey }) => {
        const [x, y] = [(dx / box.width) * 100, (dy / box.height) * 100];
        // Alt turns snapping off.
        const free = altKey ? undefined : snap;
        const placed = handle ? resized(start, handle, x, y, free) : moved(start, x, y, free);
        setGuides(placed.guides);
        onRect(zone.id, placed.rect, kind);
      },
      done: () => {
        setGuides(NO_GUIDES);
        onSettle();
      },
    });
  };
  const key = (event: KeyboardEvent<HTMLElement>, zone: Zone) => {
    if (event.key === 'Escape') return onSelect(null);
    if (!canEdit) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      return onRemove(zone.id);
    }
    if (event.key === 'PageUp' || event.key === 'PageDown') {
      event.preventDefault();
      return onRaise(zone.id, event.key === 'PageUp' ? 1 : -1);
    }
    if (event.key.toLowerCase() === 'd' && !event.ctrlKey && !event.metaKey && !event.altKey) return onDivide(zone.id);
    drag.arrow(event, (arrow) => {
      const rect = nudged(rectOf(zone), arrow);
      announce(percents(rect));
      onRect(zone.id, rect, `keys ${zone.id}`);
    });
  };
  return { press, key, guides };
};

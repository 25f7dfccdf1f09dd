import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Element } from '../../../shared/design/elements.ts';
import type { PageFormat } from '../../../shared/design/page-formats.ts';
import {
  type Guides,
  type Handle,
  moved,
  NO_GUIDES,
  nudged,
  type Rect,
  resized,
} from '../../components/canvas/canvas.utils.ts';
import { useDrag } from '../../components/hooks/useDrag.ts';
import { around, endsOfLine, lineBetween, moveTo } from './edits.ts';
import type { DesignEdits } from './useDesignEdits.ts';

type ElementMoves = {
  edits: DesignEdits;
  /** Rectangles of the visible elements in percent of the page. */
  rects: ReadonlyMap<string, Rect>;
  format: PageFormat;
  canEdit: boolean;
  onSettle: () => void;
};

/** Distance in pixels at which edges snap together. */
const NEAR_PX = 7;

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/** Commands by keys while the focus is nowhere, for example after an element was added or removed. */
const usePageKeys = (command: (event: Keys) => boolean): void => {
  const now = useRef(command);
  now.current = command;
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.target === document.body && !event.defaultPrevented && now.current(event)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
};

const isInside = (rect: Rect, frame: Rect): boolean =>
  rect.x >= frame.x &&
  rect.y >= frame.y &&
  rect.x + rect.width <= frame.x + frame.width &&
  rect.y + rect.height <= frame.y + frame.height;

/** Selects, moves and resizes elements with the pointer and with keys. `guides`: lines to which an edge has snapped. */
export const useElementMoves = (
  board: RefObject<HTMLDivElement | null>,
  { edits, rects, format, canEdit, onSettle }: ElementMoves,
) => {
  const [guides, setGuides] = useState<Guides>(NO_GUIDES);
  const drag = useDrag();
  const { selection } = edits;

  /** Moves all of `ids` by the difference of two rectangles. */
  const moveAll = (ids: Iterable<string>, from: Rect, to: Rect, kind: string) =>
    edits.onPage((page) => {
      let next = page;
      for (const id of ids) {
        const rect = rects.get(id);
        if (rect) next = moveTo(next, id, { ...rect, x: rect.x + to.x - from.x, y: rect.y + to.y - from.y }, format);
      }
      return next;
    }, kind);

  const press = (event: PointerEvent<HTMLElement>, id: string, handle: Handle | null) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    const isMore = event.shiftKey || event.ctrlKey || event.metaKey;
    if (isMore || !selection.has(id)) edits.select(id, isMore);
    if (!canEdit || isMore) return;
    const ids = selection.has(id) ? selection : new Set([id]);
    const start = handle ? rects.get(id) : around([...ids].flatMap((one) => rects.get(one) ?? []));
    if (!start) return;
    const box = board.current!.getBoundingClientRect();
    const kind = `drag ${id} ${event.timeStamp}`;
    const others = [...rects].flatMap(([other, rect]) => (ids.has(other) ? [] : [rect]));
    const snap = { others, nearX: (NEAR_PX / box.width) * 100, nearY: (NEAR_PX / box.height) * 100 };
    drag.press(event, {
      move: ({ dx, dy, altKey }) => {
        const [x, y] = [(dx / box.width) * 100, (dy / box.height) * 100];
        // Alt turns snapping off.
        const free = altKey ? undefined : snap;
        const placed = handle ? resized(start, handle, x, y, free) : moved(start, x, y, free);
        setGuides(placed.guides);
        if (handle) edits.onPage((page) => moveTo(page, id, placed.rect, format), kind);
        else moveAll(ids, start, placed.rect, kind);
      },
      done: () => {
        setGuides(NO_GUIDES);
        onSettle();
      },
    });
  };

  /** Moves one end of a line; the other end stays. */
  const pressEnd = (event: PointerEvent<HTMLElement>, line: Element, end: 0 | 1) => {
    const rect = rects.get(line.id);
    if (event.button !== 0 || !rect || !canEdit) return;
    event.stopPropagation();
    const box = board.current!.getBoundingClientRect();
    const kind = `line ${line.id} ${event.timeStamp}`;
    const ends = endsOfLine(rect, line.rotation, format);
    drag.press(event, {
      move: ({ dx, dy }) => {
        const moving = { x: ends[end].x + (dx / box.width) * 100, y: ends[end].y + (dy / box.height) * 100 };
        edits.onPage(
          (page) => lineBetween(page, line.id, end === 0 ? [moving, ends[1]] : [ends[0], moving], format),
          kind,
        );
      },
      done: onSettle,
    });
  };

  /** Selects all elements within a rectangle that the pointer draws. A press without a movement selects nothing. */
  const sweep = (event: PointerEvent<HTMLElement>, onFrame: (frame: Rect | undefined) => void) => {
    if (event.button !== 0) return;
    edits.select(null);
    const box = board.current!.getBoundingClientRect();
    const start = { x: ((event.clientX - box.x) / box.width) * 100, y: ((event.clientY - box.y) / box.height) * 100 };
    let frame: Rect | undefined;
    drag.press(event, {
      move: ({ dx, dy }) => {
        const [width, height] = [(dx / box.width) * 100, (dy / box.height) * 100];
        frame = {
          x: Math.min(start.x, start.x + width),
          y: Math.min(start.y, start.y + height),
          width: Math.abs(width),
          height: Math.abs(height),
        };
        onFrame(frame);
      },
      done: () => {
        const swept = frame;
        if (swept) edits.selectAll([...rects].flatMap(([id, rect]) => (isInside(rect, swept) ? [id] : [])));
        onFrame(undefined);
      },
      cancelled: () => onFrame(undefined),
    });
  };

  /** Returns whether the key was a command. */
  const command = (event: Keys): boolean => {
    const isCommand = event.ctrlKey || event.metaKey;
    switch (event.key.toLowerCase()) {
      case 'delete':
      case 'backspace':
        edits.remove();
        return true;
      case 'pageup':
      case 'pagedown':
        edits.raise((event.key === 'PageUp' ? 1 : -1) * (event.shiftKey ? Number.POSITIVE_INFINITY : 1));
        return true;
      case 'd':
        if (isCommand) edits.duplicate();
        return isCommand;
      case 'a':
        if (isCommand) edits.selectAll([...rects.keys()]);
        return isCommand;
      case 'g':
        if (isCommand && event.shiftKey) edits.ungroup();
        else if (isCommand) edits.group();
        return isCommand;
      default:
        return false;
    }
  };

  usePageKeys((event) => {
    if (!canEdit || edits.typing !== null) return false;
    return (selection.size > 0 || event.key.toLowerCase() === 'a') && command(event);
  });

  const key = (event: KeyboardEvent<HTMLElement>, element: Element) => {
    if (event.key === 'Escape') return edits.select(null);
    if (!canEdit) return;
    if ((event.key === 'Enter' || event.key === 'F2') && element.type === 'text') {
      event.preventDefault();
      return edits.type(element.id);
    }
    if (command(event)) return event.preventDefault();
    const start = rects.get(element.id);
    if (!start) return;
    drag.arrow(event, (arrow) => {
      const ids = selection.has(element.id) ? selection : new Set([element.id]);
      const to = nudged(start, arrow);
      const kind = `keys ${element.id}`;
      if (arrow.altKey) edits.onPage((page) => moveTo(page, element.id, to, format), kind);
      else moveAll(ids, start, to, kind);
    });
  };
  return { press, pressEnd, key, sweep, guides };
};

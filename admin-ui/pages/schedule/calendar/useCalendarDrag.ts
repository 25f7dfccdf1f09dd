/** Drag handlers of the week view: move an occurrence, move its start or end, or mark empty hours for a new plan. */
import { type PointerEvent, type RefObject, useRef, useState } from 'react';
import type { Schedule } from '../../../../shared/contract/screens/schedules.ts';
import { useDrag } from '../../../components/hooks/useDrag.ts';
import { canChangeDay, isMoved, movedBy, type Piece, snapped, stretchedBy, type Times } from './calendar.utils.ts';

const STEP_MIN = 15;
/** Step in minutes while Alt is held. */
const FINE_MIN = 5;

export type Grip = 'move' | 'start' | 'end';
type Dragged = { readonly schedule: Schedule; readonly times: Times };
/** A marked range of empty hours: minutes since midnight, `from` before `to`. */
export type Span = { readonly column: number; readonly from: number; readonly to: number };

type Options = {
  /** The element that contains all columns. Its height is a day from midnight to midnight. */
  body: RefObject<HTMLElement | null>;
  columns: number;
  onMoved: (dragged: Dragged) => void;
  onSpan: (span: Span) => void;
};

export const useCalendarDrag = ({ body, columns, onMoved, onSpan }: Options) => {
  const [dragged, setDragged] = useState<Dragged>();
  const [span, setSpan] = useState<Span>();
  /** True during a drag, so that the click event at the end of the drag opens nothing. */
  const justDragged = useRef(false);
  const drag = useDrag();
  /**
   * Sets `justDragged` to false after the click event that follows the release of the pointer. Also runs after a drag
   * that Escape has cancelled.
   */
  const begin = () =>
    addEventListener('pointerup', () => setTimeout(() => (justDragged.current = false)), { once: true });
  const place = (event: { clientX: number; clientY: number }) => {
    const box = body.current!.getBoundingClientRect();
    const right = getComputedStyle(body.current!).direction === 'rtl';
    const x = right ? box.right - event.clientX : event.clientX - box.left;
    const column = Math.min(columns - 1, Math.max(0, Math.floor((x / box.width) * columns)));
    return { column, minute: Math.min(1440, Math.max(0, ((event.clientY - box.top) / box.height) * 1440)) };
  };

  const grip = (event: PointerEvent<HTMLElement>, piece: Piece, how: Grip) => {
    // A touch scrolls instead of dragging. Touch users set exact times in the form.
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const from = place(event);
    begin();
    const { schedule } = piece;
    let last: Dragged | undefined;
    drag.press(event, {
      move: (now) => {
        justDragged.current = true;
        const to = place(now);
        const minutes = snapped(to.minute - from.minute, now.altKey ? FINE_MIN : STEP_MIN);
        const days = how === 'move' && canChangeDay(schedule) ? to.column - from.column : 0;
        const over = (to.column - from.column) * 1440;
        last = {
          schedule,
          times:
            how === 'move'
              ? movedBy(schedule, { days, minutes })
              : stretchedBy(schedule, how, minutes + (how === 'end' ? over : 0)),
        };
        setDragged(last);
      },
      done: () => {
        setDragged(undefined);
        if (last && isMoved(last.schedule, last.times)) onMoved(last);
      },
      cancelled: () => setDragged(undefined),
    });
  };

  const sweep = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const from = place(event);
    begin();
    let last: Span | undefined;
    drag.press(event, {
      move: (now) => {
        justDragged.current = true;
        const step = now.altKey ? FINE_MIN : STEP_MIN;
        const to = place(now).minute;
        const [a, b] = [Math.min(from.minute, to), Math.max(from.minute, to)];
        const first = Math.floor(a / step) * step;
        last = { column: from.column, from: first, to: Math.max(first + step, Math.ceil(b / step) * step) };
        setSpan(last);
      },
      done: () => {
        setSpan(undefined);
        if (last) onSpan(last);
      },
      cancelled: () => setSpan(undefined),
    });
  };
  /** Handles a click on an empty hour. */
  const tap = (event: { clientX: number; clientY: number }) => {
    if (justDragged.current) return;
    const { column, minute } = place(event);
    const from = Math.min(1380, Math.floor(minute / 30) * 30);
    onSpan({ column, from, to: from + 60 });
  };
  return { dragged, span, grip, sweep, tap, justDragged, arrow: drag.arrow };
};
export type CalendarDrag = ReturnType<typeof useCalendarDrag>;

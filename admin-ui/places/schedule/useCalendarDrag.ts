/** Dragging in the week: an occurrence to another time or day, its edges, and over empty hours to plan something new. */
import { type PointerEvent as ReactPointerEvent, type RefObject, useRef, useState } from 'react';
import type { Schedule } from '../../../shared/contract/schedules.ts';
import { canChangeDay, isMoved, movedBy, type Piece, snapped, stretchedBy, type Times } from './calendar.utils.ts';

/** Pointers tremble: below this it is a click. */
const SLOP_PX = 4;
const STEP_MIN = 15;
/** With Alt held. */
const FINE_MIN = 5;

export type Grip = 'move' | 'start' | 'end';
type Dragged = { readonly schedule: Schedule; readonly times: Times };
/** Minutes since midnight, `from` before `to`. */
export type Span = { readonly column: number; readonly from: number; readonly to: number };

type Options = {
  /** The element that all columns fill, midnight to midnight. */
  body: RefObject<HTMLElement | null>;
  columns: number;
  onMoved: (dragged: Dragged) => void;
  onSpan: (span: Span) => void;
};

export const useCalendarDrag = ({ body, columns, onMoved, onSpan }: Options) => {
  const [dragged, setDragged] = useState<Dragged>();
  const [span, setSpan] = useState<Span>();
  /** The click that ends a drag opens nothing. */
  const justDragged = useRef(false);

  const follow = (begin: ReactPointerEvent, moves: { move: (event: PointerEvent) => void; done: () => void; cancelled: () => void }) => {
    let moving = false;
    justDragged.current = false;
    const stop = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', cancel);
      removeEventListener('keydown', key, true);
    };
    const move = (event: PointerEvent) => {
      if (!moving && Math.hypot(event.clientX - begin.clientX, event.clientY - begin.clientY) < SLOP_PX) return;
      moving = true;
      moves.move(event);
    };
    const up = () => {
      stop();
      if (!moving) return;
      justDragged.current = true;
      setTimeout(() => {
        justDragged.current = false;
      });
      moves.done();
    };
    const cancel = () => {
      stop();
      moves.cancelled();
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      cancel();
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', cancel);
    addEventListener('keydown', key, true);
  };
  const place = (event: { clientX: number; clientY: number }) => {
    const box = body.current!.getBoundingClientRect();
    const right = getComputedStyle(body.current!).direction === 'rtl';
    const x = right ? box.right - event.clientX : event.clientX - box.left;
    const column = Math.min(columns - 1, Math.max(0, Math.floor((x / box.width) * columns)));
    return { column, minute: Math.min(1440, Math.max(0, ((event.clientY - box.top) / box.height) * 1440)) };
  };

  const grip = (event: ReactPointerEvent, piece: Piece, how: Grip) => {
    // Fingers scroll; the form has the exact times.
    if (event.button !== 0 || event.pointerType === 'touch') return;
    event.stopPropagation();
    const from = place(event);
    const { schedule } = piece;
    let last: Dragged | undefined;
    follow(event, {
      move: (now) => {
        const to = place(now);
        const minutes = snapped(to.minute - from.minute, now.altKey ? FINE_MIN : STEP_MIN);
        const days = how === 'move' && canChangeDay(schedule) ? to.column - from.column : 0;
        const over = (to.column - from.column) * 1440;
        last = { schedule, times: how === 'move' ? movedBy(schedule, { days, minutes }) : stretchedBy(schedule, how, minutes + (how === 'end' ? over : 0)) };
        setDragged(last);
      },
      done: () => {
        setDragged(undefined);
        if (last && isMoved(last.schedule, last.times)) onMoved(last);
      },
      cancelled: () => setDragged(undefined),
    });
  };

  const sweep = (event: ReactPointerEvent) => {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const from = place(event);
    let last: Span | undefined;
    follow(event, {
      move: (now) => {
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
  /** A click on an empty hour. */
  const tap = (event: { clientX: number; clientY: number }) => {
    if (justDragged.current) return;
    const { column, minute } = place(event);
    const from = Math.min(1380, Math.floor(minute / 30) * 30);
    onSpan({ column, from, to: from + 60 });
  };
  return { dragged, span, grip, sweep, tap, justDragged };
};
export type CalendarDrag = ReturnType<typeof useCalendarDrag>;

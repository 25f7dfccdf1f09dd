import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useMove } from 'react-aria/useMove';

/** Pixels that the pointer must move to start a drag. A shorter movement counts as a click, since hands tremble. */
const SLOP_PX = 4;

/** Movement of the pointer since the press, and its position in the window, in pixels. */
type Drag = { dx: number; dy: number; clientX: number; clientY: number; altKey: boolean };
/** Returns the step size for an arrow key: 10 with Shift, 0.1 with Ctrl, otherwise 1. */
export const stepOf = ({ shiftKey, ctrlKey }: Pick<Arrow, 'shiftKey' | 'ctrlKey'>): number =>
  shiftKey ? 10 : ctrlKey ? 0.1 : 1;
/** A pressed arrow key: its direction on each axis (-1, 0 or 1), and the modifier keys. */
export type Arrow = { dx: number; dy: number; shiftKey: boolean; altKey: boolean; ctrlKey: boolean };
type Follower = {
  move: (to: Drag) => void;
  done: () => void;
  /** Called when Escape cancels the drag. Without this callback, Escape does nothing. */
  cancelled?: () => void;
};

/** Hook that moves items with the pointer or with the arrow keys, one item at a time. */
export const useDrag = () => {
  const held = useRef<{
    x: number;
    y: number;
    dx: number;
    dy: number;
    follower: Follower;
    listening?: AbortController;
  }>(undefined);
  const arrowed = useRef<(arrow: Arrow) => void>(undefined);
  const { moveProps } = useMove({
    onMove: ({ pointerType, deltaX, deltaY, shiftKey, altKey, ctrlKey }) => {
      if (pointerType === 'keyboard') return arrowed.current?.({ dx: deltaX, dy: deltaY, shiftKey, altKey, ctrlKey });
      const drag = held.current;
      if (!drag) return;
      drag.dx += deltaX;
      drag.dy += deltaY;
      if (!drag.listening && Math.hypot(drag.dx, drag.dy) < SLOP_PX) return;
      drag.listening ??= onEscape(drag.follower.cancelled && (() => release()?.cancelled?.()));
      drag.follower.move({ dx: drag.dx, dy: drag.dy, clientX: drag.x + drag.dx, clientY: drag.y + drag.dy, altKey });
    },
    onMoveEnd: ({ pointerType }) => {
      if (pointerType !== 'keyboard') release()?.done();
    },
  });
  /** Ends the drag. Returns its callbacks if the pointer has moved far enough for a drag. */
  const release = (): Follower | undefined => {
    const drag = held.current;
    held.current = undefined;
    drag?.listening?.abort();
    return drag?.listening && drag.follower;
  };
  return {
    /** Handler for `onPointerDown`. Focuses the pressed element, as the browser would. */
    press: (event: PointerEvent<HTMLElement>, follower: Follower) => {
      held.current = { x: event.clientX, y: event.clientY, dx: 0, dy: 0, follower };
      moveProps.onPointerDown?.(event);
      event.currentTarget.closest<HTMLElement>('button, [tabindex]')?.focus({ preventScroll: true });
    },
    /** Handler for `onKeyDown`. */
    arrow: (event: KeyboardEvent<HTMLElement>, nudge: (arrow: Arrow) => void) => {
      arrowed.current = nudge;
      moveProps.onKeyDown?.(event);
    },
  };
};

const onEscape = (cancel: (() => void) | undefined): AbortController => {
  const listening = new AbortController();
  const hear = (event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    cancel?.();
  };
  if (cancel) addEventListener('keydown', hear, { capture: true, signal: listening.signal });
  return listening;
};

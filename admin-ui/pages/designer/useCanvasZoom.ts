import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Scale of the page: 1 is one pixel of the page per pixel of the window. `fit`: as large as the room permits. */
export type Zoom = number | 'fit';
export const ZOOMS: readonly number[] = [0.5, 1, 2, 4];
const [MIN, MAX] = [0.1, 4];
/** Factor of a key press or a click. */
const STEP = 1.25;
/** Factor per pixel of the wheel. A notch of a mouse wheel is 100 to 120 pixels. */
const WHEEL = 0.002;

const clamp = (scale: number): number => Math.min(Math.max(scale, MIN), MAX);
/** A point of the page that stays where it is: its share of the page, and its place in the window in pixels. */
type Pin = { readonly x: number; readonly y: number; readonly clientX: number; readonly clientY: number };

/**
 * Zoom of the canvas. Ctrl with the wheel zooms around the pointer; Ctrl with + and − (useCanvasZoom().key) around the
 * middle of the room.
 * @param width width of the page in pixels
 * @param isShown whether room and board are in the document
 */
export const useCanvasZoom = (
  room: RefObject<HTMLDivElement | null>,
  board: RefObject<HTMLDivElement | null>,
  width: number,
  isShown: boolean,
) => {
  const [zoom, setZoom] = useState<Zoom>('fit');
  const pin = useRef<Pin>(undefined);
  const scaleNow = () => (board.current?.getBoundingClientRect().width ?? width) / width;
  const setAround = (next: (scale: number) => Zoom, at?: { clientX: number; clientY: number }) => {
    if (!board.current || !room.current) return;
    const [page, view] = [board.current.getBoundingClientRect(), room.current.getBoundingClientRect()];
    const { clientX, clientY } = at ?? { clientX: view.x + view.width / 2, clientY: view.y + view.height / 2 };
    pin.current = { x: (clientX - page.x) / page.width, y: (clientY - page.y) / page.height, clientX, clientY };
    setZoom(next(scaleNow()));
  };
  // Scrolls so that the pinned point is under the pointer again.
  useLayoutEffect(() => {
    const held = pin.current;
    pin.current = undefined;
    if (!held || zoom === 'fit' || !board.current || !room.current) return;
    const page = board.current.getBoundingClientRect();
    room.current.scrollLeft += page.x + held.x * page.width - held.clientX;
    room.current.scrollTop += page.y + held.y * page.height - held.clientY;
  }, [zoom, board, room]);
  const latest = useRef(setAround);
  latest.current = setAround;
  // React registers wheel listeners that cannot prevent the browser's own zoom.
  useEffect(() => {
    const element = isShown ? room.current : null;
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      latest.current((scale) => clamp(scale * Math.exp(-event.deltaY * WHEEL)), event);
    };
    element?.addEventListener('wheel', wheel, { passive: false });
    return () => element?.removeEventListener('wheel', wheel);
  }, [room, isShown]);
  return {
    zoom,
    set: (next: Zoom) => setAround(() => next),
    /** @param by 1: one step larger, -1: smaller */
    step: (by: 1 | -1) => setAround((scale) => clamp(scale * STEP ** by)),
    /** Handles Ctrl with +, − and 0. Returns whether the key was one of them. */
    key: (event: { key: string; ctrlKey: boolean; metaKey: boolean; preventDefault: () => void }): boolean => {
      if (!event.ctrlKey && !event.metaKey) return false;
      if (event.key === '+' || event.key === '=') setAround((scale) => clamp(scale * STEP));
      else if (event.key === '-') setAround((scale) => clamp(scale / STEP));
      else if (event.key === '0') setAround(() => 'fit');
      else return false;
      event.preventDefault();
      return true;
    },
  };
};
export type CanvasZoom = ReturnType<typeof useCanvasZoom>;

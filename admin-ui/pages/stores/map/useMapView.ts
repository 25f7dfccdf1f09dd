import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useReducedMotion } from '../../../components/hooks/useMedia.ts';
import { between, moved, type Point, type Size, scalesOf, type View, viewOf, zoomed } from './map.utils.ts';

/** Pixels. A shorter movement of the pointer counts as a click. */
const SLOP = 4;
const FLY_MS = 260;
const MIDDLE: Point = { x: 0, y: 0 };

const useSize = (box: RefObject<HTMLElement | null>): Size => {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
};

/**
 * Hook for the visible part of the map: all points until the user moves the map by pointer, fingers, wheel or keys.
 */
export const useMapView = (points: readonly Point[]) => {
  const surface = useRef<HTMLDivElement>(null);
  const size = useSize(surface);
  const isCalm = useReducedMotion();
  const all = useMemo(() => viewOf(points, size), [points, size]);
  const [own, setOwn] = useState<View>();
  const view = own ?? all;
  const flight = useRef(0);
  const land = () => cancelAnimationFrame(flight.current);
  useEffect(() => () => cancelAnimationFrame(flight.current), []);
  const change = (next: (before: View) => View) => {
    land();
    setOwn((before) => next(before ?? all));
  };
  /** Animates the map to a view. @param then called at the end of the animation */
  const fly = (to: View, then?: () => void) => {
    land();
    const began = performance.now();
    const step = (now: number) => {
      const part = isCalm ? 1 : Math.min(1, Math.max(0, (now - began) / FLY_MS));
      setOwn(between(view, to, 1 - (1 - part) ** 3));
      if (part < 1) flight.current = requestAnimationFrame(step);
      else then?.();
    };
    step(began);
  };
  const scales = scalesOf(all);
  /** @param at from the middle, pixels */
  const zoomAt = (by: number, at: Point) => change((before) => zoomed(before, by, at, scales));
  useWheel(surface, size, zoomAt, (by) => zoomed(view, by, MIDDLE, scales).scale !== view.scale);
  const events = useHands(size, {
    drag: (dx, dy) => change((before) => moved(before, dx, dy)),
    pinch: (by, at) => zoomAt(by, at),
  });
  return {
    surface,
    size,
    view,
    isAll: own === undefined,
    events,
    zoom: (by: number) => fly(zoomed(view, by, MIDDLE, scales)),
    pan: (dx: number, dy: number) => change((before) => moved(before, dx, dy)),
    fly: (to: View) => fly({ ...to, scale: Math.min(Math.max(to.scale, scales.min), scales.max) }),
    showAll: () => fly(all, () => setOwn(undefined)),
  };
};

/** Zooms with the wheel, once per frame. At the limit of the zoom, the wheel scrolls the page. */
const useWheel = (
  box: RefObject<HTMLElement | null>,
  size: Size,
  zoom: (by: number, at: Point) => void,
  isFree: (by: number) => boolean,
): void => {
  const latest = useRef({ zoom, isFree });
  latest.current = { zoom, isFree };
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let [frame, pending] = [0, 1];
    const turn = (event: WheelEvent) => {
      const { left, top } = element.getBoundingClientRect();
      const at = { x: event.clientX - left - size.width / 2, y: event.clientY - top - size.height / 2 };
      // Some browsers report the wheel in lines instead of pixels. A pinch on a touchpad is reported with Ctrl, in
      // small steps.
      const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
      const by = Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0018));
      if (!latest.current.isFree(by)) return;
      event.preventDefault();
      pending *= by;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        latest.current.zoom(pending, at);
        pending = 1;
      });
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('wheel', turn);
    };
  }, [box, size]);
};

type Hands = { drag: (dx: number, dy: number) => void; pinch: (by: number, at: Point) => void };

/** Handles pointers: one pointer drags the map, two pointers zoom. A press without movement is a click. */
const useHands = ({ width, height }: Size, { drag, pinch }: Hands) => {
  const held = useRef(new Map<number, Point>());
  const isDrag = useRef(false);
  const release = ({ pointerId, currentTarget }: PointerEvent<HTMLElement>) => {
    held.current.delete(pointerId);
    if (held.current.size === 0) isDrag.current = false;
    delete currentTarget.dataset['dragged'];
  };
  return {
    onPointerDown: ({ pointerId, clientX: x, clientY: y, button, pointerType }: PointerEvent) => {
      if (pointerType === 'mouse' && button !== 0) return;
      held.current.set(pointerId, { x, y });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const { pointerId, clientX: x, clientY: y, currentTarget } = event;
      const before = held.current.get(pointerId);
      if (!before) return;
      if (!isDrag.current) {
        if (Math.hypot(x - before.x, y - before.y) < SLOP) return;
        isDrag.current = true;
      }
      if (!currentTarget.hasPointerCapture(pointerId)) currentTarget.setPointerCapture(pointerId);
      currentTarget.dataset['dragged'] = '';
      const other = [...held.current].find(([id]) => id !== pointerId)?.[1];
      held.current.set(pointerId, { x, y });
      if (!other) return drag(x - before.x, y - before.y);
      const { left, top } = currentTarget.getBoundingClientRect();
      drag((x - before.x) / 2, (y - before.y) / 2);
      pinch(Math.hypot(x - other.x, y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y)), {
        x: (x + other.x) / 2 - left - width / 2,
        y: (y + other.y) / 2 - top - height / 2,
      });
    },
    onPointerUp: release,
    onPointerCancel: release,
    onLostPointerCapture: release,
  };
};

import { type RefObject, useLayoutEffect } from 'react';

/** The pixels between the things that lie at the foot of the window. */
const GAP = 12;

/**
 * What lies at the foot of the window (the bar of a selection, the uploads) tells how tall it is, as `--<name>-room` of
 * the root element, so that what comes later lies above it and not on it.
 */
export const useReserve = (name: 'bar' | 'tray', ref: RefObject<HTMLElement | null>, shown = true): void => {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || !shown) return;
    const { style } = document.documentElement;
    const tell = () => style.setProperty(`--${name}-room`, `${element.offsetHeight + GAP}px`);
    const observer = new ResizeObserver(tell);
    observer.observe(element);
    tell();
    return () => {
      observer.disconnect();
      style.removeProperty(`--${name}-room`);
    };
  }, [name, ref, shown]);
};

import { type RefObject, useLayoutEffect } from 'react';

/** Distance in pixels between elements at the bottom of the window. */
const GAP = 12;

/**
 * Writes the height of an element at the bottom of the window (selection bar, upload tray) to `--<name>-room` on the
 * root element, so that other elements are placed above it.
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

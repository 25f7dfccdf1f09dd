import { type RefObject, useLayoutEffect, useState } from 'react';

/** Returns the scale at which content that is `width` pixels wide fits into the box; 0 until the box is measured. */
export const useScale = (box: RefObject<HTMLElement | null>, width: number): number => {
  const [scale, setScale] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    // The width in fractions of a pixel: `clientWidth` is rounded, which would leave a line of the background free.
    const measure = () => setScale((Number.parseFloat(getComputedStyle(element).width) || 0) / width);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, width]);
  return scale;
};

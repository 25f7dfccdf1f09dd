import { type RefObject, useLayoutEffect, useState } from 'react';

/** Returns the scale at which content that is `width` pixels wide fits into the box; 0 until the box is measured. */
export const useScale = (box: RefObject<HTMLElement | null>, width: number): number => {
  const [scale, setScale] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setScale(element.clientWidth / width);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, width]);
  return scale;
};

import { type RefObject, useLayoutEffect, useState } from 'react';

/** Scale of a box relative to its content, which is `width` wide. 0 until it is measured. */
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

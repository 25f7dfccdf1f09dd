import { type RefObject, useLayoutEffect, useState } from 'react';

/** How much smaller a box is than what it shows, which is `width` wide. 0 until it has been measured. */
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

import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import './PreviewFrame.css';

export type Size = { readonly width: number; readonly height: number };

/** Returns the scale at which a size fits into the element. */
export const fitScale = (size: Size, room: Size): number =>
  room.width <= 0 || room.height <= 0 ? 0 : Math.min(room.width / size.width, room.height / size.height);

type ScaledProps = {
  /** Size of the represented screen in pixels. */
  size: Size;
  /** Draws the content at full size; `style` shrinks it. */
  children: (style: CSSProperties) => ReactNode;
  over?: ReactNode;
};

/** A screen at reduced size. Its content is laid out at the screen's full size. */
export function Scaled({ size, children, over }: ScaledProps) {
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = () => {
      const style = getComputedStyle(element);
      const across = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
      const down = Number.parseFloat(style.paddingTop) + Number.parseFloat(style.paddingBottom);
      setRoom({ width: element.clientWidth - across, height: element.clientHeight - down });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const scale = fitScale(size, room);
  return (
    <div className="preview-place" ref={place}>
      {scale > 0 && (
        <div className="scaled" style={{ width: size.width * scale, height: size.height * scale }}>
          {children({ width: size.width, height: size.height, transform: `scale(${scale})` })}
          {over}
        </div>
      )}
    </div>
  );
}

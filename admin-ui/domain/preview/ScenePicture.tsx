import { type CSSProperties, lazy, type ReactNode, Suspense, useRef } from 'react';
import { renderWidget } from '../../../shared/contract/content/widgets.ts';
import type { ProgramItem, ProgramZone } from '../../../shared/program/program.ts';
import { fileUrl, thumbnailUrl } from '../../api/files/content.ts';
import { useImage } from '../../api/files/useImage.ts';
import { client } from '../../api/requests/client.ts';
import { Thumb, type ThumbKind } from './Thumb.tsx';
import './ScenePicture.css';
import { useScale } from '../../components/hooks/useScale.ts';

/** Loaded with the first design on a screen. */
const DesignPicture = lazy(() => import('../designs/DesignPicture.tsx').then((m) => ({ default: m.DesignPicture })));

export type Shown = { readonly zone: ProgramZone; readonly item: ProgramItem | null };

type ScenePictureProps = {
  /** Size of the screen in pixels: widgets are drawn at this size and shrunk. */
  width: number;
  height: number;
  /** Shown items, from back to front. */
  shown: readonly Shown[];
  /** Text for screen readers; empty if text beside the picture says the same. */
  label: string;
  /** Drawn over the picture, in the coordinates of the picture. */
  children?: ReactNode;
};

/** A screen's scene at an instant with real content: stills, first frames of clips, pages of widgets. */
export function ScenePicture({ width, height, shown, label, children }: ScenePictureProps) {
  const box = useRef<HTMLDivElement>(null);
  const scale = useScale(box, width);
  return (
    <div
      className="scene"
      ref={box}
      style={{ aspectRatio: `${width} / ${height}` }}
      {...(label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {shown.map(({ zone, item }) => (
        <SceneZone key={zone.id} zone={zone}>
          {item && (
            <ItemPicture
              item={item}
              fit={zone.fit}
              size={{ width: (width * zone.width) / 100, height: (height * zone.height) / 100 }}
              scale={scale}
            />
          )}
        </SceneZone>
      ))}
      {children}
    </div>
  );
}

/** The area of a zone in the picture of a screen. */
export function SceneZone({ zone, children }: { zone: ProgramZone; children: ReactNode }) {
  const { x, y, width, height, background } = zone;
  return (
    <div
      className="scene-zone"
      style={{ left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%`, background }}
    >
      {children}
    </div>
  );
}

/** Shown in place of an item without a picture, or before its picture is loaded. */
export function Named({ item }: { item: ProgramItem }) {
  return (
    <span className="scene-named">
      <Thumb kind={(item.kind === 'kiosk' ? 'widget' : item.kind) satisfies ThumbKind} src={null} />
      <small className="truncate">{item.name}</small>
    </span>
  );
}

/** The drawing of a design in a zone. @param size size of the zone in pixels of the screen */
export function DesignScene({ item, size }: { item: ProgramItem; size: { width: number; height: number } }) {
  const named = <Named item={item} />;
  if (item.content_id === null) return named;
  return (
    <Suspense fallback={named}>
      <DesignPicture id={item.content_id} size={size} label="" instead={named} />
    </Suspense>
  );
}

/** Kinds of items that have a picture. */
const PICTURED: ReadonlySet<string> = new Set(['image', 'video', 'pdf']);

function ItemPicture({
  item,
  fit,
  size,
  scale,
}: {
  item: ProgramItem;
  fit: ProgramZone['fit'];
  size: { width: number; height: number };
  scale: number;
}) {
  const version = item.asset ?? '';
  const small = useImage(
    thumbnailUrl(item.content_id ?? '', item.content_id !== null && PICTURED.has(item.kind), version),
  );
  const whole = useImage(
    item.content_id !== null && item.kind === 'image' ? `${fileUrl(item.content_id)}#${version}` : null,
  );
  const src = whole.status === 'ready' ? whole.src : small.status === 'ready' ? small.src : null;
  if (item.widget_id !== null) {
    const style: CSSProperties = { width: size.width, height: size.height, transform: `scale(${scale})` };
    return (
      scale > 0 && (
        <iframe
          title={item.name}
          src={client.url(renderWidget, { id: item.widget_id })}
          sandbox="allow-scripts"
          style={style}
          tabIndex={-1}
          aria-hidden
        />
      )
    );
  }
  if (item.kind === 'design') return <DesignScene item={item} size={size} />;
  if (src) return <img src={src} alt="" draggable={false} style={{ objectFit: fit }} />;
  return <Named item={item} />;
}

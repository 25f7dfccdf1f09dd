import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { renderWidget } from '../../../shared/contract/content/widgets.ts';
import type { Cue, ProgramItem, ProgramZone, Scene } from '../../../shared/program/program.ts';
import { contentLinkQuery, fileUrl, thumbnailUrl } from '../../api/files/content.ts';
import { useImage } from '../../api/files/useImage.ts';
import { client } from '../../api/requests/client.ts';
import { useScale } from '../../components/hooks/useScale.ts';
import { DesignScene, Named, SceneZone } from '../../domain/preview/ScenePicture.tsx';
import { type Change, clipPosition } from './preview.utils.ts';

type Stage = {
  readonly scene: Scene;
  readonly changes: ReadonlyMap<string, Change>;
  readonly at: number;
  readonly playing: boolean;
  readonly sound: boolean;
  readonly width: number;
  readonly height: number;
};

/**
 * A screen that plays. The next item is loaded beneath the present item, so that no change shows an empty area, as
 * on a real screen.
 */
export function PreviewStage({ scene, changes, at, playing, sound, width, height }: Stage) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const scale = useScale(box, width);
  return (
    <div
      className="scene preview-scene"
      ref={box}
      style={{ aspectRatio: `${width} / ${height}`, '--ratio': width / height } as CSSProperties}
    >
      {scene.zones.map(({ zone, cue, next }) => (
        <SceneZone key={zone.id} zone={zone}>
          {[cue, changes.get(zone.id)?.from ?? null, next]
            .filter((c) => c !== null)
            .filter((c, i, all) => all.findIndex((other) => keyOf(other) === keyOf(c)) === i)
            .map((c) => (
              <Turn
                key={keyOf(c)}
                cue={c}
                zone={zone}
                at={at}
                playing={playing}
                sound={sound}
                shown={c === cue}
                change={changes.get(zone.id)}
                scale={scale}
                size={{ width: (width * zone.width) / 100, height: (height * zone.height) / 100 }}
              />
            ))}
        </SceneZone>
      ))}
      {scene.idle && <p className="preview-idle">{t('playlist.previewNothing')}</p>}
    </div>
  );
}

/** Returns the React key of a play: the same item in a later play is a different element. */
const keyOf = ({ item, since }: Cue): string => `${item.item_id}:${since}`;

type TurnProps = Omit<Stage, 'scene' | 'changes' | 'width' | 'height'> & {
  change: Change | undefined;
  cue: Cue;
  zone: ProgramZone;
  shown: boolean;
  scale: number;
  size: { width: number; height: number };
};

function Turn(props: TurnProps) {
  const { cue, shown, zone, change } = props;
  const leaves = change !== undefined && keyOf(change.from) === keyOf(cue);
  const style = change && (shown ? coming(change) : leaves ? leaving(change) : undefined);
  return (
    <div className={shown || leaves ? 'turn shown' : 'turn'} style={style} aria-hidden={!shown}>
      <Surface {...props} item={cue.item} fit={zone.fit} />
    </div>
  );
}

const coming = ({ meeting: { right, uncovered, opacity } }: Change): CSSProperties => ({
  zIndex: 1,
  opacity,
  ...(right > 0 && { transform: `translateX(${100 * right}%)` }),
  ...(uncovered < 1 && { clipPath: `inset(0 ${100 * (1 - uncovered)}% 0 0)` }),
});
/** Style of the leaving item. Both items overlap by a pixel, so that nothing shines through between them. */
const leaving = ({ meeting: { left } }: Change): CSSProperties =>
  left > 0 ? { transform: `translateX(calc(${-100 * left}% + 1px))` } : {};

type SurfaceProps = TurnProps & { item: ProgramItem; fit: ProgramZone['fit'] };

function Surface(props: SurfaceProps) {
  const { item } = props;
  if (item.widget_id !== null) return <WidgetSurface {...props} />;
  if (item.content_id === null) return <Named item={item} />;
  if (item.kind === 'image') return <ImageSurface {...props} whole />;
  if (item.kind === 'video' || item.kind === 'audio') return <ClipSurface {...props} />;
  if (item.kind === 'design') return <DesignScene item={item} size={props.size} />;
  if (item.kind === 'pdf') return <ImageSurface {...props} />;
  return <Named item={item} />;
}

function ImageSurface({ item, fit, whole = false }: SurfaceProps & { whole?: boolean }) {
  const small = useImage(thumbnailUrl(item.content_id ?? '', true));
  const file = useImage(whole ? fileUrl(item.content_id ?? '') : null);
  const src = file.status === 'ready' ? file.src : small.status === 'ready' ? small.src : null;
  return src ? <img src={src} alt={item.name} draggable={false} style={{ objectFit: fit }} /> : <Named item={item} />;
}

function WidgetSurface({ item, size, scale }: SurfaceProps) {
  const style: CSSProperties = { width: size.width, height: size.height, transform: `scale(${scale})` };
  return (
    scale > 0 && (
      <iframe
        title={item.name}
        src={client.url(renderWidget, { id: item.widget_id ?? '' })}
        sandbox="allow-scripts"
        style={style}
        tabIndex={-1}
      />
    )
  );
}

/**
 * Maximum difference in seconds between a clip and the clock. A larger difference is corrected; a smaller one is not
 * visible.
 */
const DRIFT_SEC = 0.4;

function ClipSurface({ item, cue, at, playing, sound, shown, fit }: SurfaceProps) {
  const link = useQuery({ ...contentLinkQuery(item.content_id ?? '', item.asset), refetchOnWindowFocus: false }).data;
  const element = useRef<HTMLVideoElement>(null);
  const runs = shown && playing;
  useEffect(() => {
    const clip = element.current;
    if (!clip) return;
    if (!runs) {
      clip.pause();
      return;
    }
    const wanted = clipPosition(Math.max(0, at - cue.since), item.media_ms);
    if (Math.abs(clip.currentTime - wanted) > DRIFT_SEC) clip.currentTime = wanted;
    if (clip.paused) void clip.play().catch(() => undefined);
  }, [runs, at, cue.since, item.media_ms]);
  useEffect(() => {
    const clip = element.current;
    if (clip && shown && !playing) clip.currentTime = clipPosition(Math.max(0, at - cue.since), item.media_ms);
  }, [shown, playing, at, cue.since, item.media_ms]);
  if (!link) return <Named item={item} />;
  return (
    <>
      {item.kind === 'audio' && <Named item={item} />}
      <video
        ref={element}
        src={link.url}
        muted={!sound || item.muted || !shown}
        loop
        playsInline
        preload="auto"
        style={{ objectFit: fit }}
        hidden={item.kind === 'audio'}
      />
    </>
  );
}

/** Draws backgrounds, pictures and clips. */
import { colorIn } from '../brand.ts';
import { patternOf, TILE } from '../drawings/patterns.ts';
import { PLACEHOLDER_BOX, placeholderNodes } from '../drawings/placeholder.ts';
import type { Fill, MediaRef } from '../fills.ts';
import type { DrawContext } from './context.ts';
import { box, styled, svg } from './dom.ts';

const COVER = { position: 'absolute', inset: '0', width: '100%', height: '100%' };
/** Growth of a slow zoom, and its duration: slow enough not to distract. */
const ZOOM = { scale: 1.12, ms: 18_000 };

/** Returns a picture or clip that fills its parent, or a placeholder in colours of the brand. */
export const drawMedia = (media: MediaRef, context: DrawContext): HTMLElement => {
  const found = media.content_id === null ? undefined : context.media(media.content_id);
  const frame = box({ ...COVER, overflow: 'hidden' });
  if (found) {
    const shown = document.createElement(found.isVideo ? 'video' : 'img');
    if (shown instanceof HTMLVideoElement)
      Object.assign(shown, { muted: true, loop: true, autoplay: true, playsInline: true });
    // The words beside a picture are its text.
    else shown.alt = '';
    shown.src = found.url;
    styled(shown, {
      ...COVER,
      'object-fit': media.fit === 'fill' ? 'cover' : 'contain',
      'object-position': `${media.focus.x * 100}% ${media.focus.y * 100}%`,
      'transform-origin': `${media.focus.x * 100}% ${media.focus.y * 100}%`,
    });
    if (media.zoom && context.isAnimated)
      shown.animate([{ transform: 'scale(1)' }, { transform: `scale(${ZOOM.scale})` }], {
        duration: ZOOM.ms,
        iterations: Number.POSITIVE_INFINITY,
        direction: 'alternate',
        easing: 'ease-in-out',
      });
    frame.append(shown);
  } else frame.append(placeholder(context));
  if (media.overlay !== null)
    frame.append(
      box({ ...COVER, background: colorIn(context.palette, media.overlay), opacity: media.overlay_opacity }),
    );
  return frame;
};

/** A quiet drawing in place of a picture that is not chosen yet. */
const placeholder = ({ palette }: DrawContext): HTMLElement => {
  const drawing = svg(PLACEHOLDER_BOX, placeholderNodes(palette), { ...COVER, background: palette.second });
  drawing.setAttribute('preserveAspectRatio', 'xMidYMid slice');
  return box(COVER, drawing);
};

/** Returns an element that fills its parent with the fill; undefined: nothing to draw. @param unit pixels per unit */
export const drawFill = (fill: Fill, context: DrawContext, unit: number): HTMLElement | undefined => {
  const color = (value: string): string => colorIn(context.palette, value as never);
  switch (fill.kind) {
    case 'none':
      return undefined;
    case 'color':
      return box({ ...COVER, background: color(fill.color) });
    case 'gradient':
      return box({ ...COVER, background: `linear-gradient(${fill.angle}deg, ${color(fill.from)}, ${color(fill.to)})` });
    case 'pattern':
      return box({
        ...COVER,
        'background-color': color(fill.background),
        'background-image': patternOf(fill.pattern, color(fill.color)),
        'background-size': `${TILE * unit}px ${TILE * unit}px`,
      });
    case 'media':
      return drawMedia(fill.media, context);
    default:
      fill satisfies never;
      return undefined;
  }
};

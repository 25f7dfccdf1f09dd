/** Entries of elements. Each starts when the page is shown, so that neighbouring screens, which switch together, are in step. */
import type { Animation, Element } from '../elements.ts';

/** Distance of `rise` in units. */
const RISE = 60;

const framesOf = ({ kind }: Animation, unit: number): Keyframe[] | undefined => {
  switch (kind) {
    case 'none':
      return undefined;
    case 'fade':
    case 'letters':
    case 'lines':
      return [{ opacity: 0 }, { opacity: 1 }];
    case 'rise':
      return [
        { opacity: 0, transform: `translateY(${RISE * unit}px)` },
        { opacity: 1, transform: 'none' },
      ];
    case 'wipe':
      return [{ clipPath: 'inset(0 100% 0 0)' }, { clipPath: 'inset(0 0 0 0)' }];
    case 'scale':
      return [
        { opacity: 0, transform: 'scale(0.8)' },
        { opacity: 1, transform: 'none' },
      ];
    default:
      kind satisfies never;
      return undefined;
  }
};

/** Starts the entry of an element, if it has one. */
export const animate = (holder: HTMLElement, { enter }: Element, unit: number): void => {
  const frames = enter && framesOf(enter, unit);
  if (frames)
    holder.animate(frames, {
      duration: enter.ms,
      delay: enter.delay_ms,
      easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)',
      fill: 'backwards',
    });
};

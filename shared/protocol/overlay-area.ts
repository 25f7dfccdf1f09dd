/** Position of an overlay message on a screen of any size and shape, shared by player, window and server. Pure. */

export const overlayAreas = [
  'full',
  'top',
  'bottom',
  'center',
  'top-left',
  'top-right',
  'bottom-left',
  'bottom-right',
] as const;
export type OverlayArea = (typeof overlayAreas)[number];

/**
 * Sizes as shares of the screen. The height of a band is a share of the smaller side, so that it is equal in portrait
 * and landscape.
 */
const BAND = 0.24;
const MARGIN = 0.03;
const CARD = { wide: { width: 0.38, height: 0.36 }, tall: { width: 0.56, height: 0.2 } } as const;
const MIDDLE = { wide: { width: 0.62, height: 0.6 }, tall: { width: 0.84, height: 0.4 } } as const;

/**
 * Returns the rectangle of the area, in the unit of `screen`. `screen` is the size as a viewer sees it, after rotation.
 */
export function overlayArea(
  area: OverlayArea,
  screen: { readonly width: number; readonly height: number },
): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } {
  const { width, height } = screen;
  const smaller = Math.min(width, height);
  if (area === 'full') return { x: 0, y: 0, width, height };
  if (area === 'top' || area === 'bottom') {
    const high = Math.round(smaller * BAND);
    return { x: 0, y: area === 'top' ? 0 : height - high, width, height: high };
  }
  const share = (area === 'center' ? MIDDLE : CARD)[width < height ? 'tall' : 'wide'];
  const wide = Math.round(width * share.width);
  const high = Math.round(height * share.height);
  if (area === 'center')
    return { x: Math.round((width - wide) / 2), y: Math.round((height - high) / 2), width: wide, height: high };
  const margin = Math.round(smaller * MARGIN);
  return {
    x: area.endsWith('left') ? margin : width - wide - margin,
    y: area.startsWith('top') ? margin : height - high - margin,
    width: wide,
    height: high,
  };
}

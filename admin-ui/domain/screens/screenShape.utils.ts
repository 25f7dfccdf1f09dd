import type { Device } from '../../../shared/contract/screens/devices.ts';

export type ScreenShape = 'landscape' | 'portrait';
type Turned = Pick<Device, 'orientation' | 'screen_width' | 'screen_height'>;

export const shapeOf = ({ width, height }: { readonly width: number; readonly height: number }): ScreenShape =>
  height > width ? 'portrait' : 'landscape';

/** Shape of a screen on the wall. A screen without reported pixels counts as landscape. */
const shapeOfScreen = ({ orientation, screen_width: width, screen_height: height }: Turned): ScreenShape => {
  const isTurned = orientation === '90' || orientation === '270';
  return shapeOf(isTurned ? { width: height, height: width || 1 } : { width: width || 1, height });
};

/** Returns the shapes of the screens, the most frequent first. */
export const shapesOf = (screens: readonly Turned[]): ScreenShape[] => {
  const tall = screens.filter((screen) => shapeOfScreen(screen) === 'portrait').length;
  const wide = screens.length - tall;
  const both: [ScreenShape, number][] = [
    ['landscape', wide],
    ['portrait', tall],
  ];
  return both
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([shape]) => shape);
};

/** Returns the size of the same picture in another shape. */
export const turnedTo = <S extends { readonly width: number; readonly height: number }>(
  { width, height }: S,
  shape: ScreenShape,
): { width: number; height: number } =>
  shapeOf({ width, height }) === shape ? { width, height } : { width: height, height: width };

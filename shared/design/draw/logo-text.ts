/** Look of the name of the brand in place of a logo. Pure. */
import type { Element } from '../elements.ts';

/** Size of the name relative to the height of the element. A longer name becomes smaller. */
const SHARE = 0.6;

const LOOK = {
  fill: { kind: 'none' },
  radius: 0,
  padding: 0,
  shadow: false,
  font: 'heading',
  vertical: 'middle',
} as const;

/** @param height units */
export const logoText = ({ color, place }: Extract<Element, { type: 'logo' }>, height: number) => ({
  ...LOOK,
  color,
  align: place.horizontal === 'center' ? ('center' as const) : ('start' as const),
  size: height * SHARE,
});

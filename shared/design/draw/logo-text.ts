/** Look of the name of the brand in place of a logo. Pure. */

/** Size of the name relative to the height of the element. A longer name becomes smaller. */
const SHARE = 0.6;

const LOOK = {
  fill: { kind: 'none' },
  radius: 0,
  padding: 0,
  shadow: false,
  color: 'ink',
  font: 'heading',
  align: 'start',
  vertical: 'middle',
} as const;

/** @param height units */
export const logoText = (height: number) => ({ ...LOOK, size: height * SHARE });

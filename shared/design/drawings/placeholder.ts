/** Drawing in place of a picture that is not chosen yet: a landscape in colours of the brand. Pure. */
import type { Palette } from '../brand.ts';
import type { DrawnNode } from '../draw/context.ts';

export const PLACEHOLDER_BOX = '0 0 160 120';

export const placeholderNodes = (palette: Palette): DrawnNode[] => [
  ['circle', { cx: '118', cy: '34', r: '15', fill: palette.accent }],
  ['path', { d: 'M0 120V92l44-46 34 36 18-18 64 56z', fill: palette['on-second'], opacity: '0.22' }],
  ['path', { d: 'M0 120v-14l60-30 40 24 60-22v42z', fill: palette['on-second'], opacity: '0.34' }],
];

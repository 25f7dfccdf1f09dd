/** The seven layouts that exist from the start. They are read-only, visible to all, and meant to be copied. */

interface Template {
  readonly id: string;
  readonly name: string;
  /** x, y, width and height in percent. Defaults: `z` is 0, `type` is `content`. */
  readonly zones: readonly {
    readonly name: string;
    readonly at: readonly [number, number, number, number];
    readonly z?: number;
    readonly type?: string;
  }[];
}

const THIRD = 100 / 3;

export const TEMPLATES: readonly Template[] = [
  { id: 'template-fullscreen', name: 'Fullscreen', zones: [{ name: 'Main', at: [0, 0, 100, 100] }] },
  {
    id: 'template-split-horizontal',
    name: 'Split horizontal',
    zones: [
      { name: 'Left', at: [0, 0, 50, 100] },
      { name: 'Right', at: [50, 0, 50, 100] },
    ],
  },
  {
    id: 'template-split-vertical',
    name: 'Split vertical',
    zones: [
      { name: 'Top', at: [0, 0, 100, 50] },
      { name: 'Bottom', at: [0, 50, 100, 50] },
    ],
  },
  {
    id: 'template-l-bar',
    name: 'L-bar with ticker',
    zones: [
      { name: 'Main', at: [0, 0, 75, 90] },
      { name: 'Side', at: [75, 0, 25, 90] },
      { name: 'Ticker', at: [0, 90, 100, 10], type: 'ticker' },
    ],
  },
  {
    id: 'template-picture-in-picture',
    name: 'Picture in picture',
    zones: [
      { name: 'Main', at: [0, 0, 100, 100] },
      { name: 'Inset', at: [68, 66, 29, 29], z: 1 },
    ],
  },
  {
    id: 'template-three-columns',
    name: 'Three columns',
    zones: [
      { name: 'Left', at: [0, 0, THIRD, 100] },
      { name: 'Middle', at: [THIRD, 0, THIRD, 100] },
      { name: 'Right', at: [2 * THIRD, 0, THIRD, 100] },
    ],
  },
  {
    id: 'template-four-quadrants',
    name: 'Four quadrants',
    zones: [
      { name: 'Top left', at: [0, 0, 50, 50] },
      { name: 'Top right', at: [50, 0, 50, 50] },
      { name: 'Bottom left', at: [0, 50, 50, 50] },
      { name: 'Bottom right', at: [50, 50, 50, 50] },
    ],
  },
];

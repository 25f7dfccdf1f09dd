/** Drawings of shapes, each in a square of 100 × 100 that stretches to the element. Pure. */

/** Points of a star-like badge with this many tips. */
const burst = (tips: number): string =>
  Array.from({ length: tips * 2 }, (_, i) => {
    const [angle, radius] = [(Math.PI * i) / tips, i % 2 === 0 ? 50 : 42];
    return `${(50 + radius * Math.sin(angle)).toFixed(2)},${(50 - radius * Math.cos(angle)).toFixed(2)}`;
  }).join(' ');

export const SHAPES = {
  burst: ['polygon', { points: burst(16) }],
  ribbon: ['polygon', { points: '0,0 100,0 92,50 100,100 0,100 8,50' }],
  wave: ['path', { d: 'M0 18C22-8 40 44 62 18S90-2 100 14V100H0z' }],
  arrow: ['polygon', { points: '0,34 62,34 62,10 100,50 62,90 62,66 0,66' }],
} as const satisfies Record<string, readonly [string, Readonly<Record<string, string>>]>;

/** Stroke of icons, as attributes of SVG. */
export const ICON_STROKE: Readonly<Record<string, string>> = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': '1.75',
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
};

/** Shadow of panels and pictures: offset and blur in multiples of `em` units (page-formats.ts). */
export const SHADOW = { em: 20, y: 0.6, blur: 1.8, opacity: 0.24 };

/** Computes with colours: contrast by WCAG 2, mixes and readable text colours. Colours are hex, like `#A1B2C3`. Pure. */

/** Smallest contrast of text on its background (WCAG AA). */
export const MIN_CONTRAST = 4.5;

type Rgb = readonly [red: number, green: number, blue: number];

export const rgbOf = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const hexOf = (rgb: Rgb): string =>
  `#${rgb
    .map((value) =>
      Math.round(Math.min(Math.max(value, 0), 255))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`.toUpperCase();

/** Returns the relative luminance by WCAG 2, 0 to 1. */
export const luminanceOf = (hex: string): number => {
  const [r, g, b] = rgbOf(hex).map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
};

/** Returns the contrast of two colours by WCAG 2, 1 to 21. */
export const contrastOf = (one: string, other: string): number => {
  const [low, high] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
};

/** Returns a mix of two colours. @param share share of the second colour, 0 to 1 */
export const mixed = (one: string, other: string, share: number): string => {
  const [a, b] = [rgbOf(one), rgbOf(other)];
  return hexOf(a.map((value, i) => value + (b[i]! - value) * share) as unknown as Rgb);
};

/** Near-black and near-white, which look better on a screen than the pure colours. */
const [DARK, LIGHT, BLACK] = ['#14161A', '#FFFFFF', '#000000'];

/**
 * Returns the readable text colour on a background: white or near-black, whichever has more contrast; black where both
 * have less than {@link MIN_CONTRAST}, which happens on some greys of medium brightness.
 */
export const readableOn = (background: string): string => {
  const best = contrastOf(background, LIGHT) >= contrastOf(background, DARK) ? LIGHT : DARK;
  return contrastOf(background, best) >= MIN_CONTRAST ? best : BLACK;
};

/**
 * Moves a colour towards the readable text colour until it has at least {@link MIN_CONTRAST} on the background. The hue
 * stays as long as possible.
 */
export const readable = (color: string, background: string): string => {
  const goal = readableOn(background);
  for (let share = 0; share < 1; share += 0.05) {
    const found = mixed(color, goal, share);
    if (contrastOf(found, background) >= MIN_CONTRAST) return found;
  }
  return goal;
};

/** Finds the main colours of a logo. */

/** Pixels of a side at which a logo is read. The share of each colour is enough. */
const SIDE = 64;
const MIN_ALPHA = 128;
/** Colours with less saturation (HSL) are greys. Very dark and very light colours are black and white. */
const MIN_SATURATION = 0.25;
const [MIN_LIGHTNESS, MAX_LIGHTNESS] = [0.1, 0.92];
/** Degrees of hue that are counted as one colour, and the smallest difference of two suggestions. */
const HUE_STEP = 20;
/** Smallest share of the coloured pixels. A rarer colour is the edge of a shape. */
const MIN_SHARE = 0.04;
const MAX_COLORS = 2;

interface Bucket {
  count: number;
  red: number;
  green: number;
  blue: number;
}

/**
 * Returns the two most frequent saturated colours as #RRGGBB, the most frequent first; fewer if there are fewer.
 * @param pixels red, green, blue and alpha of each pixel, 0 to 255
 */
export const mainColors = (pixels: ArrayLike<number>): string[] => {
  const buckets = new Map<number, Bucket>();
  let total = 0;
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const [red, green, blue] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
    const hue = pixels[at + 3]! < MIN_ALPHA ? undefined : hueOf(red, green, blue);
    if (hue === undefined) continue;
    total++;
    const key = Math.round(hue / HUE_STEP) % (360 / HUE_STEP);
    const bucket = buckets.get(key) ?? { count: 0, red: 0, green: 0, blue: 0 };
    buckets.set(key, bucket);
    bucket.count++;
    bucket.red += red;
    bucket.green += green;
    bucket.blue += blue;
  }
  const found: number[] = [];
  for (const [key, { count }] of [...buckets].toSorted(([, a], [, b]) => b.count - a.count)) {
    if (found.length === MAX_COLORS || count < total * MIN_SHARE) break;
    // A neighbour is the same colour, whose hue lies near the limit of two buckets.
    if (found.every((other) => distance(key, other) > 1)) found.push(key);
  }
  return found.map((key) => {
    const { count, red, green, blue } = buckets.get(key)!;
    return `#${[red, green, blue]
      .map((sum) =>
        Math.round(sum / count)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`.toUpperCase();
  });
};

const distance = (one: number, other: number): number => {
  const apart = Math.abs(one - other);
  return Math.min(apart, 360 / HUE_STEP - apart);
};

/** Returns the hue in degrees; undefined for greys, black and white. */
const hueOf = (red: number, green: number, blue: number): number | undefined => {
  const [max, min] = [Math.max(red, green, blue) / 255, Math.min(red, green, blue) / 255];
  const lightness = (max + min) / 2;
  const spread = max - min;
  if (lightness < MIN_LIGHTNESS || lightness > MAX_LIGHTNESS) return undefined;
  if (spread / (1 - Math.abs(2 * lightness - 1)) < MIN_SATURATION) return undefined;
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const sixth = max === r ? (g - b) / spread : max === g ? (b - r) / spread + 2 : (r - g) / spread + 4;
  return (sixth * 60 + 360) % 360;
};

/** Returns the main colours of a picture; none if the browser cannot read it. @param address of this origin */
export const colorsOfPicture = async (address: string): Promise<string[]> => {
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement('canvas');
    canvas.width = SIDE;
    canvas.height = SIDE;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return [];
    context.drawImage(picture, 0, 0, SIDE, SIDE);
    return mainColors(context.getImageData(0, 0, SIDE, SIDE).data);
  } catch {
    return [];
  }
};

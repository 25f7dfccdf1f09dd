/** Parses the location of a store as people write and paste it. Pure functions. */

export type Place = { readonly latitude: number; readonly longitude: number };

const SIGN = '[+\\-\u2212\u2013]';
const DEGREE = '[°º]';
const MINUTE = "['\u2032\u2019\u00b4]";
const SECOND = `(?:["\u2033\u201d\u201c]|${MINUTE}${MINUTE})`;
const NUMBER = '\\d+(?:[.,]\\d+)?';
/** Letter of a direction. O is the German "Ost" (east). */
const SIDE = '([NSEWO])?';
/** An angle in one of the forms 52.52 or 52,52° or 52° 31' 12" or 52°31,2'. */
const ANGLE = `(${SIGN}?)\\s*(${NUMBER})(?:\\s*${DEGREE}(?:\\s*(${NUMBER})\\s*${MINUTE})?(?:\\s*(${NUMBER})\\s*${SECOND})?)?`;
const SPLIT = '\\s*(?:[;/,]|\\s)\\s*';
const SIDED = [`${ANGLE}\\s*${SIDE}`, `${SIDE}\\s*${ANGLE}`] as const;
/** Two angles with the letter of the direction behind each angle, or before it. */
const [BEHIND, BEFORE] = SIDED.map((angle) => new RegExp(`^${angle}${SPLIT}${angle}$`, 'i')) as [RegExp, RegExp];
/** Two numbers with decimal points, separated by a comma: 52.52, 13.405. */
const POINTS = new RegExp(`^(${SIGN}?\\d+\\.\\d+)\\s*,\\s*(${SIGN}?\\d+(?:\\.\\d+)?)$`);
/** Two numbers with decimal commas, separated by a comma: 52,52,13,405. */
const COMMAS = new RegExp(`^(${SIGN}?\\d+,\\d+),\\s*(${SIGN}?\\d+,\\d+)$`);
const GEO = /^geo:([^?;]*)(?:;[^?]*)?(?:\?(?:.*&)?q=([^&(]*))?/i;

type Angle = { readonly value: number; readonly axis: 'latitude' | 'longitude' | undefined };

const numberOf = (text: string | undefined): number => Number((text ?? '0').replace(',', '.'));

/**
 * Returns the angle of a match; undefined if it has both a sign and a letter, or minutes or seconds of 60 or more.
 */
const angleOf = (
  letter: string | undefined,
  [sign = '', degrees, minutes, seconds]: readonly (string | undefined)[],
): Angle | undefined => {
  const side = letter?.toUpperCase();
  const isSouth = side === 'S' || side === 'W';
  const [min, sec] = [numberOf(minutes), numberOf(seconds)];
  if (min >= 60 || sec >= 60 || (side && sign)) return undefined;
  const value = numberOf(degrees) + min / 60 + sec / 3600;
  const isMinus = isSouth || (sign !== '' && sign !== '+');
  const axis = side === undefined ? undefined : side === 'N' || side === 'S' ? 'latitude' : 'longitude';
  return { value: isMinus ? -value : value, axis };
};

/** Rounds degrees to six decimals (0.1 m). */
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6 + 0;

/** Returns the location for two angles: the first is the latitude, unless the letters say otherwise. */
const placeOf = (one: Angle | undefined, other: Angle | undefined): Place | undefined => {
  if (!one || !other) return undefined;
  if (one.axis !== undefined && one.axis === other.axis) return undefined;
  if ((one.axis === undefined) !== (other.axis === undefined)) return undefined;
  const [north, east] = one.axis === 'longitude' ? [other, one] : [one, other];
  const place = { latitude: rounded(north.value), longitude: rounded(east.value) };
  return Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180 ? place : undefined;
};

const signed = (text: string): Angle => {
  const plain = text.replace(/[\u2212\u2013]/, '-');
  return { value: numberOf(plain), axis: undefined };
};

/**
 * Parses a location: "52.52, 13.405", "52,52 13,405", "52°31'12"N 13°24'18"E", "geo:52.52,13.405". Returns null for
 * an empty text, and undefined for an invalid or ambiguous text.
 */
export const parsePlace = (written: string): Place | null | undefined => {
  const text = written.trim();
  if (text === '') return null;
  const geo = GEO.exec(text);
  if (geo) {
    // In a geo: address, apps that only search write 0,0 before the query parameter `q`, so `q` is preferred.
    const [north = '', east = '', ...more] = (geo[2]?.trim() || geo[1]!).split(',').map((part) => part.trim());
    const isNumber = (part: string) => /^[+-]?\d+(\.\d+)?$/.test(part);
    return more.length <= 1 && isNumber(north) && isNumber(east) ? placeOf(signed(north), signed(east)) : undefined;
  }
  const plain = POINTS.exec(text) ?? COMMAS.exec(text);
  if (plain) return placeOf(signed(plain[1]!), signed(plain[2]!));
  // Ambiguous: the text may be one number with a decimal comma, or two numbers without decimals.
  if (/^[^\s;/]*\d,\d[^\s;/]*$/.test(text) && !/[°º'"NSEWO]/i.test(text)) return undefined;
  const behind = BEHIND.exec(text);
  if (behind) return placeOf(angleOf(behind[5], behind.slice(1, 5)), angleOf(behind[10], behind.slice(6, 10)));
  const before = BEFORE.exec(text);
  return before ? placeOf(angleOf(before[1], before.slice(2, 6)), angleOf(before[6], before.slice(7, 11))) : undefined;
};

type Unsure = { readonly latitude: number | null; readonly longitude: number | null };
export const isPlaced = <S extends Unsure>(store: S): store is S & Place =>
  store.latitude !== null && store.longitude !== null;

/** Returns the location as text for the field. parsePlace can read this text. */
export const writtenPlace = (store: Unsure): string =>
  isPlaced(store) ? `${rounded(store.latitude)}, ${rounded(store.longitude)}` : '';

/** Returns the location in the form that the server expects. */
export const sentPlace = (written: string): Unsure => parsePlace(written) ?? { latitude: null, longitude: null };

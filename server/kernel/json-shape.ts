/**
 * Tells from its bytes how much a JSON text will be once it is parsed. A parser cannot be stopped on its way, and a
 * megabyte of commas or brackets takes it, and all that looks at what it made, a hundred times as long as a megabyte of
 * text.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** Stands for `{` and `[`, as `CLOSE` for `}` and `]`, once the bit that tells them apart is set. */
const OPEN = 0x7b;
const CLOSE = 0x7d;

export interface Shape {
  /** Counts lists, objects and what is in them. Of what is no JSON it is any number. */
  readonly values: number;
  /** Counts lists and objects within each other. */
  readonly depth: number;
}

export const shapeOf = (bytes: Uint8Array): Shape => {
  let values = 1;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    } else if (byte === COMMA) values++;
    else if ((byte | 0x20) === OPEN) {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if ((byte | 0x20) === CLOSE) depth--;
  }
  return { values, depth: deepest };
};

/** Returns what there is too much of, to follow a subject; undefined when there is nothing. */
export const crowdIn = (bytes: Uint8Array, most: Shape): string | undefined => {
  const { values, depth } = shapeOf(bytes);
  if (values > most.values) return `has more than ${most.values} values`;
  return depth > most.depth ? `is nested more than ${most.depth} deep` : undefined;
};

/**
 * How much a JSON text will be once it is parsed, told from its bytes: a megabyte of commas or brackets takes the parser, and all that
 * looks at what it made, a hundred times as long as one of text.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `{` and `[`, `}` and `]`, once the bit that tells them apart is set. */
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** What there is too much of, to follow a subject; undefined: nothing. @param most values: members and entries, all levels together */
export const crowdIn = (bytes: Buffer, most: { readonly values: number; readonly depth: number }): string | undefined => {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    } else if (byte === COMMA) values++;
    else if ((byte | 0x20) === OPEN) depth++;
    else if ((byte | 0x20) === CLOSE) depth--;
    else continue;
    if (values > most.values) return `has more than ${most.values} values`;
    if (depth > most.depth) return `is nested more than ${most.depth} deep`;
  }
  return undefined;
};

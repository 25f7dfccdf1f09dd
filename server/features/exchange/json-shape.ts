/** How much a JSON text will be once it is parsed, told from the text: a parser cannot be stopped on its way. */

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export interface Shape {
  /** Lists and objects within each other. */
  readonly depth: number;
  /** Lists, objects and what is in them; of what is no JSON any number. */
  readonly values: number;
}

export const shapeOf = (text: string): Shape => {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i);
        break;
      case COMMA:
        values++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values++;
        deepest = Math.max(deepest, ++depth);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
    }
  }
  return { depth: deepest, values };
};

const endOfString = (text: string, start: number): number => {
  let i = start + 1;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return i;
};

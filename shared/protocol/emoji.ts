/** Emoji in texts: detects texts with emoji, and lists the characters of the emoji font. */

const PICTURES = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\u20e3/u;

export const hasEmoji = (text: string): boolean => PICTURES.test(text);

/**
 * The characters as a CSS unicode-range. Digits are not included: the emoji font has digits for keycaps, but other
 * fonts should draw them.
 */
export const EMOJI_RANGE =
  'U+200D,U+203C,U+2049,U+20E3,U+2139,U+2194-21AA,U+231A-23FF,U+24C2,U+25AA-25FE,U+2600-27BF,U+2934-2935,U+2B05-2B55,U+3030,U+303D,U+3297,U+3299,U+FE0F,U+1F000-1FAFF,U+E0020-E007F';

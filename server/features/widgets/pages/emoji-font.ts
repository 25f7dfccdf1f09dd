/** Pictures among letters, which not every machine has in colour: one font for them, written into the pages that need it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const PICTURES = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\u20e3/u;
const RANGE =
  'U+200D,U+203C,U+2049,U+20E3,U+2139,U+2194-21AA,U+231A-23FF,U+24C2,U+25AA-25FE,U+2600-27BF,U+2934-2935,U+2B05-2B55,U+3030,U+303D,U+3297,U+3299,U+FE0F,U+1F000-1FAFF,U+E0020-E007F';

let rule: string | undefined;

/** A style rule; empty for a text without any, and where the package is missing. */
export function emojiFont(text: string): string {
  if (!PICTURES.test(text)) return '';
  try {
    const file = createRequire(import.meta.url).resolve('twemoji-colr-font/twemoji.woff2');
    rule ??= `@font-face{font-family:Twemoji;font-display:block;src:url(data:font/woff2;base64,${readFileSync(file).toString('base64')}) format('woff2');unicode-range:${RANGE}}`;
    return rule;
  } catch {
    return '';
  }
}

/** Font with colour emoji, for machines without one. The font is embedded in the pages that need it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EMOJI_RANGE, hasEmoji } from '../../../../shared/protocol/emoji.ts';

let rule: string | undefined;

/** Returns a style rule with the font. Returns an empty text when the page has no emoji or the package is missing. */
export function emojiFont(text: string): string {
  if (!hasEmoji(text)) return '';
  try {
    const file = createRequire(import.meta.url).resolve('twemoji-colr-font/twemoji.woff2');
    rule ??= `@font-face{font-family:Twemoji;font-display:block;src:url(data:font/woff2;base64,${readFileSync(file).toString('base64')}) format('woff2');unicode-range:${EMOJI_RANGE}}`;
    return rule;
  } catch {
    return '';
  }
}

/**
 * The font of emoji.css for pages in frames, which have no origin and cannot load files. Fetched when the first text
 * needs an emoji.
 */
import address from 'twemoji-colr-font/twemoji.woff2?url';
import { EMOJI_RANGE } from '../../../shared/protocol/emoji.ts';

let fetched: Promise<ArrayBuffer> | undefined;

/** Returns the font as a message for our own pages (server/features/widgets/pages/base.ts). */
export async function emojiMessage(): Promise<object> {
  fetched ??= fetch(address).then((answer) => {
    if (!answer.ok) throw new Error(`the font for emoji could not be loaded (status ${answer.status})`);
    return answer.arrayBuffer();
  });
  fetched.catch(() => (fetched = undefined));
  return { type: 'vitrine:font', family: 'Twemoji', range: EMOJI_RANGE, bytes: await fetched };
}

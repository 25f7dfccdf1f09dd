/**
 * The font of emoji.css for pages in frames, which have no origin and load nothing: fetched when the first text needs
 * it.
 */
import address from 'twemoji-colr-font/twemoji.woff2?url';
import { EMOJI_RANGE } from '../../shared/protocol/emoji.ts';

let fetched: Promise<ArrayBuffer> | undefined;

/** As a message that our own pages understand (server/features/widgets/pages/base.ts). */
export async function emojiMessage(): Promise<object> {
  fetched ??= fetch(address).then((answer) => {
    if (!answer.ok) throw new Error(`the font of emoji: ${answer.status}`);
    return answer.arrayBuffer();
  });
  fetched.catch(() => (fetched = undefined));
  return { type: 'vitrine:font', family: 'Twemoji', range: EMOJI_RANGE, bytes: await fetched };
}

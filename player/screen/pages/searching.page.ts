import { el } from '../dom.ts';
import type { ScreenState } from '../host.ts';
import type { Texts } from '../text.ts';
import { mark, wordmark } from './brand.ts';

type Searching = Extract<ScreenState, { phase: 'searching' }>;

/** More would not be read, and would push the hint off a small panel. */
const SERVERS_SHOWN = 4;

export function searchingPage({ servers, setup_url }: Searching, texts: Texts): Node[] {
  const beacon = el('div', 'beacon', el('i', ''), el('i', ''), el('i', ''), mark());
  const middle = el('section', 'middle', beacon, el('h1', '', texts.searchingTitle), el('p', 'hint', texts.searchingHint));
  if (servers.length > 0) {
    middle.append(el('ul', 'servers', ...servers.slice(0, SERVERS_SHOWN).map(({ name, url }) => el('li', '', el('b', '', name), el('span', '', host(url))))));
  }
  const foot = el('footer', 'foot');
  if (setup_url) foot.append(el('p', '', `${texts.setup} `, el('b', '', setup_url)));
  return [el('header', 'head', wordmark()), middle, foot];
}

const host = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

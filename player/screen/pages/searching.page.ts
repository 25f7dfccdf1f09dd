import { el } from '../dom.ts';
import type { ScreenState } from '../host/host.ts';
import type { Texts } from '../text.ts';
import { mark, wordmark } from './brand.ts';
import { serverList } from './server-list.ts';

type Searching = Extract<ScreenState, { phase: 'searching' }>;

export function searchingPage({ servers, setup_url }: Searching, texts: Texts): Node[] {
  const beacon = el('div', 'beacon', el('i', ''), el('i', ''), el('i', ''), mark());
  const middle = el(
    'section',
    'middle',
    beacon,
    el('h1', '', texts.searchingTitle),
    el('p', 'hint', texts.searchingHint),
  );
  if (servers.length > 0) middle.append(serverList(servers));
  const foot = el('footer', 'foot');
  if (setup_url) foot.append(el('p', '', `${texts.setup} `, el('b', '', setup_url)));
  return [el('header', 'head', wordmark()), middle, foot];
}

import { el } from '../dom.ts';

/** Maximum number of listed servers. More servers would push the other content off a small panel. */
const SERVERS_SHOWN = 4;

export const serverList = (servers: readonly { readonly name: string; readonly url: string }[]): HTMLElement =>
  el(
    'ul',
    'servers',
    ...servers
      .slice(0, SERVERS_SHOWN)
      .map(({ name, url }) => el('li', '', el('b', '', name), el('span', '', host(url)))),
  );

const host = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

import { el } from '../dom.ts';
import type { ScreenState } from '../host/host.ts';
import type { Texts } from '../text.ts';
import { wordmark } from './brand.ts';
import { codeBox } from './code-box.ts';
import { serverList } from './server-list.ts';

type Choosing = Extract<ScreenState, { phase: 'choosing' }>;

/** This page has no QR code: a link would lead to one of the servers, and the right server is unknown. */
export function choosingPage({ code, servers, device_name }: Choosing, texts: Texts): Node[] {
  // The code is empty if it was set at installation. Such a code is not shown.
  const claim =
    code === ''
      ? [el('h1', '', texts.storeTitle), el('p', 'hint', texts.storeStep)]
      : [el('h1', '', texts.choosingTitle), el('p', 'hint', texts.choosingStep), codeBox(code)];
  return [
    el('header', 'head', wordmark(), el('p', 'place', device_name)),
    el('section', 'middle', el('div', 'claim', ...claim), serverList(servers)),
    el('footer', 'foot', el('p', '', texts.choosingHint)),
  ];
}

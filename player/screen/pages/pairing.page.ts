import { el } from '../dom.ts';
import type { ScreenState } from '../host/host.ts';
import type { Texts } from '../text.ts';
import { wordmark } from './brand.ts';
import { codeBox } from './code-box.ts';

type Pairing = Extract<ScreenState, { phase: 'pairing' }>;

export function pairingPage({ code, server_name, fingerprint, claim_url, device_name }: Pairing, texts: Texts): Node[] {
  const card = el('figure', 'qr', el('div', 'qr-box'), el('figcaption', '', texts.scan));
  void drawQr(card, claim_url);

  return [
    el('header', 'head', wordmark(), el('p', 'place', device_name)),
    el(
      'section',
      'middle',
      el('div', 'claim', el('h1', '', texts.pairingTitle), el('p', 'hint', texts.pairingStep), codeBox(code)),
      card,
    ),
    el('footer', 'foot', fact(texts.server, server_name), fact(texts.fingerprint, shortFingerprint(fingerprint))),
  ];
}

const fact = (label: string, value: string): HTMLElement =>
  el('p', 'fact', el('span', 'label', label), el('span', 'value', value));

/**
 * Returns the first 16 digits of the fingerprint, enough for people to compare. The player pins the full fingerprint.
 */
export const shortFingerprint = (fingerprint: string): string =>
  (
    fingerprint
      .replace(/^sha256:?/i, '')
      .replace(/[^0-9a-z]/gi, '')
      .slice(0, 16)
      .toUpperCase()
      .match(/.{1,4}/g) ?? []
  ).join(' ');

/** Removes the card if the QR code cannot be drawn, because the text code alone is enough to pair. */
async function drawQr(card: HTMLElement, text: string): Promise<void> {
  try {
    const { qrSvg } = await import('./qr.ts');
    card.querySelector('.qr-box')?.replaceChildren(qrSvg(text));
  } catch {
    card.remove();
  }
}

/**
 * Permissions of a page in a frame by its origin. No page may open windows or dialogs, download, or replace the top
 * page.
 */
import type { ItemKind } from '../../../shared/program/program.ts';

/** Kind of page. `launch`: an address that an operator opened. `web`: a web page in a zone or in an overlay. */
export type FrameKind = Extract<ItemKind, 'web' | 'embed' | 'widget' | 'kiosk'> | 'launch';

const REFUSED = [
  'camera',
  'microphone',
  'geolocation',
  'display-capture',
  'midi',
  'usb',
  'serial',
  'hid',
  'bluetooth',
  'payment',
  'clipboard-read',
  'clipboard-write',
  'fullscreen',
  'screen-wake-lock',
  'web-share',
]
  .map((feature) => `${feature} 'none'`)
  .join('; ');

/** @param silent no sound may start automatically; silent media plays anyway */
export function refuse(frame: HTMLIFrameElement, kind: FrameKind, { silent }: { readonly silent: boolean }): void {
  frame.classList.add('frame', kind);
  const isForeign = kind === 'web' || kind === 'embed' || kind === 'launch';
  frame.allow = isForeign ? `${REFUSED}; autoplay ${silent ? "'none'" : '*'}; encrypted-media *` : REFUSED;
  // No referrer is sent, because our address contains the token of the host. Video sites refuse to play without any
  // referrer, so they receive the bare origin.
  frame.referrerPolicy = kind === 'embed' ? 'origin' : 'no-referrer';
  // A frame can get the focus only on a kiosk page or on a touch screen.
  frame.inert = kind !== 'kiosk' && !matchMedia('(any-pointer: coarse)').matches;
}

/**
 * Returns the sandbox tokens. A page keeps its own origin (its cookies and storage) unless that origin is this machine,
 * where the host listens.
 */
export function sandboxFor(kind: FrameKind, address: string, ownHost: string): string {
  if (kind === 'widget') return 'allow-scripts';
  // Forms are allowed, because a visitor may open a page with a form from a kiosk page.
  if (kind === 'kiosk') return 'allow-scripts allow-forms';
  const url = URL.canParse(address) ? new URL(address) : null;
  const foreign = url !== null && /^https?:$/.test(url.protocol) && !isThisMachine(url.hostname, ownHost);
  return foreign ? 'allow-scripts allow-forms allow-same-origin' : 'allow-scripts allow-forms';
}

const isThisMachine = (hostname: string, ownHost: string): boolean =>
  hostname === ownHost ||
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  /^127\.|^0\.|^\[::1?\]$|^\[::ffff:/.test(hostname);

/**
 * What a page in a frame may do, by where it comes from. Nothing may open windows or dialogs, download, or take the
 * page's place.
 */
import type { ItemKind } from '../../../shared/program/program.ts';

/** `launch`: an address that an operator opened; `web` is an overlay's page, too. */
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

/** @param silent no sound may begin by itself; what is seen without sound plays all the same */
export function refuse(frame: HTMLIFrameElement, kind: FrameKind, { silent }: { readonly silent: boolean }): void {
  frame.classList.add('frame', kind);
  const isForeign = kind === 'web' || kind === 'embed' || kind === 'launch';
  frame.allow = isForeign ? `${REFUSED}; autoplay ${silent ? "'none'" : '*'}; encrypted-media *` : REFUSED;
  // Our address holds the token of the host. Video sites refuse to play without any referrer, so they get the bare
  // origin.
  frame.referrerPolicy = kind === 'embed' ? 'origin' : 'no-referrer';
  // It can get the focus only where fingers are to reach it.
  frame.inert = kind !== 'kiosk' && !matchMedia('(any-pointer: coarse)').matches;
}

/**
 * Sandbox tokens. A page keeps its own origin (its cookies and storage) unless that origin is this machine, where the
 * host listens.
 */
export function sandboxFor(kind: FrameKind, address: string, ownHost: string): string {
  if (kind === 'widget') return 'allow-scripts';
  // A page that a visitor opens from a kiosk page may have a form.
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

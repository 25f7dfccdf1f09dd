/** Security headers of the screen server. */

const COMMON = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * Content security policy of the screen page: only its own code runs. Pictures, media and frames may come from the LAN
 * (overlays, web pages). Inline styles are allowed, because they position the zones.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: http: https:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-src 'self' http: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Policy of pages that are assets (widgets, kiosk pages) and of SVG: scripts run, but in an opaque origin that cannot
 * request anything from this server or the appliance. Data comes from the screen page by message.
 */
const ASSET_PAGE_POLICY = [
  'sandbox allow-scripts allow-forms',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob: http: https:',
  'media-src data: blob: http: https:',
  'font-src data:',
  'frame-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const POWERS_OFF =
  'camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), bluetooth=(), hid=(), midi=(), payment=(), clipboard-read=(), screen-wake-lock=(self), autoplay=*, fullscreen=*';

export const pageHeaders = (mime: string): Record<string, string> => ({
  ...COMMON,
  'Content-Type': mime,
  'Content-Security-Policy': PAGE_POLICY,
  'Permissions-Policy': POWERS_OFF,
  'Cache-Control': 'no-store',
});

/**
 * Headers of an asset. Never cached: the browser would store a second copy on disk, and would continue to show a file
 * that was damaged or replaced here. Sandboxed pages have no origin and load no assets from here, so the same-origin
 * policy above is sufficient.
 */
export function assetHeaders(sha256: string, mime: string): Record<string, string> {
  const active = /html|xml|svg/i.test(mime);
  return {
    ...COMMON,
    'Content-Type': mime,
    'Cache-Control': 'no-store',
    ETag: `"${sha256}"`,
    ...(active && { 'Content-Security-Policy': ASSET_PAGE_POLICY }),
  };
}

export const apiHeaders = (mime = 'application/json'): Record<string, string> => ({
  ...COMMON,
  'Content-Type': mime,
  'Cache-Control': 'no-store',
});

const MIMES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
};
export const mimeOf = (name: string): string => MIMES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

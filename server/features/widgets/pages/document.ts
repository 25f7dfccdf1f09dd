/**
 * Renders a page as a self-contained document: styles, script and font are embedded, and nothing is loaded. The policy
 * allows only the script with a known hash, which is the same for every page of a kind. Text of users is separate data,
 * so it can never become script.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DIST } from '../../../http/dist-folder.ts';
import { cssColor, isDark } from '../config-rules.ts';
import { emojiFont } from './emoji-font.ts';

/** Built files of a `*.page.ts` (build/pages.mjs). */
export interface PageKind {
  readonly style: string;
  readonly script: string;
  /** Script for a frame within the page. */
  readonly inner?: string;
  /** Whether the page opens other sites in frames. */
  readonly frames: boolean;
  /** Whether the player lends files to the page, which become `blob:` addresses. */
  readonly files?: boolean;
}

export interface PageContent {
  readonly kind: PageKind;
  readonly title: string;
  readonly locale: string | null;
  /** Theme: `light`, `dark`, or any other value for the browser's preference. */
  readonly theme: string;
  /**
   * Colours by name, including `background` and `color`. Each becomes a custom property; invalid colours are left out.
   */
  readonly colors: Readonly<Record<string, string>>;
  readonly settings: object;
  /** Current data. Absent in the page that players store, because this page must not change with the weather. */
  readonly live?: {
    readonly data: unknown;
    /** Time of rendering in epoch milliseconds. */
    readonly now: number;
    /** Seconds after which the page reloads; 0 = never. */
    readonly reload: number;
    /** Whether the page explains missing content. */
    readonly hints: boolean;
  };
}

const built = (file: string): string => readFileSync(join(DIST, 'pages', file), 'utf8').trimEnd();

/**
 * Embedded font with Latin characters only. Other scripts use fonts of the system, and so does Latin when the font
 * package is missing.
 */
const font = once(() => {
  try {
    const file = createRequire(import.meta.url).resolve(
      '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    );
    const range =
      'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2190-2193,U+2212,U+2215';
    return `@font-face{font-family:Inter;font-weight:100 900;font-display:block;src:url(data:font/woff2;base64,${readFileSync(file).toString('base64')}) format('woff2');unicode-range:${range}}`;
  } catch {
    return '';
  }
});

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** @param inner name of the page whose script runs in a frame within */
export const pageKind = (
  name: string,
  { inner, frames = false, files = false }: { inner?: string; frames?: boolean; files?: boolean } = {},
): (() => PageKind) =>
  once(() => ({
    style: built(`${name}.css`),
    script: scriptOf(name),
    ...(inner !== undefined && { inner: scriptOf(inner) }),
    frames,
    ...(files && { files }),
  }));

/** @throws Error when the script contains text that would end its element */
const scriptOf = (name: string): string => {
  const script = built(`${name}.js`);
  if (/<\/script|<!--/i.test(script))
    throw new Error(`The script of the page ${name} contains </script> or <!--, which a script must not contain`);
  return script;
};

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/**
 * Returns the content security policy of a page: no requests except pictures, and no script except the page's own
 * script.
 */
const policyOf = (kinds: readonly PageKind[], more: readonly string[] = []): string => {
  const scripts = [
    ...kinds.flatMap(({ script, inner }) => (inner === undefined ? [script] : [script, inner])),
    ...more,
  ].map(hashOf);
  const blob = kinds.some(({ files }) => files) ? 'blob: ' : '';
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    "style-src 'unsafe-inline'",
    `img-src data: ${blob}http: https:`,
    `media-src data: ${blob}http: https:`,
    'font-src data:',
    `frame-src ${kinds.some(({ frames }) => frames) ? 'http: https:' : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
};

/** Gives the page an origin of its own in any frame, so that it cannot call the API. */
export const pageHeaders = (policy: string): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `sandbox allow-scripts allow-forms; ${policy}`,
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy':
    'camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=(), midi=(), payment=(), clipboard-read=()',
  'Cache-Control': 'no-store',
});

export interface PageDocument {
  readonly html: string;
  readonly policy: string;
}

export const renderPage = ({ kind, title, locale, theme, colors, settings, live }: PageContent): PageDocument => {
  const policy = policyOf([kind]);
  const style = Object.entries(colors).flatMap(([name, value]) => {
    const safe = cssColor(value);
    return safe ? [`--${name.replaceAll('_', '-')}:${safe}`] : [];
  });
  const page = {
    settings,
    ...(live && { now: live.now, ...(live.reload > 0 && { reload: live.reload }), ...(live.hints && { hints: true }) }),
  };
  const html = [
    `<!doctype html>\n<html lang="${escapeHtml(locale ?? 'en')}" data-theme="${themeOf(theme, colors)}" style="${escapeHtml(style.join(';'))}">`,
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`,
    `<title>${escapeHtml(title)}</title><style id="font">${font()}${emojiFont(JSON.stringify([settings, live?.data]))}</style><style>${kind.style}</style></head>`,
    `<body><main id="stage"></main>${dataBlock('page', page)}${live?.data ? dataBlock('data', live.data) : ''}${kind.inner === undefined ? '' : dataBlock('inner', kind.inner)}`,
    `<script>${kind.script}</script></body></html>\n`,
  ].join('\n');
  return { html, policy };
};

/**
 * Renders an empty page that receives a whole page from its parent frame. An admin window with a strict content
 * security policy has no other way to show a page.
 */
export const renderPreviewFrame = (kinds: readonly PageKind[]): PageDocument => {
  const script = scriptOf('preview-frame');
  const policy = policyOf(kinds, [script]);
  return { html: `<!doctype html><meta charset="utf-8"><title>Preview</title><script>${script}</script>`, policy };
};

/**
 * Returns the theme that suits the background. When the background is unknown, returns the theme of the config or of
 * the browser.
 */
const themeOf = (theme: string, { background = '', color = '' }: PageContent['colors']): 'dark' | 'light' | 'auto' => {
  const wanted = theme === 'dark' || theme === 'light' ? theme : undefined;
  const given = cssColor(background);
  if (!given) return wanted ?? 'auto';
  const dark = isDark(given) ?? (isDark(color) === undefined ? undefined : !isDark(color));
  // A transparent background shows the area beneath the page, which is black on screens by default.
  return dark === undefined ? (wanted ?? 'dark') : dark ? 'dark' : 'light';
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** Writes data that is never executed. Without `<` the data cannot end its element. */
const dataBlock = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}</script>`;

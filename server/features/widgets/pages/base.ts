/**
 * Shared code of widget pages and kiosk pages. The pages run in a browser with an origin of their own. Their data is
 * inside the page, or comes by message from the parent frame.
 */
import type { WidgetSettings, WidgetType } from '../../../../shared/contract/content/widget-types.ts';
import type { WidgetData } from '../../../../shared/contract/content/widgets.ts';
import type { STILL_LOADING } from '../../../../shared/protocol/still-loading.ts';
import './base.css';

/** Reads JSON that document.ts wrote into the page. */
export const readJson = (id: string): unknown => JSON.parse(document.getElementById(id)?.textContent ?? 'null');

const page = readJson('page') as { settings: { locale?: string | null }; now?: number; reload?: number; hints?: true };
/** Returns the settings of the page, typed by the type of its widget. */
export const settingsOf = <T extends WidgetType>(): WidgetSettings<T> => page.settings as WidgetSettings<T>;
export const stage = document.getElementById('stage')!;

/** Milliseconds that the server's clock is ahead, if known. The clock of a player may be years off. */
let ahead = page.now ? page.now - Date.now() : 0;
/** Returns the time of the server in epoch milliseconds. */
export const now = (): number => Date.now() + ahead;
let zone: string | undefined;
/** Returns the screen's time zone, once the parent frame has sent it. */
export const deviceZone = (): string | undefined => zone;
const clockListeners: (() => void)[] = [];
/** Calls the listener when the clock or the zone may have changed. */
export const onClock = (listener: () => void): void => void clockListeners.push(listener);

const isThere = <T>(value: T): value is Exclude<T, null | undefined | ''> =>
  value !== null && value !== undefined && value !== '';

type Child = Node | string | null | undefined;
type Attribute = string | number | null | undefined;
interface Props {
  readonly [name: string]: Attribute | ((event: Event) => void) | Readonly<Record<string, string>>;
}

/** Creates an element. Strings only become text, never markup. */
export const el = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (typeof value === 'object')
      for (const [property, text] of Object.entries(value)) node.style.setProperty(property, text);
    else node.setAttribute(name, String(value));
  }
  node.append(...children.flat().filter(isThere));
  return node;
};

/** Name and attributes of a shape. */
export type Shape = readonly [string, Readonly<Record<string, string | number>>];
export const svg = (viewBox: string, shapes: readonly Shape[], props: Shape[1] = {}): SVGElement => {
  const make = ([tag, attributes]: Shape): SVGElement => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement;
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
    return node;
  };
  const drawing = make(['svg', { viewBox, 'aria-hidden': 'true', ...props }]);
  drawing.append(...shapes.map(make));
  return drawing;
};
/** Returns the SVG attributes of a shape that is drawn with lines. */
export const outline = (width: number): Shape[1] => ({
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': width,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
});

const languages = (): string[] => [page.settings.locale, navigator.language, 'en'].filter(isThere);
/** Returns the first language of the page for which texts exist; else English. */
export const languageOf = (texts: Readonly<Record<string, unknown>>): string =>
  languages()
    .map((tag) => tag.split('-')[0]!)
    .find((tag) => texts[tag]) ?? 'en';
/** @param make may throw for a language that the browser does not know */
export const format = <T>(make: (language: string) => T): T => {
  for (const language of languages()) {
    try {
      return make(language);
    } catch {
      // This language tag is invalid or unknown, so the next language is tried.
    }
  }
  return make('en');
};

const SPANS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
/** Formats an age like "5 min ago". */
export const relative = (epochSeconds: number): string => {
  const elapsed = epochSeconds - now() / 1000;
  const [unit, size] = SPANS.find(([, length]) => Math.abs(elapsed) >= length) ?? ['minute', 60];
  const words = format((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }));
  return words.format(Math.min(0, Math.round(elapsed / size)), unit);
};

/** Shows the age of the data when it is older than expected. */
export const ageNote = (fetchedAt: number | null, freshSeconds: number): void => {
  document.querySelector('.age')?.remove();
  if (!fetchedAt || now() / 1000 - fetchedAt < freshSeconds) return;
  const shapes: Shape[] = [
    ['circle', { cx: 12, cy: 12, r: 9 }],
    ['path', { d: 'M12 7v5l3.5 2' }],
  ];
  const icon = svg('0 0 24 24', shapes, {
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': 2,
    'stroke-linecap': 'round',
  });
  document.body.append(el('div', { class: 'age' }, icon, relative(fetchedAt)));
};

/** Reason why the page has nothing to show. Screens skip such a page. */
let missing: string | null = null;
const tellMissing = (): void => {
  if (parent !== window) parent.postMessage({ type: 'vitrine:shows', missing }, '*');
};

/** Hints about missing content, with their German texts. */
const HINTS = {
  'Nothing written yet': 'Noch kein Text',
  'No entries yet': 'Noch keine Einträge',
  'Enter the address of a page': 'Geben Sie die Adresse einer Seite ein',
  'Enter the address of a feed': 'Geben Sie die Adresse eines Feeds ein',
  'Waiting for the feed': 'Der Feed wird abgerufen',
  'The feed is empty': 'Der Feed ist leer',
  'Choose a location': 'Wählen Sie einen Ort',
  'Waiting for the first forecast': 'Die erste Vorhersage wird abgerufen',
} as const satisfies Readonly<Record<(typeof STILL_LOADING)[number], string>> & Readonly<Record<string, string>>;
const wording = (text: string): string =>
  languageOf({ en: true, de: true }) === 'de' ? (HINTS[text as keyof typeof HINTS] ?? text) : text;

/**
 * Reports that content is missing. People who open the page itself see a hint; screens never show it. `instead`: the
 * server's message about the source, when there is one.
 */
export const hint = (text: keyof typeof HINTS, instead?: string | null): void => {
  missing = instead ?? text;
  stage.replaceChildren(page.hints ? el('div', { class: 'hint' }, wording(missing)) : '');
  tellMissing();
};

/** Adds a font that a later text needs. `loadingdone` then redraws the page. */
const addFont = ({ family, range, bytes }: Message): void => {
  if (!(bytes instanceof ArrayBuffer) || [...document.fonts].some((face) => face.family === family)) return;
  document.fonts.add(new FontFace(String(family), bytes, { unicodeRange: String(range) }));
};

type Message = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
let listenToData = (_data: WidgetData): void => {};
addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source !== parent || !isObject(data)) return;
  if (typeof data['now'] === 'number' && Number.isFinite(data['now'])) ahead = data['now'] - Date.now();
  if (typeof data['timezone'] === 'string') zone = data['timezone'];
  if (data['type'] === 'vitrine:font') addFont(data);
  if (data['type'] === 'vitrine:data' && isObject(data['data'])) listenToData(data['data'] as WidgetData);
  for (const listener of clockListeners) listener();
});
/** Calls the listener with the current data (null while there is no data), and again on each change. */
export const onData = (listener: (data: WidgetData | null) => void): void => {
  let last = '';
  const draw = (data: WidgetData | null) => {
    missing = null;
    listener(data);
    if (missing === null) tellMissing();
  };
  listenToData = (data) => {
    const text = JSON.stringify(data);
    if (text === last) return;
    last = text;
    draw(data);
  };
  const given = readJson('data') as WidgetData | null;
  if (given) listenToData(given);
  else draw(null);
  if (parent !== window) parent.postMessage({ type: 'vitrine:ready' }, '*');
};

export const onResize = (listener: () => void): void => {
  let frame = 0;
  addEventListener('resize', () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(listener);
  });
  // The font is embedded in the page, but the browser decodes it only after the first layout. Then the listener runs.
  document.fonts.addEventListener('loadingdone', listener);
};

/** Calls the listener each second, just after the second has begun. */
export const everySecond = (listener: () => void): void => {
  const tick = () => {
    listener();
    setTimeout(tick, 1000 - (now() % 1000) + 5);
  };
  tick();
};

interface Band {
  readonly vertical?: boolean;
  readonly pixelsPerSecond: number;
  /** Width (or height) of the visible part in pixels. */
  readonly room: number;
}
/**
 * Runs an endless band: `make` builds one copy of the content, which is repeated as often as needed. The position
 * depends on the clock, so that neighbouring screens are in step, and a restarted screen continues at the right
 * position.
 */
export const runBand = (
  track: HTMLElement,
  make: () => HTMLElement,
  { vertical = false, pixelsPerSecond, room }: Band,
): void => {
  for (const old of track.getAnimations()) old.cancel();
  const first = make();
  track.replaceChildren(first);
  const length = vertical ? first.offsetHeight : first.offsetWidth;
  if (length === 0 || pixelsPerSecond <= 0) return;
  const copies = Math.ceil(room / length);
  for (let i = 0; i < copies; i++) {
    const copy = make();
    copy.setAttribute('aria-hidden', 'true');
    track.append(copy);
  }
  const duration = (length / pixelsPerSecond) * 1000;
  const to = vertical ? `translate3d(0, ${-length}px, 0)` : `translate3d(${-length}px, 0, 0)`;
  const run = track.animate([{ transform: 'translate3d(0, 0, 0)' }, { transform: to }], {
    duration,
    iterations: Infinity,
  });
  run.currentTime = now() % duration;
};

export const isStrip = (): boolean => innerWidth / innerHeight > 3;
export const isUpright = (): boolean => innerHeight > innerWidth;

// Reloads a page that was opened by its own address, because it gets no messages from a parent frame.
if (page.reload) {
  setInterval(() => {
    if (navigator.onLine) location.reload();
  }, page.reload * 1000);
}

// Uses the browser's preferred theme when the page has no theme.
const root = document.documentElement;
if (root.dataset['theme'] === 'auto') {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => {
    root.dataset['theme'] = dark.matches ? 'dark' : 'light';
  };
  dark.addEventListener('change', follow);
  follow();
}

/**
 * Returns the address of a picture in the config, as a data URL when the server fetched the picture; null when the
 * picture is not available.
 */
export const pictureOf = (data: WidgetData | null, url: string): string | null => {
  const source = data?.pictures?.[url] ?? url;
  return source === '' || source.startsWith('/') ? null : source;
};
export const logo = (data: WidgetData | null, url: string): HTMLElement | null => {
  const source = pictureOf(data, url);
  return source
    ? el('img', { class: 'logo', src: source, alt: '', onerror: ({ target }) => (target as HTMLElement).remove() })
    : null;
};
/** Converts a size from the settings, in pixels of a 1080-line screen, to CSS. */
export const pixels = (size: number): string => `calc(var(--u) * ${size})`;

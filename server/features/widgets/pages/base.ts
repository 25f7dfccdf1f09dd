/**
 * Shared code of widget and kiosk pages. These run in a browser in an opaque origin: their content is inside the page,
 * or arrives as a message from the parent frame.
 */
import type { WidgetSettings, WidgetType } from '../../../../shared/contract/widget-types.ts';
import type { WidgetData } from '../../../../shared/contract/widgets.ts';
import type { STILL_LOADING } from '../../../../shared/protocol/still-loading.ts';
import './base.css';

/** Reads JSON that document.ts wrote into the page. */
export const readJson = (id: string): unknown => JSON.parse(document.getElementById(id)?.textContent ?? 'null');

const page = readJson('page') as { settings: { locale?: string | null }; now?: number; reload?: number; hints?: true };
/** Settings of the page, typed by its widget type. */
export const settingsOf = <T extends WidgetType>(): WidgetSettings<T> => page.settings as WidgetSettings<T>;
export const stage = document.getElementById('stage')!;

/** Offset to the server's clock, if known: the clock of a player may be years off. */
let ahead = page.now ? page.now - Date.now() : 0;
/** Epoch milliseconds. */
export const now = (): number => Date.now() + ahead;
let zone: string | undefined;
/** The time zone of the screen, once its frame has sent it. */
export const deviceZone = (): string | undefined => zone;
const clockListeners: (() => void)[] = [];
/** Calls back when the clock or the zone may have changed. */
export const onClock = (listener: () => void): void => void clockListeners.push(listener);

const isThere = <T>(value: T): value is Exclude<T, null | undefined | ''> =>
  value !== null && value !== undefined && value !== '';

type Child = Node | string | null | undefined;
type Attribute = string | number | null | undefined;
interface Props {
  readonly [name: string]: Attribute | ((event: Event) => void) | Readonly<Record<string, string>>;
}

/** Creates an element. Strings always become text, never markup. */
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

/** A shape: its name and its attributes. */
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
/** Attributes of a line drawing. */
export const outline = (width: number): Shape[1] => ({
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': width,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
});

const languages = (): string[] => [page.settings.locale, navigator.language, 'en'].filter(isThere);
/** Returns the first language of the page with texts, or English. */
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
      // Try the next language.
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
/** Returns for example "5 min ago". */
export const relative = (epochSeconds: number): string => {
  const elapsed = epochSeconds - now() / 1000;
  const [unit, size] = SPANS.find(([, length]) => Math.abs(elapsed) >= length) ?? ['minute', 60];
  const words = format((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }));
  return words.format(Math.min(0, Math.round(elapsed / size)), unit);
};

/** Shows the age of the data when it is older than `freshSeconds`. */
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

/** Why there is nothing to show; a screen skips such a page. */
let missing: string | null = null;
const tellMissing = (): void => {
  if (parent !== window) parent.postMessage({ type: 'vitrine:shows', missing }, '*');
};

/** Hints of pages, and their German. */
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
 * Shows a hint, but only on pages that people view directly; screens show nothing but content.
 * @param instead the server's error about the source, if any
 */
export const hint = (text: keyof typeof HINTS, instead?: string | null): void => {
  missing = instead ?? text;
  stage.replaceChildren(page.hints ? el('div', { class: 'hint' }, wording(missing)) : '');
  tellMissing();
};

/** Adds a font that a later text needs; `loadingdone` draws again. */
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
/** Calls back with the current data (null: none yet), and with each change. */
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
  // The font is inside the page, but decoded after the first layout.
  document.fonts.addEventListener('loadingdone', listener);
};

/** Calls back once per second, just after the second began. */
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
  /** Visible length in pixels. */
  readonly room: number;
}
/**
 * Runs an endless band of repeated runs that `make` builds. Its position follows from the clock, so adjacent screens
 * stay in step, and a restarted screen continues in place.
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

// A page opened by its address receives no messages, so it reloads itself.
if (page.reload) {
  setInterval(() => {
    if (navigator.onLine) location.reload();
  }, page.reload * 1000);
}

// Without a fixed theme, the preference of the browser applies.
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
 * Returns the address of a picture in the config: its embedded data if the server fetched it.
 * @returns null: not available to the page
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
/** A chosen size, in pixels of a 1080-line screen. */
export const pixels = (size: number): string => `calc(var(--u) * ${size})`;

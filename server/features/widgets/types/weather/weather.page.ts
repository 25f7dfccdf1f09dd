import type { WidgetData } from '../../../../../shared/contract/content/widgets.ts';
import {
  ageNote,
  el,
  format,
  hint,
  languageOf,
  onData,
  outline,
  type Shape,
  settingsOf,
  stage,
  svg,
} from '../../pages/base.ts';
import { type Sky, texts } from './texts.ts';
import './weather.css';

const settings = settingsOf<'weather'>();
/** Seconds after which the page shows the age of the forecast. */
const FRESH = 2 * 3600;
/** Minimum chance of rain that is shown, in percent. */
const WET = 10;
type Weather = NonNullable<WidgetData['weather']>;

// Icons of Vitrine, drawn in a square of 64 × 64.
const SUN = '#ffd166';
const MOON = '#f4e9c8';
const line = (x1: number, y1: number, x2: number, y2: number, stroke: string, width: number): Shape => [
  'line',
  { x1, y1, x2, y2, stroke, 'stroke-width': width, 'stroke-linecap': 'round' },
];
const sun = (cx: number, cy: number, r: number): Shape[] => [
  ['circle', { cx, cy, r, fill: SUN }],
  ...Array.from({ length: 8 }, (_, i) => {
    const [x, y] = [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)];
    return line(cx + x * (r + 4), cy + y * (r + 4), cx + x * (r + 8.5), cy + y * (r + 8.5), SUN, 3.2);
  }),
];
const moon = (x: number, y: number, k: number): Shape[] => [
  [
    'path',
    {
      transform: `translate(${x} ${y}) scale(${k})`,
      d: 'M22 14.5A10.5 10.5 0 1 1 11.5 2a8.4 8.4 0 0 0 10.5 12.5Z',
      fill: MOON,
    },
  ],
];
const cloud = (x: number, y: number, k: number, fill = '#fff', opacity = 1): Shape[] => [
  [
    'path',
    {
      transform: `translate(${x} ${y}) scale(${k})`,
      d: 'M14 34a10 10 0 0 1-1-19.95A14 14 0 0 1 39.6 12 11 11 0 0 1 41 34Z',
      fill,
      opacity,
    },
  ],
];
const drops = (tilt: number, n = 3): Shape[] =>
  Array.from({ length: n }, (_, i) => line(23 + i * 9, 46, 23 + i * 9 - tilt, 56, '#8fd0ff', 3.4));
const flakes = (): Shape[] =>
  [
    [23, 49],
    [32, 55],
    [41, 49],
  ].map(([cx, cy]) => ['circle', { cx: cx!, cy: cy!, r: 2.6, fill: '#fff' }]);
const veils = (): Shape[] =>
  [46, 52, 58].map((y, i) => {
    const [tag, attributes] = line(14 + i * 3, y, 50 - i * 3, y, '#e6ecf2', 3.2);
    return [tag, { ...attributes, opacity: 0.9 }];
  });

/** Groups of WMO codes 0–99 with the same meaning, each by its highest code. */
const CODES: readonly (readonly [number, Sky])[] = [
  [0, 'clear'],
  [2, 'partly'],
  [3, 'cloudy'],
  [48, 'fog'],
  [57, 'drizzle'],
  [67, 'rain'],
  [77, 'snow'],
  [82, 'rain'],
  [86, 'snow'],
];
const skyOf = (code: number): Sky => CODES.find(([last]) => code <= last)?.[1] ?? 'storm';

const drawings: Readonly<Record<Sky, (day: boolean) => Shape[]>> = {
  clear: (day) => (day ? sun(32, 32, 13.5) : moon(11, 11, 1.75)),
  partly: (day) => [...(day ? sun(42, 23, 10) : moon(26, 4, 1.25)), ...cloud(5, 20, 0.95)],
  cloudy: () => [...cloud(20, 8, 0.78, '#dfe7ef', 0.75), ...cloud(4, 18, 0.98)],
  fog: () => [...cloud(7, 4, 0.95, '#fff', 0.95), ...veils()],
  drizzle: () => [...cloud(6, 6, 0.98), ...drops(1.5, 2)],
  rain: () => [...cloud(6, 6, 0.98), ...drops(3.5)],
  snow: () => [...cloud(6, 6, 0.98), ...flakes()],
  storm: () => [...cloud(6, 4, 0.98, '#e8ebf3'), ['path', { d: 'M33 36 25 49h6.5L28 60l12-15h-7l4-9Z', fill: SUN }]],
};
/** CSS class of the background (weather.css). */
const BACKGROUNDS: Readonly<Record<Sky, string>> = {
  clear: '',
  partly: '',
  cloudy: 'cloud',
  fog: 'cloud',
  drizzle: 'rain',
  rain: 'rain',
  snow: 'snow',
  storm: 'storm',
};
const icon = (code: number, day: boolean, props = {}) => svg('0 0 64 64', drawings[skyOf(code)](day), props);

/** All texts use a single language, so that weekdays and other words match. */
const language = languageOf(texts);
const words = texts[language]!;

const degrees = (value: number): string => `${Math.round(value).toString().replace('-', '−').replace('−0', '0')}°`;
const fact = (d: string, value: number | null, write: (value: number) => string) =>
  value === null ? null : el('span', {}, svg('0 0 24 24', [['path', { d }]], outline(2)), write(value));
const FEELS = 'M14 14.8V5a2.5 2.5 0 0 0-5 0v9.8a4.5 4.5 0 1 0 5 0Z';
const DROP = 'M12 3.5s6.5 6.6 6.5 11a6.5 6.5 0 0 1-13 0c0-4.4 6.5-11 6.5-11Z';
const WIND = 'M3 9h11.5a2.8 2.8 0 1 0-2.7-3.5M3 14h15.5a2.8 2.8 0 1 1-2.7 3.5M3 19h6';

const weekday = (date: string): string =>
  format(
    (tag) => new Intl.DateTimeFormat(settings.locale ? tag : language, { weekday: 'short', timeZone: 'UTC' }),
  ).format(new Date(`${date}T12:00:00Z`));
const dayOf = ({ date, code, min, max, rain }: Weather['days'][number], i: number) =>
  el(
    'div',
    { class: 'day' },
    el('div', { class: 'name' }, i === 0 ? words.today : weekday(date)),
    icon(code, true),
    el('div', { class: 'wet' }, rain !== null && rain >= WET ? `${Math.round(rain)} %` : ''),
    el('div', { class: 'range' }, el('b', {}, degrees(max)), el('i', {}, degrees(min))),
  );

const draw = ({ current, units, place, days }: Weather) => {
  const sky = skyOf(current.code);
  const name = settings.location || place;
  const about = el(
    'div',
    { class: 'about' },
    settings.show_location && name ? el('div', { class: 'place' }, name.split(',')[0]) : null,
    el('div', { class: 'degrees' }, degrees(current.temperature)),
    el('div', { class: 'words' }, words[sky]),
    el('div', { class: 'facts' }, [
      fact(FEELS, current.feels_like, degrees),
      fact(DROP, current.humidity, (percent) => `${Math.round(percent)} %`),
      fact(WIND, current.wind, (speed) => `${Math.round(speed)} ${units === 'imperial' ? 'mph' : 'km/h'}`),
    ]),
  );
  const shown = days.slice(0, settings.days).map(dayOf);
  stage.replaceChildren(
    el(
      'div',
      {
        class: `weather ${BACKGROUNDS[sky]} ${current.is_day ? '' : 'night'}`,
        style: { '--scale': settings.font_size ? `calc(${settings.font_size} / 300)` : '1' },
      },
      el('div', { class: 'now' }, about, icon(current.code, current.is_day, { class: 'sky-icon' })),
      shown.length > 0 ? el('div', { class: `days ${shown.length > 5 ? 'many' : ''}` }, shown) : null,
    ),
  );
};

let latest: WidgetData | null = null;
const show = () => {
  if (latest?.weather) {
    draw(latest.weather);
    ageNote(latest.fetched_at, FRESH);
    return;
  }
  const isPlaced = settings.location || settings.latitude !== null;
  hint(isPlaced ? 'Waiting for the first forecast' : 'Choose a location', latest?.error);
};
onData((data) => {
  latest = data;
  show();
});
setInterval(show, 5 * 60_000);

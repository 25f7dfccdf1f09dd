/* Icons of our own, 64 × 64, by what the sky does (WMO codes 0–99). */
const SUN = '#ffd166';
const MOON = '#f4e9c8';
const sun = (cx, cy, r) => [
  ['circle', { cx, cy, r, fill: SUN }],
  ...Array.from({ length: 8 }, (_, i) => {
    const a = (i * Math.PI) / 4;
    const [x, y] = [Math.cos(a), Math.sin(a)];
    return ['line', { x1: cx + x * (r + 4), y1: cy + y * (r + 4), x2: cx + x * (r + 8.5), y2: cy + y * (r + 8.5), stroke: SUN, 'stroke-width': 3.2, 'stroke-linecap': 'round' }];
  }),
];
const moon = (x, y, k) => [['path', { transform: `translate(${x} ${y}) scale(${k})`, d: 'M22 14.5A10.5 10.5 0 1 1 11.5 2a8.4 8.4 0 0 0 10.5 12.5Z', fill: MOON }]];
const cloud = (x, y, k, fill = '#fff', opacity = 1) => [
  ['path', { transform: `translate(${x} ${y}) scale(${k})`, d: 'M14 34a10 10 0 0 1-1-19.95A14 14 0 0 1 39.6 12 11 11 0 0 1 41 34Z', fill, opacity }],
];
const drops = (tilt, n = 3) =>
  Array.from({ length: n }, (_, i) => ['line', { x1: 23 + i * 9, y1: 46, x2: 23 + i * 9 - tilt, y2: 56, stroke: '#8fd0ff', 'stroke-width': 3.4, 'stroke-linecap': 'round' }]);
const flakes = () =>
  [
    [23, 49],
    [32, 55],
    [41, 49],
  ].map(([cx, cy]) => ['circle', { cx, cy, r: 2.6, fill: '#fff' }]);
const lines = () =>
  [46, 52, 58].map((y, i) => ['line', { x1: 14 + i * 3, y1: y, x2: 50 - i * 3, y2: y, stroke: '#e6ecf2', 'stroke-width': 3.2, 'stroke-linecap': 'round', opacity: 0.9 }]);

const kindOf = (code) => {
  if (code === 0) return 'clear';
  if (code <= 2) return 'partly';
  if (code === 3) return 'cloudy';
  if (code <= 48) return 'fog';
  if (code <= 57) return 'drizzle';
  if (code <= 67) return 'rain';
  if (code <= 77) return 'snow';
  if (code <= 82) return 'rain';
  if (code <= 86) return 'snow';
  return 'storm';
};
const drawings = {
  clear: (day) => (day ? sun(32, 32, 13.5) : moon(11, 11, 1.75)),
  partly: (day) => [...(day ? sun(42, 23, 10) : moon(26, 4, 1.25)), ...cloud(5, 20, 0.95)],
  cloudy: () => [...cloud(20, 8, 0.78, '#dfe7ef', 0.75), ...cloud(4, 18, 0.98)],
  fog: () => [...cloud(7, 4, 0.95, '#fff', 0.95), ...lines()],
  drizzle: () => [...cloud(6, 6, 0.98), ...drops(1.5, 2)],
  rain: () => [...cloud(6, 6, 0.98), ...drops(3.5)],
  snow: () => [...cloud(6, 6, 0.98), ...flakes()],
  storm: () => [...cloud(6, 4, 0.98, '#e8ebf3'), ['path', { d: 'M33 36 25 49h6.5L28 60l12-15h-7l4-9Z', fill: SUN }]],
};
const icon = (code, day, props = {}) => svg('0 0 64 64', drawings[kindOf(code)](day), props);

const WORDS = {
  en: ['Clear', 'Partly cloudy', 'Cloudy', 'Fog', 'Drizzle', 'Rain', 'Snow', 'Thunderstorm', 'Today'],
  de: ['Klar', 'Leicht bewölkt', 'Bewölkt', 'Nebel', 'Nieselregen', 'Regen', 'Schnee', 'Gewitter', 'Heute'],
  fr: ['Dégagé', 'Éclaircies', 'Nuageux', 'Brouillard', 'Bruine', 'Pluie', 'Neige', 'Orage', 'Aujourd’hui'],
  es: ['Despejado', 'Parcialmente nublado', 'Nublado', 'Niebla', 'Llovizna', 'Lluvia', 'Nieve', 'Tormenta', 'Hoy'],
  it: ['Sereno', 'Poco nuvoloso', 'Nuvoloso', 'Nebbia', 'Pioviggine', 'Pioggia', 'Neve', 'Temporale', 'Oggi'],
  nl: ['Helder', 'Half bewolkt', 'Bewolkt', 'Mist', 'Motregen', 'Regen', 'Sneeuw', 'Onweer', 'Vandaag'],
  pt: ['Céu limpo', 'Parcialmente nublado', 'Nublado', 'Nevoeiro', 'Chuvisco', 'Chuva', 'Neve', 'Trovoada', 'Hoje'],
  pl: ['Bezchmurnie', 'Częściowe zachmurzenie', 'Pochmurno', 'Mgła', 'Mżawka', 'Deszcz', 'Śnieg', 'Burza', 'Dziś'],
};
const KINDS = ['clear', 'partly', 'cloudy', 'fog', 'drizzle', 'rain', 'snow', 'storm'];
/* One language for all of it: a weekday in Czech beside English words is none. */
const language = () =>
  languages()
    .map((tag) => tag.split('-')[0])
    .find((tag) => WORDS[tag]) ?? 'en';
const words = (i) => WORDS[language()][i];

const degrees = (value) => `${Math.round(value).toString().replace('-', '−').replace('−0', '0')}°`;
const fact = (d, text) =>
  el('span', {}, svg('0 0 24 24', [['path', { d }]], { fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }), text);
const FEELS = 'M14 14.8V5a2.5 2.5 0 0 0-5 0v9.8a4.5 4.5 0 1 0 5 0Z';
const DROP = 'M12 3.5s6.5 6.6 6.5 11a6.5 6.5 0 0 1-13 0c0-4.4 6.5-11 6.5-11Z';
const WIND = 'M3 9h11.5a2.8 2.8 0 1 0-2.7-3.5M3 14h15.5a2.8 2.8 0 1 1-2.7 3.5M3 19h6';

const dayName = (date, i, today) => {
  if (i === 0 && date === today) return words(8);
  const at = new Date(`${date}T12:00:00Z`);
  return format((tag) => new Intl.DateTimeFormat(settings.locale ? tag : language(), { weekday: 'short', timeZone: 'UTC' })).format(at);
};
const sky = (code, day) => {
  const kind = kindOf(code);
  const group = { clear: '', partly: '', cloudy: 'cloud', fog: 'cloud', drizzle: 'rain', rain: 'rain', snow: 'snow', storm: 'storm' }[kind];
  return `weather ${group} ${day ? '' : 'night'}`;
};

const draw = ({ weather }) => {
  const { current, units } = weather;
  const facts = [
    current.feels_like === null ? null : fact(FEELS, degrees(current.feels_like)),
    current.humidity === null ? null : fact(DROP, `${Math.round(current.humidity)} %`),
    current.wind === null ? null : fact(WIND, `${Math.round(current.wind)} ${units === 'imperial' ? 'mph' : 'km/h'}`),
  ];
  const about = el(
    'div',
    { class: 'about' },
    settings.show_location && (settings.location || weather.place) ? el('div', { class: 'place' }, (settings.location || weather.place).split(',')[0]) : null,
    el('div', { class: 'degrees' }, degrees(current.temperature)),
    el('div', { class: 'words' }, words(KINDS.indexOf(kindOf(current.code)))),
    el('div', { class: 'facts' }, facts),
  );
  const today = weather.days[0]?.date;
  const days = weather.days
    .slice(0, settings.days)
    .map((day, i) =>
      el(
        'div',
        { class: 'day' },
        el('div', { class: 'name' }, dayName(day.date, i, today)),
        icon(day.code, true),
        el('div', { class: 'wet' }, day.rain >= 10 ? `${Math.round(day.rain)} %` : ''),
        el('div', { class: 'range' }, el('b', {}, degrees(day.max)), el('i', {}, degrees(day.min))),
      ),
    );
  const scale = settings.font_size ? `calc(${settings.font_size} / 300)` : '1';
  stage.replaceChildren(
    el(
      'div',
      { class: sky(current.code, current.is_day), style: { '--scale': scale } },
      el('div', { class: 'now' }, about, icon(current.code, current.is_day, { class: 'sky-icon' })),
      days.length > 0 ? el('div', { class: `days ${days.length > 5 ? 'many' : ''}` }, days) : null,
    ),
  );
};

let latest = null;
const show = () => {
  if (!latest?.weather) {
    hint(latest?.error ?? (settings.location || settings.latitude !== null ? 'Waiting for the first forecast' : 'Choose a location'));
    return;
  }
  draw(latest);
  ageNote(latest.fetched_at, 2 * 3600);
};
onData((data) => {
  latest = data;
  show();
});
setInterval(show, 5 * 60_000);

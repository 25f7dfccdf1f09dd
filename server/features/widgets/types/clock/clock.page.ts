import {
  deviceZone,
  el,
  everySecond,
  format,
  isStrip,
  now,
  onClock,
  onResize,
  pixels,
  settingsOf,
  stage,
} from '../../pages/base.ts';
import './clock.css';

const settings = settingsOf<'clock'>();
const HOURS = { '12h': { hour: 'numeric', hour12: true }, '24h': { hour: '2-digit', hourCycle: 'h23' } } as const;
const DATES = {
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  medium: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  short: { day: '2-digit', month: '2-digit', year: 'numeric' },
} as const;

const time = el('div', { class: 'time', role: 'timer' });
const date = el('div', { class: 'date' });
const face = el('div', { class: `face ${settings.date_position}` }, time, settings.show_date ? date : null);
stage.append(el('div', { class: 'clock' }, face));
if (settings.date_font_size) date.style.fontSize = pixels(settings.date_font_size);

const makeFormats = (zone: string | undefined) => {
  const timeZone = zone ? { timeZone: zone } : {};
  const second = settings.show_seconds ? ({ second: '2-digit' } as const) : {};
  const hour = settings.format ? HOURS[settings.format] : ({ hour: 'numeric' } as const);
  return {
    zone,
    time: format(
      (language) => new Intl.DateTimeFormat(language, { ...hour, minute: '2-digit', ...second, ...timeZone }),
    ),
    date: format((language) => new Intl.DateTimeFormat(language, { ...DATES[settings.date_format], ...timeZone })),
  };
};
const zoneNow = () => settings.timezone ?? deviceZone();
let formats = makeFormats(zoneNow());

const setTime = (at: Date) => {
  const parts = formats.time.formatToParts(at);
  const second = parts.findIndex(({ type }) => type === 'second');
  const spans = parts.map(({ type, value }, i) =>
    el('span', { class: i === second - 1 ? 'literal second-mark' : type }, value.trim()),
  );
  time.replaceChildren(...spans.filter((span) => span.textContent !== ''));
};

/** Draws the date. When the date is beside the time, the weekday is above the rest. */
const setDate = (at: Date) => {
  const [first, ...others] = formats.date.formatToParts(at);
  if (first?.type !== 'weekday' || (settings.date_position !== 'left' && settings.date_position !== 'right')) {
    date.textContent = formats.date.format(at);
    return;
  }
  const rest = others
    .map(({ value }) => value)
    .join('')
    .replace(/^[\s,.]+/, '');
  date.replaceChildren(el('b', {}, first.value), rest);
};

/**
 * Sets the largest letter size that leaves a margin. A single layout pass is enough, because text grows in proportion.
 */
const fit = () => {
  const [width, height] = isStrip() ? [0.94, 0.8] : [0.8, 0.72];
  face.style.fontSize = '100px';
  const size = Math.min(
    (100 * stage.clientWidth * width) / Math.max(1, face.scrollWidth),
    (100 * stage.clientHeight * height) / Math.max(1, face.scrollHeight),
    innerHeight * 0.56,
  );
  face.style.fontSize = `${size}px`;
  // A date with its own size does not grow in proportion, so the size is corrected by the real width.
  const excess = face.scrollWidth / (stage.clientWidth * 0.95);
  if (excess > 1) face.style.fontSize = `${size / excess}px`;
};

const arrange = () => {
  if (!settings.font_size) return fit();
  face.style.fontSize = pixels(settings.font_size);
  const excess = Math.max(
    face.scrollWidth / (stage.clientWidth * 0.96),
    face.scrollHeight / (stage.clientHeight * 0.96),
  );
  face.style.scale = excess > 1 ? String(1 / excess) : '1';
};

let shape = '';
const show = () => {
  if (formats.zone !== zoneNow()) formats = makeFormats(zoneNow());
  const at = new Date(now());
  setTime(at);
  setDate(at);
  const next = `${time.textContent.length} ${date.textContent}`;
  if (next === shape) return;
  shape = next;
  arrange();
};
onClock(show);
onResize(() => {
  shape = '';
  show();
});
everySecond(show);

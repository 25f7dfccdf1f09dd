const zoneOf = () => settings.timezone ?? deviceZone;
const hourStyle = settings.format === '12h' ? { hour: 'numeric', hour12: true } : settings.format === '24h' ? { hour: '2-digit', hourCycle: 'h23' } : { hour: 'numeric' };
const dateStyle = {
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  medium: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  short: { day: '2-digit', month: '2-digit', year: 'numeric' },
}[settings.date_format];

const time = el('div', { class: 'time', role: 'timer' });
const date = el('div', { class: 'date' });
const face = el('div', { class: `face ${settings.date_position}` }, time, settings.show_date ? date : null);
stage.append(el('div', { class: 'clock' }, face));
if (settings.date_font_size) date.style.fontSize = `calc(var(--u) * ${settings.date_font_size})`;

let timeFormat;
let dateFormat;
let zone;
const prepare = () => {
  zone = zoneOf();
  const timeZone = zone ? { timeZone: zone } : {};
  timeFormat = format((language) => new Intl.DateTimeFormat(language, { ...hourStyle, minute: '2-digit', ...(settings.show_seconds && { second: '2-digit' }), ...timeZone }));
  dateFormat = format((language) => new Intl.DateTimeFormat(language, { ...dateStyle, ...timeZone }));
};

const setTime = (at) => {
  const parts = timeFormat.formatToParts(at);
  const second = parts.findIndex(({ type }) => type === 'second');
  time.replaceChildren(
    ...parts.flatMap(({ type, value }, i) => (value.trim() === '' ? [] : [el('span', { class: i === second - 1 ? 'literal second-mark' : type }, value.trim())])),
  );
};

/* Beside the time, the weekday stands above the rest. */
const setDate = (at) => {
  const parts = dateFormat.formatToParts(at);
  const weekday = parts.findIndex(({ type }) => type === 'weekday');
  if (weekday !== 0 || (settings.date_position !== 'left' && settings.date_position !== 'right')) {
    date.textContent = dateFormat.format(at);
    return;
  }
  const rest = parts
    .slice(1)
    .map(({ value }) => value)
    .join('')
    .replace(/^[\s,.]+/, '');
  date.replaceChildren(el('b', {}, parts[0].value), rest);
};

let shape = '';
const arrange = () => {
  if (!settings.font_size) {
    fitFont(face, stage, { width: isStrip() ? 0.94 : 0.8, height: isStrip() ? 0.8 : 0.72, most: innerHeight * 0.56 });
    /* A date in its own size does not grow in proportion: once more with what it really takes. */
    if (face.scrollWidth > stage.clientWidth * 0.95) face.style.fontSize = `${(parseFloat(face.style.fontSize) * stage.clientWidth * 0.95) / face.scrollWidth}px`;
    return;
  }
  face.style.fontSize = `calc(var(--u) * ${settings.font_size})`;
  const excess = Math.max(face.scrollWidth / (stage.clientWidth * 0.96), face.scrollHeight / (stage.clientHeight * 0.96));
  face.style.scale = excess > 1 ? String(1 / excess) : '1';
};

const show = () => {
  if (zone !== zoneOf() || !timeFormat) prepare();
  const at = new Date(now());
  setTime(at);
  setDate(at);
  const next = `${time.textContent.length} ${date.textContent}`;
  if (next !== shape) {
    shape = next;
    arrange();
  }
};
clockListeners.push(show);
onResize(() => {
  shape = '';
  show();
});
everySecond(show);

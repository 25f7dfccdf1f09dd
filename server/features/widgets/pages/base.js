// biome-ignore-all lint/correctness/noUnusedVariables: the scripts of the pages, which follow it in one document, use them
/* What all widget pages share. Runs in an origin of its own: what it is to show is in the page or comes by message from the frame around it. */
const readJson = (id) => {
  const node = document.getElementById(id);
  return node ? JSON.parse(node.textContent) : null;
};
const page = readJson('page');
const settings = page.settings;
const stage = document.getElementById('stage');

/* The server's clock, where we know it: a player's own may be years off. */
let ahead = page.now ? page.now - Date.now() : 0;
const now = () => Date.now() + ahead;
let deviceZone;
const clockListeners = [];

/* Text from outside only ever becomes text: nothing here takes markup. */
const el = (tag, props = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (name === 'class') node.className = value;
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'style') for (const [key, v] of Object.entries(value)) node.style.setProperty(key, v);
    else node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ''));
  return node;
};
const svg = (viewBox, shapes, props = {}) => {
  const make = (tag, attributes, inner = []) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...inner);
    return node;
  };
  return make(
    'svg',
    { viewBox, 'aria-hidden': 'true', ...props },
    shapes.map(([tag, attributes]) => make(tag, attributes)),
  );
};

const languages = () => [settings.locale, navigator.language, 'en'].filter(Boolean);
const format = (make) => {
  for (const language of languages()) {
    try {
      return make(language);
    } catch {
      /* the next one */
    }
  }
  return make('en');
};

const relative = (epochSeconds) => {
  const elapsed = epochSeconds - now() / 1000;
  const [unit, size] = [
    ['year', 31536000],
    ['month', 2592000],
    ['day', 86400],
    ['hour', 3600],
    ['minute', 60],
  ].find(([, length]) => Math.abs(elapsed) >= length) ?? ['minute', 60];
  return format((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })).format(Math.min(0, Math.round(elapsed / size)), unit);
};

/* Shown once what is on the page is older than it ought to be. */
const ageNote = (fetchedAt, freshSeconds) => {
  document.querySelector('.age')?.remove();
  if (!fetchedAt || now() / 1000 - fetchedAt < freshSeconds) return;
  const icon = svg(
    '0 0 24 24',
    [
      ['circle', { cx: 12, cy: 12, r: 9 }],
      ['path', { d: 'M12 7v5l3.5 2' }],
    ],
    { fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linecap': 'round' },
  );
  document.body.append(el('div', { class: 'age' }, icon, relative(fetchedAt)));
};

/* A screen skips a page that has nothing to show. */
let missing = null;
const tellMissing = () => parent !== window && parent.postMessage({ type: 'vitrine:shows', missing }, '*');

/* Screens show nothing but content; only people who look at the page itself are told what is missing. */
const hint = (text) => {
  missing = text;
  stage.replaceChildren(page.hints ? el('div', { class: 'hint' }, text) : '');
  tellMissing();
};

/* The page was made before the text came that needs it; `loadingdone` draws anew. */
const addFont = ({ family, range, bytes }) => {
  if (!(bytes instanceof ArrayBuffer) || [...document.fonts].some((face) => face.family === family)) return;
  document.fonts.add(new FontFace(family, bytes, { unicodeRange: range }));
};

const isData = (data) => typeof data === 'object' && data !== null && !Array.isArray(data);
let listenToData = () => {};
addEventListener('message', ({ source, data }) => {
  if (source !== parent || !isData(data)) return;
  if (typeof data.now === 'number' && Number.isFinite(data.now)) ahead = data.now - Date.now();
  if (typeof data.timezone === 'string') deviceZone = data.timezone;
  if (data.type === 'vitrine:font') addFont(data);
  if (data.type === 'vitrine:data' && isData(data.data)) listenToData(data.data);
  for (const listener of clockListeners) listener();
});
/* Calls back with what there is now (null: nothing yet) and whenever there is more. */
const onData = (listener) => {
  let last = '';
  const draw = (data) => {
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
  const given = readJson('data');
  if (given) listenToData(given);
  else draw(null);
  if (parent !== window) parent.postMessage({ type: 'vitrine:ready' }, '*');
};

const onResize = (listener) => {
  let frame = 0;
  addEventListener('resize', () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(listener);
  });
  /* The font is inside the page, but decoded after the first layout. */
  document.fonts.addEventListener('loadingdone', listener);
};

/* Once a second, just after it began. */
const everySecond = (listener) => {
  const tick = () => {
    listener();
    setTimeout(tick, 1000 - (now() % 1000) + 5);
  };
  tick();
};

/* The largest font size at which `node` fits into this share of `box`; laid out once, since text grows in proportion. */
const fitFont = (node, box, { width = 1, height = 1, most = Infinity } = {}) => {
  node.style.fontSize = '100px';
  const size = Math.min((100 * box.clientWidth * width) / Math.max(1, node.scrollWidth), (100 * box.clientHeight * height) / Math.max(1, node.scrollHeight), most);
  node.style.fontSize = `${size}px`;
  return size;
};

/*
 * An endless band: `make` builds one run, as many runs as it takes follow each other. Its position follows from the clock,
 * so that screens beside each other are in step and a restarted one is where it would have been.
 */
const runBand = (track, make, { vertical = false, pixelsPerSecond, room }) => {
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
  const run = track.animate([{ transform: 'translate3d(0, 0, 0)' }, { transform: to }], { duration, iterations: Infinity });
  run.currentTime = now() % duration;
};

const isStrip = () => innerWidth / innerHeight > 3;

/* Opened by its address instead of played by a screen: nobody sends news, so the page asks for itself again. */
if (page.reload) {
  setInterval(() => {
    if (navigator.onLine) location.reload();
  }, page.reload * 1000);
}

/* What the browser prefers, where the page was not told. */
if (document.documentElement.dataset.theme === 'auto') {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => (document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light');
  dark.addEventListener('change', follow);
  follow();
}

const pictureOf = (data, url) => (data?.pictures?.[url] ?? url) || null;
const logo = (data, url) => {
  const source = pictureOf(data, url);
  if (!source || (source.startsWith('/') && !data?.pictures?.[url])) return null;
  return el('img', { class: 'logo', src: source, alt: '', onerror: (event) => event.target.remove() });
};

/** Shows the HTML of a text widget in its own frame: scaled, scrolled or clipped, as chosen. */

const SCROLL_PER_SECOND = 60;
/** Pause before scrolling and at the end. */
const REST_MS = 4000;
/** Bisection steps in the search for the largest size that fits. */
const STEPS = 9;
/** Elements that load or navigate by themselves, or would be an empty box under the policy. */
const ELSEWHERE = 'meta, base, link, iframe, frame, frameset, fencedframe, portal, object, embed, applet, script';
const LEADING = ['target', 'action', 'formaction', 'formtarget', 'ping', 'download'];
const root = document.documentElement;

/** Lengths in people's styles are pixels of a 1080-line screen. */
const unit = (): number => Math.max(Math.min(innerWidth, innerHeight) / 1080, Math.max(innerWidth, innerHeight) / 1920);

const write = () => {
  const innerHTML = JSON.parse(document.getElementById('written')!.textContent);
  const { content } = Object.assign(document.createElement('template'), { innerHTML });
  for (const each of content.querySelectorAll(ELSEWHERE)) each.remove();
  for (const name of LEADING) for (const each of content.querySelectorAll(`[${name}]`)) each.removeAttribute(name);
  for (const cell of content.querySelectorAll('td, th')) keepPrices(cell);
  document.body.append(content);
};

/** An amount with its currency on either side, and spaces between thousands: "1 299,00 €", "CHF 12.–", "from €5". */
const CURRENCY = '(?:\\p{Sc}|EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|Fr\\.|kr\\.?|zł|Kč|Ft)';
const AMOUNT = "\\d{1,3}(?:[.,'’\\s]\\d{3}){0,4}(?:[.,]\\d{1,3})?\\d{0,9}(?:[.,]?[–—-])?";
const PRICE = new RegExp(`${CURRENCY}\\s?${AMOUNT}|${AMOUNT}\\s?${CURRENCY}|\\d[\\d.,'’]*\\d`, 'gu');
/** Keeps prices and other numbers in a table on one line. */
const keepPrices = (cell: Element) => {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    if (!node.parentElement?.closest('.price')) found.push(node as Text);
  for (const node of found) {
    const parts: (string | Node)[] = [];
    let end = 0;
    for (const { 0: price, index } of node.data.matchAll(PRICE)) {
      const kept = Object.assign(document.createElement('span'), { className: 'price', textContent: price });
      parts.push(node.data.slice(end, index), kept);
      end = index + price.length;
    }
    if (end > 0) node.replaceWith(...parts, node.data.slice(end));
  }
};

const blockOf = (node: Node): HTMLElement => {
  let block = node.parentElement!;
  while (block !== document.body && /^(inline$|contents$|ruby|none$)/.test(getComputedStyle(block).display))
    block = block.parentElement!;
  return block;
};
/** Returns the lines of text in each block, as rectangles. */
const linesByBlock = (): Map<HTMLElement, DOMRect[]> => {
  const blocks = new Map<HTMLElement, DOMRect[]>();
  const range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!node.textContent?.trim()) continue;
    range.selectNodeContents(node);
    const block = blockOf(node);
    blocks.set(block, [...(blocks.get(block) ?? []), ...range.getClientRects()]);
  }
  return blocks;
};
/** Returns the lower edge of the window, in the unit of rectangles under the current zoom. */
const lowerEdge = (): number => {
  const probe = document.createElement('i');
  probe.style.cssText = 'all: initial; position: fixed; inset: 0';
  root.append(probe);
  const { bottom } = probe.getBoundingClientRect();
  probe.remove();
  return bottom;
};

const ended: { readonly block: HTMLElement; readonly clipPath: string }[] = [];
/** Hides a line that the lower edge would cut in half: each block ends with its last whole line. */
const endLines = () => {
  for (const { block, clipPath } of ended.splice(0)) block.style.clipPath = clipPath;
  const edge = lowerEdge();
  for (const [block, lines] of linesByBlock()) {
    const first = Math.min(...lines.filter(({ top, bottom }) => top < edge && bottom > edge + 1).map(({ top }) => top));
    // A single line that is larger than the screen is better than nothing.
    if (first === Infinity || first <= 0) continue;
    // Tightly set lines overlap; the descenders of the line above belong to that line and stay.
    const above = lines.filter(({ top, bottom }) => bottom <= edge && (top + bottom) / 2 < first);
    const cut = Math.max(first, ...above.map(({ bottom }) => bottom));
    const { top, bottom } = block.getBoundingClientRect();
    ended.push({ block, clipPath: block.style.clipPath });
    block.style.clipPath = `inset(-100vmax -100vmax ${((bottom - cut) / Math.max(1, bottom - top)) * 100}% -100vmax)`;
  }
};

const setZoom = (zoom: number) => {
  root.style.zoom = String(zoom);
  document.body.style.minHeight = `${innerHeight / zoom}px`;
};
const isOver = (): boolean =>
  Math.max(root.scrollHeight / root.clientHeight, root.scrollWidth / root.clientWidth) > 1.002;

/** Scales down until the text fits. Lines wrap differently after each step, so bisection finds the largest size. */
const fit = (normal: number) => {
  if (!isOver()) return;
  let [low, zoom, high] = [normal / 40, normal, normal];
  for (let step = 0; step < STEPS; step++) {
    if (isOver()) high = zoom;
    else low = zoom;
    zoom = (low + high) / 2;
    setZoom(zoom);
  }
  if (isOver()) setZoom(low);
};

const scroll = (zoom: number) => {
  const excess = root.scrollHeight - root.clientHeight;
  if (excess <= 2) return;
  const travel = (excess / (SCROLL_PER_SECOND * unit())) * 1000;
  const duration = travel + 2 * REST_MS;
  const end = `translateY(${-excess / zoom}px)`;
  document.body.animate(
    [
      { transform: 'none', offset: 0 },
      { transform: 'none', offset: REST_MS / duration },
      { transform: end, offset: (REST_MS + travel) / duration },
      { transform: end, offset: 1 },
    ],
    { duration, iterations: Infinity },
  );
};

const arrange = () => {
  const mode = document.body.dataset['overflow'];
  const zoom = unit();
  setZoom(zoom);
  document.body.classList.remove('tight');
  document.body.classList.toggle('tight', root.scrollWidth > root.clientWidth + 1);
  for (const run of document.body.getAnimations()) run.cancel();
  if (mode === 'fit') fit(zoom);
  if (mode === 'clip') endLines();
  if (mode === 'scroll') scroll(zoom);
};

addEventListener('DOMContentLoaded', () => {
  write();
  arrange();
  addEventListener('resize', arrange);
  void document.fonts.ready.then(arrange);
  addEventListener('load', arrange);
  for (const name of ['click', 'submit', 'contextmenu', 'dragstart'])
    addEventListener(name, (event) => event.preventDefault(), true);
});

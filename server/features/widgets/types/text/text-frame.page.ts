/** Shows the user's text in its own frame: sized, scrolled or cut as configured. */
import { areTooWide, fitTables, isLegible, keepPricesWhole, resetTables, stackTables, unit } from './tables.ts';

const SCROLL_PER_SECOND = 60;
/** Pause in milliseconds before scrolling begins, and after it ends. */
const REST_MS = 4000;
/** Steps of the binary search for the largest size that fits. */
const STEPS = 9;
/** Elements that are removed: they would load or navigate, or would be an empty box under the page's policy. */
const ELSEWHERE = 'meta, base, link, iframe, frame, frameset, fencedframe, portal, object, embed, applet, script';
const LEADING = ['target', 'action', 'formaction', 'formtarget', 'ping', 'download'];
const root = document.documentElement;

const write = () => {
  const innerHTML = JSON.parse(document.getElementById('written')!.textContent);
  const { content } = Object.assign(document.createElement('template'), { innerHTML });
  for (const each of content.querySelectorAll(ELSEWHERE)) each.remove();
  for (const name of LEADING) for (const each of content.querySelectorAll(`[${name}]`)) each.removeAttribute(name);
  for (const cell of content.querySelectorAll('td, th')) keepPricesWhole(cell);
  document.body.append(content);
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
/** Returns the lower edge of the browser window, in the units that rectangles have under a zoom. */
const lowerEdge = (): number => {
  const probe = document.createElement('i');
  probe.style.cssText = 'all: initial; position: fixed; inset: 0';
  root.append(probe);
  const { bottom } = probe.getBoundingClientRect();
  probe.remove();
  return bottom;
};

const ended: { readonly block: HTMLElement; readonly clipPath: string }[] = [];
/** Hides a line that the lower edge would cut through, so that each block ends with its last whole line. */
const endLines = () => {
  for (const { block, clipPath } of ended.splice(0)) block.style.clipPath = clipPath;
  const edge = lowerEdge();
  for (const [block, lines] of linesByBlock()) {
    const first = Math.min(...lines.filter(({ top, bottom }) => top < edge && bottom > edge + 1).map(({ top }) => top));
    // Keeps a line that is cut if it is the only line, because it is larger than the screen.
    if (first === Infinity || first <= 0) continue;
    // When line spacing is narrow, lines overlap. Descenders of the line above stay visible.
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
  Math.max(root.scrollHeight / root.clientHeight, root.scrollWidth / root.clientWidth) > 1.002 || areTooWide();

/**
 * Reduces the size until the text fits. Lines get shorter after each step, so the search approaches the largest size.
 * Returns the zoom.
 */
const fit = (normal: number): number => {
  if (!isOver()) return normal;
  let [low, zoom, high] = [normal / 40, normal, normal];
  for (let step = 0; step < STEPS; step++) {
    if (isOver()) high = zoom;
    else low = zoom;
    zoom = (low + high) / 2;
    setZoom(zoom);
  }
  if (!isOver()) return zoom;
  setZoom(low);
  return low;
};

/**
 * Fits the text to the page. Tables whose words would be too small to read are stacked if this makes the words larger.
 */
const fitAll = (normal: number) => {
  const beside = fit(normal);
  if (isLegible(beside)) return;
  stackTables();
  setZoom(normal);
  if (fit(normal) > beside) return;
  resetTables();
  setZoom(beside);
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
  resetTables();
  for (const run of document.body.getAnimations()) run.cancel();
  if (mode === 'fit') fitAll(zoom);
  else fitTables(zoom);
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

/**
 * Fits tables in user text to any width: words stay whole, and prices stay on one line. A table that is too wide
 * becomes smaller down to a legible size; then its columns are stacked. Only a word that is wider than the screen even
 * then is broken.
 */

/** Smallest legible letter size, in pixels of the screen. */
const LEGIBLE_PX = 12;
/**
 * Smallest legible letter size, in pixels of a 1080-line screen. Letters must be at least as large as this and as
 * LEGIBLE_PX.
 */
const LEGIBLE_OF_1080 = 24;
/** Steps of the binary search for the largest size that fits. */
const STEPS = 8;
/** Maximum number of cells per table whose letter size is measured. */
const CELLS = 200;

/**
 * Matches an amount with its currency before or after it, and spaces between thousands: "1 299,00 €", "CHF 12.–", "from
 * €5".
 */
const CURRENCY = '(?:\\p{Sc}|EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|Fr\\.|kr\\.?|zł|Kč|Ft)';
const AMOUNT = "\\d{1,3}(?:[.,'’\\s]\\d{3}){0,4}(?:[.,]\\d{1,3})?\\d{0,9}(?:[.,]?[–—-])?";
const PRICE = new RegExp(`${CURRENCY}\\s?${AMOUNT}|${AMOUNT}\\s?${CURRENCY}|\\d[\\d.,'’]*\\d`, 'gu');
/** Keeps each price or other number in a table on one line. */
export const keepPricesWhole = (cell: Element) => {
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

/** Only outer tables are fitted. Tables within tables follow them. */
const tables = (): HTMLTableElement[] =>
  [...document.querySelectorAll('table')].filter((table) => !table.parentElement?.closest('table'));

/** Returns the smallest letter size in a table's cells, in pixels without any zoom. */
const typeOf = (table: HTMLTableElement): number => {
  const cells = [...table.querySelectorAll('td, th')].slice(0, CELLS);
  const sizes = cells.map((cell) => Number.parseFloat(getComputedStyle(cell).fontSize)).filter((size) => size > 0);
  return sizes.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...sizes);
};

/** @param unit pixels of the screen in one of a 1080-line screen */
const legibleAt = (unit: number): number => Math.max(LEGIBLE_PX, LEGIBLE_OF_1080 * unit);

/**
 * Returns the number of screen pixels per pixel of a 1080-line screen. Lengths in users' styles are in pixels of a
 * 1080-line screen.
 */
export const unit = (): number =>
  Math.max(Math.min(innerWidth, innerHeight) / 1080, Math.max(innerWidth, innerHeight) / 1920);

/** Returns whether the words of all tables are legible at this zoom of the page. */
export const isLegible = (zoom: number): boolean => {
  const least = legibleAt(unit());
  return tables().every((table) => typeOf(table) * zoom >= Math.min(least, typeOf(table) * unit()));
};

export const resetTables = (): void => {
  for (const table of tables()) {
    table.style.removeProperty('zoom');
    table.classList.remove('stacked', 'broken');
  }
};

/** Stacks the columns of all tables below each other. */
export const stackTables = (): void => {
  for (const table of tables()) table.classList.add('stacked');
};

/**
 * Shrinks each table that is too wide until it fits the width.
 * @param zoom zoom of the page
 */
export const fitTables = (zoom: number): void => {
  for (const table of tables()) if (isTooWide(table)) fitTable(table, zoom);
};

export const areTooWide = (): boolean => tables().some(isTooWide);

const fitTable = (table: HTMLTableElement, zoom: number) => {
  const least = Math.min(1, legibleAt(unit()) / (typeOf(table) * zoom));
  if (shrink(table, least)) return;
  table.classList.add('stacked');
  if (shrink(table, least)) return;
  table.classList.add('broken');
};

/** Finds the largest size down to `least` at which the table fits. Returns false when there is none. */
const shrink = (table: HTMLTableElement, least: number): boolean => {
  const isWide = (size: number) => {
    table.style.setProperty('zoom', String(size));
    return isTooWide(table);
  };
  if (!isWide(1)) return true;
  if (isWide(least)) return false;
  let [low, high] = [least, 1];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (isWide(middle)) high = middle;
    else low = middle;
  }
  return !isWide(low);
};

/** Returns the right edge of the contents of a box, without its padding, in pixels of the screen. */
const innerEdge = (box: HTMLElement): number => {
  const { right, width } = box.getBoundingClientRect();
  const { paddingRight, borderRightWidth } = getComputedStyle(box);
  const scale = width / Math.max(1, box.offsetWidth);
  return right - (Number.parseFloat(paddingRight) + Number.parseFloat(borderRightWidth)) * scale;
};

/** Returns whether a table is wider than its container, or a word in the table is wider than the table. */
const isTooWide = (table: HTMLTableElement): boolean => {
  const { right } = table.getBoundingClientRect();
  const places = [table.parentElement ?? document.body, document.body];
  return table.scrollWidth > table.clientWidth + 1 || places.some((place) => right > innerEdge(place) + 1);
};

/**
 * Reads pasted lines as rows of a table: `name … price`, lists of other programs, and cells of Excel and Sheets. Reads
 * English and German number formats. Pure.
 */

/** A pasted line. A heading has a name only. */
export interface PastedRow {
  readonly name: string;
  /** Second, smaller line; empty: none. */
  readonly note: string;
  /** Prices as typed, without currency and thousands separators: `9,50`, `14.5`, `1200`. */
  readonly prices: readonly string[];
  readonly heading: boolean;
  /** All cells of a line with separators, for tables with several columns of text; undefined: no separators. */
  readonly cells?: readonly string[];
}

export interface PastedTable {
  readonly rows: readonly PastedRow[];
  /** ISO 4217 code of the pasted prices; undefined: no currency, or several. */
  readonly currency: string | undefined;
}

const SYMBOLS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  zł: 'PLN',
  Kč: 'CZK',
  'Fr.': 'CHF',
  Fr: 'CHF',
  SFr: 'CHF',
};
const CURRENCY = String.raw`(?:€|\$|£|zł|Kč|S?Fr\.?|EUR|USD|GBP|CHF|PLN|CZK|HUF|SEK|NOK|DKK|AUD|CAD)`;
/** Digits with separators of thousands, and decimals or a dash in their place: 1.234,50 or 9,– or 12. */
const NUMBER = String.raw`(?:\d{1,3}(?:[.,'’ ]\d{3})+|\d{1,6})(?:[.,](?:\d{1,2}|[–—-]{1,2}))?`;
/** A unit after a price, which stays in the cell: `/kg`, `per 100 g`, `pro Stück`. */
const UNIT = String.raw`(?:\s*(?:/|per\b|pro\b|je\b)\s*[\p{L}\d][\p{L}\d .]{0,20})?`;

const PRICE = new RegExp(
  String.raw`^(?:(${CURRENCY})\s*)?(?:ab\s+|from\s+)?(${NUMBER})\s*(${CURRENCY})?(${UNIT})$`,
  'iu',
);
/** A line that ends with a price. Dots, dashes and other leaders between name and price are left out. */
const NAME_AND_PRICE = new RegExp(
  String.raw`^(.*?\S)((?:\s|[.…·_:|,;–—-])+)((?:${CURRENCY}\s*)?${NUMBER}\s*${CURRENCY}?${UNIT})$`,
  'iu',
);
const BULLET = /^[•●▪◦*–—-]\s+/u;

interface Price {
  readonly text: string;
  readonly currency: string | undefined;
  /** Whether the text can hardly be anything but a price: it has decimals or a currency. */
  readonly isClear: boolean;
}

/** Returns the number without separators of thousands. A separator before three digits separates thousands. */
const plainNumber = (number: string): string => {
  const found = /^(.*?)(?:[.,](\d{1,2}|[–—-]{1,2}))?$/u.exec(number)!;
  const whole = found[1]!.replace(/\D/g, '');
  const decimals = found[2] ?? '';
  const separator = number.at(-decimals.length - 1);
  return decimals === '' || /\D/.test(decimals) ? whole : `${whole}${separator}${decimals}`;
};

const codeOf = (symbol: string): string => SYMBOLS[symbol] ?? symbol.toUpperCase();

const priceOf = (text: string): Price | undefined => {
  const found = PRICE.exec(text.trim());
  if (!found) return undefined;
  const [, before, number = '', after, unit = ''] = found;
  const symbol = before ?? after;
  const currency = symbol === undefined ? undefined : codeOf(symbol);
  const isClear = symbol !== undefined || /[.,](?:\d{1,2}|[–—-]{1,2})$/u.test(number);
  const amount = plainNumber(number);
  return { text: unit.trim() === '' ? amount : text.trim(), currency, isClear };
};

export const isPrice = (text: string): boolean => priceOf(text) !== undefined;

/** Splits a line of Excel, Sheets or a CSV file into cells; undefined: the line has no separators. */
const cellsOf = (line: string): string[] | undefined => {
  const separator = line.includes('\t') ? '\t' : line.includes(';') ? ';' : line.includes('|') ? '|' : undefined;
  if (separator === undefined) return undefined;
  const cells = line.split(separator).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll('""', '"')
      .trim(),
  );
  return cells.filter((cell, i) => cell !== '' || (i > 0 && i < cells.length - 1));
};

/** Splits text into lines. A quoted cell of Excel may contain line breaks, which become spaces. */
const linesOf = (text: string): string[] =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(
      /(^|[\t\n])"((?:[^"]|"")*)"(?=[\t\n]|$)/g,
      (_all, before: string, cell: string) => before + cell.replaceAll('""', '"').replace(/\s*\n\s*/g, ' '),
    )
    .split('\n')
    .map((line) => line.replaceAll('\u00a0', ' ').trimEnd());

type Line = {
  readonly text: string;
  readonly isIndented: boolean;
  readonly cells: readonly string[] | undefined;
  readonly name: string;
  readonly note: string;
  readonly prices: readonly Price[];
};

const readCells = (text: string, isIndented: boolean, cells: readonly string[]): Line => {
  const [name = '', ...rest] = cells;
  const prices = rest.flatMap((cell) => priceOf(cell) ?? []);
  const note = rest.filter((cell) => cell !== '' && !priceOf(cell)).join(', ');
  return { text, isIndented, cells, name: name.replace(BULLET, ''), note, prices };
};

const readLine = (line: string): Line => {
  const isIndented = /^\s/.test(line);
  const text = line.trim();
  const cells = cellsOf(text);
  if (cells && cells.length > 1) return readCells(text, isIndented, cells);
  const found = NAME_AND_PRICE.exec(text);
  const [, name = '', leader = '', priced = ''] = found ?? [];
  const price = found ? priceOf(priced) : undefined;
  // "10:30" and "24.12.2026" are no names with prices.
  const isSplit = price && (/\s|…|\.{2}/u.test(leader) || !/\d$/.test(name));
  // Leaders such as " - " say as clearly as decimals that a price follows.
  const isClear = price?.isClear || (/[….·_:|–—-]/u.test(leader) && /\s|…|\.{2}/u.test(leader));
  return {
    ...{ text, isIndented, cells: undefined, note: '' },
    name: (isSplit ? name : text).replace(BULLET, ''),
    prices: isSplit ? [{ ...price, isClear: isClear === true }] : [],
  };
};

const isLowerCase = (text: string): boolean => /^\(|^\p{Ll}/u.test(text);

/** Returns the name of a heading: without markup and colon. */
const headingName = (name: string): string =>
  name
    .replace(/^#+\s*/, '')
    .replace(/:$/, '')
    .trim();

/**
 * Returns the rows of pasted text. A line without price between lines with prices is a heading, or the note of the dish
 * above if it begins with a small letter, a bracket or spaces. A bare number such as `12` at the end of a line is a price
 * if most lines end with a number.
 */
export const readPastedTable = (text: string): PastedTable => {
  const lines = linesOf(text)
    .filter((line) => line.trim() !== '')
    .map(readLine);
  const priced = lines.filter(({ prices }) => prices.length > 0);
  const isMenu = priced.length * 2 > lines.length || priced.some(({ prices }) => prices.some(({ isClear }) => isClear));
  const areBarePrices = priced.length * 2 > lines.length;
  const rows: PastedRow[] = [];
  const currencies = new Set<string>();
  for (const line of lines) {
    const prices = line.prices.filter(({ isClear }) => isClear || areBarePrices || line.cells !== undefined);
    const name = prices.length > 0 || line.cells ? line.name : line.text.replace(BULLET, '');
    const before = rows.at(-1);
    const isNote = line.isIndented || isLowerCase(name);
    if (isMenu && prices.length === 0 && !line.cells && isNote && before && !before.heading) {
      const note = [before.note, name.replace(/^\((.*)\)$/, '$1')].filter(Boolean).join(' ');
      rows[rows.length - 1] = { ...before, note };
      continue;
    }
    for (const { currency } of prices) if (currency !== undefined) currencies.add(currency);
    const heading = isMenu && prices.length === 0 && line.note === '';
    rows.push({
      ...{ name: heading ? headingName(name) : name, note: line.note, prices: prices.map((price) => price.text) },
      ...{ heading, ...(line.cells && { cells: line.cells }) },
    });
  }
  const [currency] = currencies;
  return { rows, currency: currencies.size === 1 ? currency : undefined };
};

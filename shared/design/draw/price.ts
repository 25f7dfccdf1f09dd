/** Formats prices: lines, symbol and separators by locale, decimals optionally small and raised. Pure. */
import type { Element } from '../elements.ts';

export interface PricePart {
  readonly text: string;
  /** Whether the part is small and raised: the decimals. */
  readonly isRaised: boolean;
}

/**
 * Returns the parts of a price in reading order. A whole amount has no decimals when `raised`, because "5" is read
 * faster than "5.00"; a table keeps the decimals so that the numbers stand below each other.
 */
export const priceParts = (amount: number, currency: string, locale: string, raised: boolean): PricePart[] => {
  const isWhole = Number.isInteger(amount);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...(raised && isWhole && { maximumFractionDigits: 0 }),
  });
  const parts: PricePart[] = [];
  for (const { type, value } of format.formatToParts(amount)) {
    if (type === 'decimal' && raised) continue;
    parts.push({ text: value, isRaised: type === 'fraction' && raised });
  }
  return parts;
};

/** Size of raised decimals in em of the price, and their distance from its baseline in em of the decimals. */
export const RAISED = { size: 0.5, shift: 0.72 };

export interface PriceLine {
  readonly parts: readonly PricePart[];
  /** Size relative to the amount. */
  readonly size: number;
  /** Undefined: the weight of the element. */
  readonly weight: number | undefined;
  readonly lineHeight: number;
  readonly opacity: number | undefined;
  readonly isStruck: boolean;
}

/** Returns the lines of a price element from top to bottom: former amount, amount, unit. */
export const priceLines = (element: Extract<Element, { type: 'price' }>, locale: string): PriceLine[] => {
  const { amount, old_amount, unit, currency, raised } = element;
  const line = { weight: undefined, opacity: undefined, isStruck: false };
  return [
    ...(old_amount === null
      ? []
      : [
          {
            parts: priceParts(old_amount, currency, locale, false),
            ...{ ...line, size: 0.42, lineHeight: 1.2, opacity: 0.75, isStruck: true },
          },
        ]),
    ...(amount === null
      ? []
      : [{ parts: priceParts(amount, currency, locale, raised), ...line, size: 1, lineHeight: 1 }]),
    ...(unit === ''
      ? []
      : [{ parts: [{ text: unit, isRaised: false }], ...{ ...line, size: 0.34, lineHeight: 1.2, weight: 500 } }]),
  ];
};

/** Returns a price as text that never breaks between amount and symbol. */
export const priceText = (amount: number, currency: string, locale: string): string =>
  priceParts(amount, currency, locale, false)
    .map(({ text }) => text)
    .join('')
    .replace(/\s/g, '\u00a0');

/** Returns a cell of a price column in the currency, or the text itself when it is not a number. */
export const cellPrice = (cell: string, currency: string, locale: string): string => {
  const amount = amountOf(cell);
  return amount === undefined ? cell : priceText(amount, currency, locale);
};

/** Returns the amount of a typed price such as `14.5`, `14,50` or `14,50 €`; undefined when the text is no price. */
export const amountOf = (text: string): number | undefined => {
  const found = /^\s*(?:\p{Sc}|[A-Z]{3})?\s*(\d{1,9})(?:[.,](\d{1,2}|–|-))?\s*(?:\p{Sc}|[A-Z]{3}|Fr\.)?\s*$/u.exec(
    text,
  );
  if (!found) return undefined;
  const [, whole, decimals = ''] = found;
  return Number(`${whole}.${decimals.replace(/[–-]/, '0') || '0'}`);
};

/** Formats numbers, sizes, durations and instants for a locale. Pure; `useFormat` binds the locale. */

const formatters = new Map<
  string,
  Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat | Intl.ListFormat
>();
/** Returns a cached Intl formatter. Creating a formatter costs a hundred times as much as using it. */
const cached = <T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat | Intl.ListFormat>(
  key: string,
  make: () => T,
): T => {
  const found = formatters.get(key);
  if (found) return found as T;
  const made = make();
  formatters.set(key, made);
  return made;
};

const numberWith = (locale: string, options: Intl.NumberFormatOptions) =>
  cached(`n${locale}${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale, options));
const dateWith = (locale: string, options: Intl.DateTimeFormatOptions) =>
  cached(`d${locale}${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale, options));

export const formatNumber = (locale: string, value: number, maximumFractionDigits = 0): string =>
  numberWith(locale, { maximumFractionDigits }).format(value);

/** Formats a share from 0 to 1 as a percentage. */
export const formatPercent = (locale: string, share: number, maximumFractionDigits = 0): string =>
  numberWith(locale, { style: 'percent', maximumFractionDigits }).format(share);

/** Formats a value with a unit. `unit`: a unit name of Intl. */
export const formatUnit = (locale: string, value: number, unit: string): string =>
  numberWith(locale, { style: 'unit', unit, maximumFractionDigits: 0 }).format(value);

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
/** Formats a size with decimal units, like file managers and disk labels. */
export const formatBytes = (locale: string, bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return numberWith(locale, {
    style: 'unit',
    unit: UNITS[unit]!,
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: digits,
  }).format(value);
};

const two = (n: number) => String(n).padStart(2, '0');
/**
 * Formats a duration as on a player: 0:10, 1:05, 1:00:00. Whole seconds, rounded up: a clip of 9.2 s is not shown as
 * "0:09".
 */
export const formatClock = (seconds: number): string => {
  const total = Math.ceil(seconds);
  const h = Math.floor(total / 3600);
  const m = Math.floor((total % 3600) / 60);
  const s = total % 60;
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
};

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
/** Formats a duration with its two largest units: "3 days 4 hr", "12 min". A number and its unit stay on one line. */
export const formatSpan = (locale: string, seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds));
  const first = STEPS.findIndex(([, size]) => whole >= size);
  if (first < 0) return numberWith(locale, { style: 'unit', unit: 'second', unitDisplay: 'short' }).format(0);
  const parts: string[] = [];
  let rest = whole;
  for (const [unit, size] of STEPS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0)
      parts.push(
        numberWith(locale, { style: 'unit', unit, unitDisplay: unit === 'day' ? 'long' : 'short' }).format(count),
      );
  }
  return parts.map((part) => part.replaceAll(' ', '\u00a0')).join(' ');
};

/**
 * Formats the time from `now` to `at`, both in epoch seconds: "2 minutes ago", "in 3 days"; "now" below ten seconds.
 */
export const formatAgo = (locale: string, at: number, now: number): string => {
  const relative = cached(`r${locale}`, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
  const difference = at - now;
  if (Math.abs(difference) < 10) return relative.format(0, 'second');
  for (const [unit, size] of STEPS)
    if (Math.abs(difference) >= size) return relative.format(Math.trunc(difference / size), unit);
  return relative.format(0, 'second');
};

/** Formats an instant in epoch seconds. */
export const formatDateTime = (locale: string, at: number): string =>
  dateWith(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at * 1000);
export const formatDate = (locale: string, at: number): string =>
  dateWith(locale, { dateStyle: 'medium' }).format(at * 1000);
export const formatTime = (locale: string, at: number, withSeconds = false): string =>
  dateWith(locale, { timeStyle: withSeconds ? 'medium' : 'short' }).format(at * 1000);

export const formatList = (locale: string, names: readonly string[]): string =>
  cached(`l${locale}`, () => new Intl.ListFormat(locale, { type: 'conjunction' })).format(names);

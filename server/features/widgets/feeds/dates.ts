/**
 * Reads the dates of feeds. JavaScript's own parser uses the local time zone for a date without a zone, so its result
 * depends on the machine.
 */
import { toInstant } from '../../../../shared/program/zones.ts';

/** Hours east of UTC. An ambiguous abbreviation means the zone in RFC 822, else the zone with more people. */
const ZONES: ReadonlyMap<string, number> = new Map(
  (
    [
      [-10, 'HST HAST'],
      [-9, 'AKST'],
      [-8, 'PST AKDT'],
      [-7, 'MST PDT'],
      [-6, 'CST MDT'],
      [-5, 'EST CDT COT PET'],
      [-4, 'AST EDT CLT'],
      [-3.5, 'NST'],
      [-3, 'ADT BRT ART CLST'],
      [-2.5, 'NDT'],
      [-2, 'BRST'],
      [0, 'Z UT UTC GMT WET'],
      [1, 'CET MET MEZ WEST BST WAT'],
      [2, 'CEST MEST MESZ EET CAT SAST'],
      [3, 'EEST MSK TRT EAT'],
      [4, 'GST MSD'],
      [5, 'PKT'],
      [5.5, 'IST'],
      [5.75, 'NPT'],
      [7, 'ICT WIB'],
      [8, 'HKT SGT MYT PHT AWST'],
      [9, 'JST KST'],
      [9.5, 'ACST'],
      [10, 'AEST'],
      [10.5, 'ACDT'],
      [11, 'AEDT'],
      [12, 'NZST'],
      [13, 'NZDT'],
    ] as const
  ).flatMap(([hours, names]) => names.split(' ').map((name): [string, number] => [name, hours])),
);
const HOUR_MS = 3_600_000;
/** First instant after the year 9999. */
const LAST = Date.UTC(10_000, 0);

const OFFSET = /(?:[+-]\d{2}:?\d{2}|Z)(?:\s*\(.*)?$/i;
const NAMED = /\s([A-Z]{1,5})(?:\s*\(.*)?$/i;
const NO_ZONE = /^(?:[AP]M|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)$/;
const PLACE = /\s([A-Z][a-z_]{2,20}(?:\/[A-Z][A-Za-z_-]{2,30}){1,2})$/;

/** Returns epoch seconds; null when the text is not a date. A date without a zone is read as UTC. */
export const secondsOf = (text: string): number | null => {
  const date = text.slice(0, 100).replace(/\s+/g, ' ').trim();
  const time = instantOf(date);
  return Number.isNaN(time) || Math.abs(time) >= LAST ? null : Math.floor(time / 1000);
};

const instantOf = (date: string): number => {
  const place = PLACE.exec(date);
  if (place) {
    const local = asUtc(date.slice(0, place.index));
    try {
      return Number.isNaN(local) ? local : toInstant(local, place[1]!);
    } catch {
      return Number.NaN;
    }
  }
  if (OFFSET.test(date)) return Date.parse(date);
  const named = NAMED.exec(date);
  const zone = (named?.[1] ?? '').toUpperCase();
  if (!named || NO_ZONE.test(zone)) return asUtc(date);
  // In RFC 2822, military letters and unknown zones count as UTC.
  return asUtc(date.slice(0, named.index)) - (ZONES.get(zone) ?? 0) * HOUR_MS;
};

const asUtc = (date: string): number => {
  const iso = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(date);
  if (iso) return Date.parse(`${date.replace(' ', 'T')}Z`);
  return Date.parse(/^\d{4}(?:-\d{2}){0,2}$/.test(date) ? date : `${date} UTC`);
};

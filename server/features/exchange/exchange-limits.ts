/** Limits of an import. They are checked before the import has an effect. */

import { MAX_KIOSK_PAGES } from '../../../shared/contract/content/kiosk.ts';
import { MAX_LAYOUTS } from '../../../shared/contract/content/layouts.ts';
import { MAX_PLAYLISTS } from '../../../shared/contract/content/playlists.ts';
import { MAX_WIDGETS } from '../../../shared/contract/content/widgets.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { MAX_GROUPS } from '../../../shared/contract/screens/groups.ts';
import { MAX_SCHEDULES } from '../../../shared/contract/screens/schedules.ts';

/** Maximum number of records per kind. Where a workspace has a limit of its own, that limit is used. */
const MOST: Readonly<Record<string, number>> = {
  contents: 50_000,
  widgets: MAX_WIDGETS,
  kiosk_pages: MAX_KIOSK_PAGES,
  layouts: MAX_LAYOUTS,
  zones: 50_000,
  playlists: MAX_PLAYLISTS,
  items: 200_000,
  groups: MAX_GROUPS,
  schedules: MAX_SCHEDULES,
  screens: 50_000,
};
/** Names of the kinds in exports of screentinker. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  content: 'contents',
  layout_zones: 'zones',
  playlist_items: 'items',
  device_groups: 'groups',
  devices: 'screens',
};

/** Maximum number of day-parting blocks per item. */
export const MOST_BLOCKS = 100;

/** Maximum size of the manifest in bytes. Ten thousand playlist items take 2 MB. */
export const MAX_MANIFEST = 64 * 1024 * 1024;
/** Maximum size of one record in bytes, like that of a request body. */
export const MAX_RECORD = 1024 * 1024;
/**
 * Maximum number of lists, objects and their values, because the memory of parsed JSON depends on this number
 * (`[[],[],[]…` has three bytes for each).
 */
export const MAX_VALUES = 4_000_000;
/** Maximum depth of nested lists and objects. A widget's config may have 24 levels, below four levels of the export. */
export const MAX_DEPTH = 32;

/** Maximum number of entries in a ZIP: twice the file and thumbnail of each content. */
export const MAX_ENTRIES = 200_000;
/** Maximum length of an entry's name in bytes. Names in our exports have 80. */
export const MAX_ENTRY_NAME = 1024;
/** Maximum compression ratio of an entry. Media are compressed already, so a higher ratio is suspicious. */
const MAX_RATIO = 100;
/** Unpacked size in bytes up to which an entry may have any compression ratio. */
const RATIO_COUNTS_FROM = 1024 * 1024;
/** All unpacked files together may have this many times the uploaded bytes, plus {@link SUM_ALLOWANCE}. */
const MAX_SUM_RATIO = 10;
/** Bytes that all unpacked files may have regardless of the uploaded bytes. */
const SUM_ALLOWANCE = 64 * 1024 * 1024;

/** @throws ApiError 413 with kind, count and limit */
export const requireFew = (kind: string, count: number): void => {
  const most = MOST[kind] ?? Number.POSITIVE_INFINITY;
  if (count > most)
    throw new ApiError(
      413,
      `The export has ${count} ${kind.replace('_', ' ')}; an import accepts at most ${most}. Nothing was changed.`,
    );
};

/**
 * Checks the lengths of the lists in an export of Vitrine or screentinker, before any other check.
 * @throws ApiError 413
 */
export const requireBounded = (json: unknown): void => {
  if (typeof json !== 'object' || json === null) return;
  for (const [name, value] of Object.entries(json))
    if (Array.isArray(value)) requireFew(ELSEWHERE[name] ?? name, value.length);
};

/** Returns the reason in a sentence why a file is not unpacked; undefined when the file may be unpacked. */
export const tooCostly = (
  { packed, size }: { readonly packed: number; readonly size: number },
  maxFileBytes: number,
): string | undefined => {
  if (size > maxFileBytes)
    return `the file has ${mebibytes(size)}, more than the ${mebibytes(maxFileBytes)} that this server accepts`;
  if (size > RATIO_COUNTS_FROM && size > packed * MAX_RATIO)
    return `the unpacked file would be ${Math.floor(size / packed)} times as large as the packed file; the limit is ${MAX_RATIO} times`;
  return undefined;
};

/** @param sent bytes of the export @param unpacked total size of its unpacked files @throws ApiError 413 */
export const requireProportion = (sent: number, unpacked: number): void => {
  const most = sent * MAX_SUM_RATIO + SUM_ALLOWANCE;
  if (unpacked > most)
    throw new ApiError(
      413,
      `The unpacked files of the export have ${mebibytes(unpacked)}; for an upload of this size an import accepts at most ${mebibytes(most)}. Nothing was changed.`,
    );
};

export const mebibytes = (bytes: number): string => `${+(bytes / 1024 ** 2).toFixed(1)} MiB`;

/**
 * Maximum number of characters that are read to find a screen or a group by name. Names have at most 200, so a longer
 * name matches nothing.
 */
export const MAX_NAME = 201;
const MAX_SHOWN = 80;
/** Shortens a name for a sentence, because names in an export may have any length. */
export const shown = (name: string): string =>
  name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN).toWellFormed()}…` : name;

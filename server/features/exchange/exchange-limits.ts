/** What an import may cost, settled before it has an effect. */
import { ApiError } from '../../../shared/contract/errors.ts';
import { MAX_GROUPS } from '../../../shared/contract/groups.ts';
import { MAX_KIOSK_PAGES } from '../../../shared/contract/kiosk.ts';
import { MAX_LAYOUTS } from '../../../shared/contract/layouts.ts';
import { MAX_PLAYLISTS } from '../../../shared/contract/playlists.ts';
import { MAX_SCHEDULES } from '../../../shared/contract/schedules.ts';
import { MAX_WIDGETS } from '../../../shared/contract/widgets.ts';

/** Records of each kind. Where a workspace has a limit of its own it is the same one: more could not be made. */
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
/** What screentinker calls them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  content: 'contents',
  layout_zones: 'zones',
  playlist_items: 'items',
  device_groups: 'groups',
  devices: 'screens',
};

/** Day-parting blocks of one item. */
export const MOST_BLOCKS = 100;

/** Bytes of what describes an export. Ten thousand items of playlists have 2 MB. */
export const MAX_MANIFEST = 64 * 1024 * 1024;
/** Bytes of one record, as of the body of a request that makes it. */
export const MAX_RECORD = 1024 * 1024;
/**
 * Lists, objects and what is in them: the memory of a parsed JSON goes by their number (`[[],[],[]…` has three bytes
 * for each).
 */
export const MAX_VALUES = 4_000_000;
/** Lists and objects within each other: the config of a widget may have 24, and lies in four. */
export const MAX_DEPTH = 32;

/** Allows a ZIP a file and its thumbnail for each content, twice over. */
export const MAX_ENTRIES = 200_000;
/** Bytes; ours have 80. */
export const MAX_ENTRY_NAME = 1024;
/** Media are compressed already: an entry that becomes this many times as large is no medium … */
const MAX_RATIO = 100;
/** … unless it is small anyway (bytes). */
const RATIO_COUNTS_FROM = 1024 * 1024;
/** All files of an import may become so many times what was sent … */
const MAX_SUM_RATIO = 10;
/** … and this many bytes more. */
const SUM_ALLOWANCE = 64 * 1024 * 1024;

/** @throws ApiError 413 naming the kind, the count and the limit */
export const requireFew = (kind: string, count: number): void => {
  const most = MOST[kind] ?? Number.POSITIVE_INFINITY;
  if (count > most)
    throw new ApiError(
      413,
      `The export has ${count} ${kind.replace('_', ' ')}; an import takes at most ${most}. Nothing was changed.`,
    );
};

/** The lists of an export, ours or screentinker's, before anything else looks at them. @throws ApiError 413 */
export const requireBounded = (json: unknown): void => {
  if (typeof json !== 'object' || json === null) return;
  for (const [name, value] of Object.entries(json))
    if (Array.isArray(value)) requireFew(ELSEWHERE[name] ?? name, value.length);
};

/** Why a file is not unpacked, in a sentence; undefined: nothing speaks against it. */
export const tooCostly = (
  { packed, size }: { readonly packed: number; readonly size: number },
  maxFileBytes: number,
): string | undefined => {
  if (size > maxFileBytes)
    return `its file has ${mebibytes(size)}, more than the ${mebibytes(maxFileBytes)} that this server takes`;
  if (size > RATIO_COUNTS_FROM && size > packed * MAX_RATIO)
    return `its file would become ${Math.floor(size / packed)} times as large as it was sent, more than the ${MAX_RATIO} times that are possible`;
  return undefined;
};

/** @param sent bytes of the export @param unpacked of all the files in it @throws ApiError 413 */
export const requireProportion = (sent: number, unpacked: number): void => {
  const most = sent * MAX_SUM_RATIO + SUM_ALLOWANCE;
  if (unpacked > most)
    throw new ApiError(
      413,
      `The files of the export become ${mebibytes(unpacked)} when they are unpacked; for what was sent at most ${mebibytes(most)} are taken. Nothing was changed.`,
    );
};

export const mebibytes = (bytes: number): string => `${+(bytes / 1024 ** 2).toFixed(1)} MiB`;

/**
 * Characters that are looked at to find a screen or a group by its name: no name has more than 200, so that a longer
 * one is nobody's, however it goes on.
 */
export const MAX_NAME = 201;
const MAX_SHOWN = 80;
/** A name in a sentence: whoever wrote the export may have made it of any length. */
export const shown = (name: string): string =>
  name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN).toWellFormed()}…` : name;

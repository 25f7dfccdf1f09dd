/**
 * Source files that a program starts by their path: programs, worker threads and child processes. The build bundles
 * each of them.
 */

/** Sources of the entries, without the ending. */
export const ENTRIES = [
  'server/main',
  'server/cli/main',
  'server/cli/waiting.worker',
  'server/db/checkpoint.worker',
  'server/features/exchange/export.worker',
  'server/features/exchange/manifest.worker',
  'server/features/reports/reports-worker',
  'server/features/widgets/feed.worker',
  'server/media/media-worker',
  'server/upkeep/upkeep.worker',
  'player/main',
  'player/launcher',
  'player/agent/machine/hardware.worker',
  'build/windows-service',
] as const;
export type Entry = (typeof ENTRIES)[number];

/**
 * Folder of the bundled programs, two levels below the root. Modules that compute the root from their own location
 * (server/kernel/place.ts, player/agent/place.ts) are also two levels below the root, so the computation is the same in
 * the bundle.
 */
export const BUNDLE = 'dist/programs';

/** Returns the name of an entry's file in the bundle, without the ending. */
export const bundledName = (entry: string): string => entry.replaceAll('/', '-');

/**
 * Returns the path of an entry, relative to the root.
 * @param asker path of the calling module; from a bundled module, the path of the bundled entry is returned
 */
export const entryFile = (entry: Entry, asker: string): string =>
  asker.endsWith('.ts') ? `${entry}.ts` : `${BUNDLE}/${bundledName(entry)}.js`;

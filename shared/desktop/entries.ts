/** Source files that are started by their path: programs, their threads and processes. The build bundles them. */

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
 * Folder of the bundle. Its files lie two folders below the root, like every module that determines its own location
 * (server/kernel/place.ts, player/agent/place.ts), so that both compute the same root.
 */
export const BUNDLE = 'dist/programs';

/** Returns the name of an entry's file in the bundle, without the ending. */
export const bundledName = (entry: string): string => entry.replaceAll('/', '-');

/**
 * Returns the path of an entry from the root.
 * @param asker path of the calling module; a bundled module gets a bundled entry
 */
export const entryFile = (entry: Entry, asker: string): string =>
  asker.endsWith('.ts') ? `${entry}.ts` : `${BUNDLE}/${bundledName(entry)}.js`;

/** What is started by its path: programs, their threads and processes. The build bundles these. */

/** Their sources, without the ending. */
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
  'player/agent/hardware.worker',
  'build/windows-service',
] as const;
export type Entry = (typeof ENTRIES)[number];

/**
 * Folder of the bundle. Like each module that asks where it lies (server/kernel/place.ts, player/agent/place.ts), its
 * files lie two folders below the root, so that the root is the same for both.
 */
export const BUNDLE = 'dist/programs';

/** @returns the name of an entry's file in the bundle, without the ending */
export const bundledName = (entry: string): string => entry.replaceAll('/', '-');

/** @param asker path of the module that asks: a bundled one asks for a bundled one @returns a path from the root */
export const entryFile = (entry: Entry, asker: string): string =>
  asker.endsWith('.ts') ? `${entry}.ts` : `${BUNDLE}/${bundledName(entry)}.js`;

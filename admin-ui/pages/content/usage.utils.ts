import type { ContentUsage } from '../../../shared/contract/content/content.ts';

const parts = [
  'playlists',
  'schedules',
  'walls',
  'devices',
  'layouts',
  'widgets',
  'kiosk_pages',
  'designs',
  'screens',
] as const;

/** Returns whether any record uses the content. */
export const isUsed = (usage: ContentUsage): boolean => parts.some((part) => usage[part].length > 0);

const merge = <T extends { readonly id: string }>(lists: readonly (readonly T[])[]): T[] => [
  ...new Map(lists.flat().map((one) => [one.id, one])).values(),
];

/** Returns the uses of several contents together, each use once. */
export const mergeUsages = (usages: readonly ContentUsage[]): ContentUsage => ({
  playlists: merge(usages.map((u) => u.playlists)),
  schedules: merge(usages.map((u) => u.schedules)),
  walls: merge(usages.map((u) => u.walls)),
  devices: merge(usages.map((u) => u.devices)),
  widgets: merge(usages.map((u) => u.widgets)),
  layouts: merge(usages.map((u) => u.layouts)),
  kiosk_pages: merge(usages.map((u) => u.kiosk_pages)),
  designs: merge(usages.map((u) => u.designs)),
  screens: merge(usages.map((u) => u.screens)),
});

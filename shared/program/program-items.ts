import type { Program, ProgramItem } from './program.ts';

/** Returns every item that a program contains. */
export const itemsOf = ({ base, fallback, fallbacks, layouts, playlists, schedules }: Program): ProgramItem[] =>
  [
    ...playlists.flatMap(({ items }) => items),
    ...schedules.map(({ item }) => item),
    ...layouts.flatMap(({ zones }) => zones.map(({ fill }) => fill?.item ?? null)),
    base.item,
    fallback,
    ...(fallbacks ?? []),
  ].filter((item) => item !== null);

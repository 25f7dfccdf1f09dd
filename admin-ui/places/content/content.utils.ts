import type { ContentFilter } from '../../data/content.ts';

export const kinds = ['all', 'image', 'video', 'audio', 'pdf', 'web'] as const;
export type KindChoice = (typeof kinds)[number];
export const sorts = ['newest', 'oldest', 'name', 'size'] as const;
export type Sort = (typeof sorts)[number];

export type ContentSearch = { q?: string; type?: string; sort?: string };

/** What an address asks for; what it misspells is left out. */
export const filterOf = ({ q, type, sort }: ContentSearch): ContentFilter => {
  const kind = kinds.find((k) => k === type);
  const order = sorts.find((s) => s === sort);
  return { ...(q && { q }), ...(kind && kind !== 'all' && { type: kind }), ...(order && order !== 'newest' && { sort: order }) };
};

/** "photo.final.JPG" is renamed without losing what says what it is. */
export const stemOf = (filename: string): string => filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || filename;

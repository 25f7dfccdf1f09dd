/** Filters of a report, and their form in the address and in requests. */
import { MAX_REPORT_CONTENTS, type ReportFilters } from '../../../shared/contract/server/reports.ts';
import type { ReportOf } from '../../api/reports.ts';

/** Kinds of filters in the order of display. */
export const filterKinds = ['content', 'plan', 'device', 'group', 'tag', 'playlist', 'label', 'folder'] as const;
export type FilterKind = (typeof filterKinds)[number];
/** A filter. The id of a tag or label is its text. */
export interface Filter {
  readonly kind: FilterKind;
  readonly id: string;
}

const members = {
  content: 'content_id',
  plan: 'plan_id',
  device: 'device_id',
  group: 'group_id',
  tag: 'tag',
  playlist: 'playlist_id',
  label: 'label',
  folder: 'folder_id',
} as const satisfies Record<FilterKind, keyof ReportFilters>;

export const keyOf = ({ kind, id }: Filter): string => `${kind}:${id}`;

/** Parses the filters of an address: `content:id,tag:word`. Invalid parts are left out. */
export const filtersFrom = (text: string | undefined): Filter[] =>
  (text ?? '').split(',').flatMap((part) => {
    const at = part.indexOf(':');
    const kind = filterKinds.find((each) => each === part.slice(0, at));
    const id = wordsOf(part.slice(at + 1));
    return kind && id ? [{ kind, id }] : [];
  });

const wordsOf = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

/** Returns the filters as text for the address; undefined without filters. */
export const textOf = (filters: readonly Filter[]): string | undefined =>
  filters.map(({ kind, id }) => `${kind}:${encodeURIComponent(id)}`).join(',') || undefined;

/**
 * Returns the filters with this filter added, or removed if it is present. Several contents are allowed; a filter of
 * any other kind replaces the previous one.
 */
export const toggled = (filters: readonly Filter[], filter: Filter): Filter[] => {
  const rest = filters.filter((each) => keyOf(each) !== keyOf(filter));
  if (rest.length < filters.length) return rest;
  if (filter.kind !== 'content') return [...rest.filter(({ kind }) => kind !== filter.kind), filter];
  return rest.filter(({ kind }) => kind === 'content').length < MAX_REPORT_CONTENTS ? [...rest, filter] : rest;
};

/** Returns the filters as parameters of a request. */
export const membersOf = (filters: readonly Filter[]): Omit<ReportOf, 'start' | 'end'> => {
  const all: Omit<ReportOf, 'start' | 'end'> = {};
  for (const { kind, id } of filters) {
    const before = all[members[kind]];
    all[members[kind]] = before === undefined ? id : `${before},${id}`;
  }
  return all;
};

/** Returns the filters as fields of a saved report. */
export const toSaved = (filters: readonly Filter[]): ReportFilters => {
  const { content_id: contents, ...rest } = membersOf(filters);
  return { ...rest, ...(contents !== undefined && { content_id: contents.split(',') }) };
};

export const fromSaved = (saved: ReportFilters): Filter[] =>
  filterKinds.flatMap((kind) => [saved[members[kind]] ?? []].flat().map((id) => ({ kind, id })));

/**
 * The screens that a calendar shows, as in the address: `screen:ID`, `group:ID`, `tag:NAME`, or nothing for all
 * screens.
 */

export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'screen'; readonly id: string }
  | { readonly kind: 'group' | 'tag'; readonly id: string };

export const scopeOf = (text: string | undefined): Scope => {
  const [, kind, id] = /^(screen|group|tag):(.+)$/.exec(text ?? '') ?? [];
  return kind && id ? { kind: kind as 'screen', id } : { kind: 'all' };
};

/** Returns the query for the rows of the calendar. */
export const rowsOf = (scope: Scope): { device_id?: string; group_id?: string; tag?: string } => {
  switch (scope.kind) {
    case 'all':
      return {};
    case 'screen':
      return { device_id: scope.id };
    case 'group':
      return { group_id: scope.id };
    case 'tag':
      return { tag: scope.id };
    default:
      return scope satisfies never;
  }
};

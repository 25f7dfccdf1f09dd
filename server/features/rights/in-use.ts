/**
 * Finds whether screens show a record, or may show it without another decision. All checks before a change of a
 * content, widget or kiosk page use this function. The search includes records that are published, planned, requested
 * for publishing, or in the bin with a place on screens, and records in drafts that the next edit of a screen
 * publishes.
 */
import type { BinService } from '../bin/bin.service.ts';
import type { RightsStore } from './rights.store.ts';

export interface Subject {
  readonly of: 'content' | 'widget' | 'kiosk';
  readonly id: string;
}

/**
 * Where a record is used. `live`: on screens, now or later without another decision. `bin`: on screens again when the
 * record `inBin` is restored.
 */
export type Use = { readonly where: 'live' } | { readonly where: 'bin'; readonly inBin: string };

interface Deps {
  readonly store: Pick<RightsStore, 'stands' | 'naming'>;
  readonly bin: Pick<BinService, 'usesOf'>;
}

/**
 * Returns a use of a record, also through widgets and kiosk pages; undefined when a change of the record changes no
 * screen.
 */
export const findUse = ({ store, bin }: Deps, workspaceId: string, subject: Subject): Use | undefined => {
  const seen = new Set<string>();
  const todo: Subject[] = [subject];
  let inBin: string | undefined;
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { of, id } = next;
    if (seen.has(id)) continue;
    seen.add(id);
    if (of !== 'kiosk' && store.stands(of, id)) return { where: 'live' };
    const binned = bin.usesOf(id);
    inBin ??= binned.shownIn;
    const { widgets, kiosk } = store.naming(workspaceId, id);
    for (const widget of widgets) todo.push({ of: 'widget', id: widget });
    for (const page of kiosk) todo.push({ of: 'kiosk', id: page });
    todo.push(...binned.makers);
  }
  return inBin === undefined ? undefined : { where: 'bin', inBin };
};

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
 * Where a record is used. `live`: on screens, now or later without another decision; `design`: name of the design
 * through which screens show the record. `bin`: on screens again when the record `inBin` is restored.
 */
export type Use =
  | { readonly where: 'live'; readonly design?: string | undefined }
  | { readonly where: 'bin'; readonly inBin: string };

/** A record to check, and the way on which it was found. */
interface Step extends Subject {
  /** Name of the design that shows the record in question. */
  readonly design?: string | undefined;
  /** Name of the record in the bin whose restore makes this record show the record in question again. */
  readonly inBin?: string | undefined;
}

interface Deps {
  readonly store: Pick<RightsStore, 'stands' | 'naming'>;
  readonly bin: Pick<BinService, 'usesOf'>;
}

/**
 * Returns a use of a record, also through widgets, kiosk pages and designs; undefined when a change of the record
 * changes no screen. Another kind of record that shows contents is added to `naming` of the store and to `showing`.
 */
export const findUse = ({ store, bin }: Deps, workspaceId: string, subject: Subject): Use | undefined => {
  const seen = new Set<string>();
  const todo: Step[] = [subject];
  /** Records that count only after a restore. They are checked last, because a live use takes precedence. */
  const later: Step[] = [];
  let inBin: string | undefined;
  for (let next = todo.pop() ?? later.pop(); next !== undefined; next = todo.pop() ?? later.pop()) {
    const { of, id, design } = next;
    if (seen.has(id)) continue;
    seen.add(id);
    if (of !== 'kiosk' && store.stands(of, id)) {
      if (next.inBin === undefined) return { where: 'live', design };
      inBin ??= next.inBin;
    }
    const binned = bin.usesOf(workspaceId, id);
    inBin ??= binned.shownIn;
    const list = next.inBin === undefined ? todo : later;
    for (const step of [...showing(store, workspaceId, id), ...binned.makers])
      list.push({ design, inBin: next.inBin, ...step });
    for (const { name, ...step } of binned.earlier) later.push({ ...step, inBin: name });
  }
  return inBin === undefined ? undefined : { where: 'bin', inBin };
};

/** Returns the records that show a record as a part of themselves. */
const showing = (store: Pick<RightsStore, 'naming'>, workspaceId: string, id: string): Step[] => {
  const { widgets, kiosk, designs } = store.naming(workspaceId, id);
  return [
    ...widgets.map((widget): Step => ({ of: 'widget', id: widget })),
    ...kiosk.map((page): Step => ({ of: 'kiosk', id: page })),
    ...designs.map((design): Step => ({ of: 'content', id: design.id, design: design.name })),
  ];
};

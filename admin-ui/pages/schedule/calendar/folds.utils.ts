/** Rows of a calendar that can be folded by group: a head for each group, and the screens of open groups. */
import type { CalendarGroup } from '../../../../shared/contract/screens/plans.ts';
import { browserStore } from '../../../components/hooks/browserStore.ts';

export interface Section {
  readonly group: CalendarGroup;
  readonly isOpen: boolean;
}

/** Content of a row: the head of a section, or a screen of the section. */
export interface Place {
  readonly section: Section;
  /** Index of the screen in its section; null for the head of the section. */
  readonly screen: number | null;
}

const rowsOf = ({ group, isOpen }: Section): number => 1 + (isOpen ? group.screens : 0);

export const countRows = (sections: readonly Section[]): number =>
  sections.reduce((sum, section) => sum + rowsOf(section), 0);

/** Returns the content of the row at an index; undefined if there is no such row. */
export const placeAt = (sections: readonly Section[], index: number): Place | undefined => {
  let left = index;
  for (const section of sections) {
    const rows = rowsOf(section);
    if (left < rows) return { section, screen: left === 0 ? null : left - 1 };
    left -= rows;
  }
  return undefined;
};

/** Returns the index of the head of a group. */
export const headAt = (sections: readonly Section[], groupId: string | null): number | undefined => {
  const nth = sections.findIndex(({ group }) => group.group_id === groupId);
  return nth < 0 ? undefined : countRows(sections.slice(0, nth));
};

/** Number of screens above which a calendar starts folded. About as many rows are in view at once. */
export const OPEN_UP_TO = 12;

const KEY = 'vitrine.calendar.folds';
/** Maximum number of groups whose state is stored. The oldest states are deleted first. */
const REMEMBERED = 500;

/** State per group by the keys of {@link keyOf}: true if the user opened the group, false if the user folded it. */
export type Folds = ReadonlyMap<string, boolean>;

export const keyOf = ({ group_id }: Pick<CalendarGroup, 'group_id'>): string => group_id ?? 'none';

export const readFolds = (store = browserStore): Folds => {
  try {
    const stored: unknown = JSON.parse(store.getItem(KEY) ?? '[]');
    const pairs = Array.isArray(stored) ? stored : [];
    return new Map(pairs.filter((pair): pair is [string, boolean] => Array.isArray(pair) && pair.length === 2));
  } catch {
    return new Map();
  }
};

/** Stores whether a group is open. Returns the states of all groups. */
export const storeFold = (folds: Folds, key: string, isOpen: boolean, store = browserStore): Folds => {
  const next = new Map(folds);
  next.delete(key);
  next.set(key, isOpen);
  const kept = [...next].slice(-REMEMBERED);
  store.setItem(KEY, JSON.stringify(kept));
  return new Map(kept);
};

/** @param screens number of screens in the whole calendar */
export const sectionsOf = (groups: readonly CalendarGroup[], screens: number, folds: Folds): Section[] =>
  groups.map((group) => ({ group, isOpen: folds.get(keyOf(group)) ?? screens <= OPEN_UP_TO }));

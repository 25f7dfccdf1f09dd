/** What is stored of a deleted record, so that it can come back with its parts and to its places. */
import type { PlaceKind } from '../../../shared/contract/bin.ts';

export type Row = Record<string, string | number | null>;

/** A record that has others in it or assigned to it, as people know it. */
export interface Owner {
  readonly kind: PlaceKind;
  readonly id: string;
  readonly name: string;
}
export interface GoneRow {
  readonly table: string;
  readonly row: Row;
  /** Absent: it is a part of what was deleted. */
  readonly owner?: Owner;
  /** Of an item that screens play: when its playlist had been published last. */
  readonly published_ms?: number | null | undefined;
}
export interface ClearedPlace {
  readonly table: string;
  readonly key: Row;
  readonly column: string;
  readonly value: string;
  /** What stood beside it, of which only one is shown: if that is another now, the place is taken. */
  readonly beside: Row;
  readonly owner: Owner;
}
/** A plan that was for a group, with its targets as they were. */
export interface AimedPlan {
  readonly id: string;
  readonly name: string;
  readonly targets: readonly { readonly kind: 'device' | 'group' | 'tag'; readonly id: string }[];
}
/** What of a content its file is. */
export type GoneFile = Row;

/** All that brings a record back. The first row is the record itself. */
export interface Snapshot {
  readonly rows: readonly GoneRow[];
  readonly places: readonly ClearedPlace[];
  readonly plans: readonly AimedPlan[];
}
/** All that is stored of an entry. `count`: of its places, for the list. */
export type Kept = ({ readonly snapshot: Snapshot } | { readonly file: GoneFile }) & { readonly count: number };

/** Each record that has it, or is assigned to it, once. */
export const ownersIn = ({ rows, places, plans }: Snapshot): Owner[] => {
  const owners = [...rows, ...places].flatMap(({ owner }) => (owner ? [owner] : []));
  const aimed = plans.map(({ id, name }): Owner => ({ kind: 'plan', id, name }));
  return [...new Map([...owners, ...aimed].map((owner) => [`${owner.kind} ${owner.id}`, owner])).values()];
};

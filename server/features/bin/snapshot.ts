/** Stored form of a deleted record, from which its parts and places are restored. */
import type { PlaceKind } from '../../../shared/contract/bin.ts';

export type Row = Record<string, string | number | null>;

/** A record that contains other records, or to which they are assigned, with its user-visible name. */
export interface Owner {
  readonly kind: PlaceKind;
  readonly id: string;
  readonly name: string;
}
export interface GoneRow {
  readonly table: string;
  readonly row: Row;
  /** Absent when the row is a part of the deleted record. */
  readonly owner?: Owner;
  /** For a published item: time at which its playlist was last published. */
  readonly published_ms?: number | null | undefined;
}
export interface ClearedPlace {
  readonly table: string;
  readonly key: Row;
  readonly column: string;
  readonly value: string;
  /** Values of the other columns of which only one is shown. When they differ now, the place is taken. */
  readonly beside: Row;
  readonly owner: Owner;
}
/** A plan of a group, with its targets at the deletion. */
export interface AimedPlan {
  readonly id: string;
  readonly name: string;
  readonly targets: readonly { readonly kind: 'device' | 'group' | 'tag'; readonly id: string }[];
}
/** Columns of a content that describe its file. */
export type GoneFile = Row;

/** All that restores a record. The first row is the record itself. */
export interface Snapshot {
  readonly rows: readonly GoneRow[];
  readonly places: readonly ClearedPlace[];
  readonly plans: readonly AimedPlan[];
}
/** Stored content of an entry. `count`: number of places, for the list. */
export type Kept = ({ readonly snapshot: Snapshot } | { readonly file: GoneFile }) & { readonly count: number };

/** Returns each record that contains the record, or to which it is assigned, once. */
export const ownersIn = ({ rows, places, plans }: Snapshot): Owner[] => {
  const owners = [...rows, ...places].flatMap(({ owner }) => (owner ? [owner] : []));
  const aimed = plans.map(({ id, name }): Owner => ({ kind: 'plan', id, name }));
  return [...new Map([...owners, ...aimed].map((owner) => [`${owner.kind} ${owner.id}`, owner])).values()];
};

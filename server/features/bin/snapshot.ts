/** Stored data of a deleted record, from which it is restored with its parts and places. */
import type { PlaceKind } from '../../../shared/contract/bin.ts';

export type Row = Record<string, string | number | null>;

/** A record that contains another record or is assigned to it, with its name for people. */
export interface Owner {
  readonly kind: PlaceKind;
  readonly id: string;
  readonly name: string;
}
export interface GoneRow {
  readonly table: string;
  readonly row: Row;
  /** Absent: the row is a part of the deleted record. */
  readonly owner?: Owner;
  /** For a published item: last publication of its playlist at that time. */
  readonly published_ms?: number | null | undefined;
}
export interface ClearedPlace {
  readonly table: string;
  readonly key: Row;
  readonly column: string;
  readonly value: string;
  /** Values of the alternative columns, of which only one is shown: after a change, the place is taken. */
  readonly beside: Row;
  readonly owner: Owner;
}
/** A plan whose target was a group, with its targets at that time. */
export interface AimedPlan {
  readonly id: string;
  readonly name: string;
  readonly targets: readonly { readonly kind: 'device' | 'group' | 'tag'; readonly id: string }[];
}
/** Columns of a content that describe its file. */
export type GoneFile = Row;

/** All rows and places of a record. The first row is the record itself. */
export interface Snapshot {
  readonly rows: readonly GoneRow[];
  readonly places: readonly ClearedPlace[];
  readonly plans: readonly AimedPlan[];
}
/** Stored JSON of an entry. `count`: number of its places, for lists. */
export type Kept = ({ readonly snapshot: Snapshot } | { readonly file: GoneFile }) & { readonly count: number };

/** Returns each record that contains the deleted record or is assigned to it, once. */
export const ownersIn = ({ rows, places, plans }: Snapshot): Owner[] => {
  const owners = [...rows, ...places].flatMap(({ owner }) => (owner ? [owner] : []));
  const aimed = plans.map(({ id, name }): Owner => ({ kind: 'plan', id, name }));
  return [...new Map([...owners, ...aimed].map((owner) => [`${owner.kind} ${owner.id}`, owner])).values()];
};

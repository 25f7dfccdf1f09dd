/**
 * Snapshot of a deleted record, from which the record is restored with its parts and places (references from other
 * records).
 */
import type { PlaceKind } from '../../../shared/contract/content/bin.ts';

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
  /** Record that contains the row. Absent: the row is a part of the deleted record. */
  readonly owner?: Owner;
  /** For a published item: time of the last publication of its playlist before the deletion. */
  readonly published_ms?: number | null | undefined;
}
export interface ClearedPlace {
  readonly table: string;
  readonly key: Row;
  readonly column: string;
  readonly value: string;
  /**
   * Values of the alternative columns, of which a row uses only one. If they were changed since, the place is not
   * restored.
   */
  readonly beside: Row;
  readonly owner: Owner;
}
/** A plan that had the deleted group as a target, with all targets that the plan had before the deletion. */
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
  /** Plans that had the deleted record as a target. Empty unless the record is a group. */
  readonly plans: readonly AimedPlan[];
}
/** Stored JSON of an entry. `count`: number of places in the entry, for lists. */
export type Kept = ({ readonly snapshot: Snapshot } | { readonly file: GoneFile }) & { readonly count: number };

/** Returns each record that contains the deleted record or is assigned to it, once. */
export const ownersIn = ({ rows, places, plans }: Snapshot): Owner[] => {
  const owners = [...rows, ...places].flatMap(({ owner }) => (owner ? [owner] : []));
  const aimed = plans.map(({ id, name }): Owner => ({ kind: 'plan', id, name }));
  return [...new Map([...owners, ...aimed].map((owner) => [`${owner.kind} ${owner.id}`, owner])).values()];
};

/** Finds the ids of records in a bin entry. The entries that concern a record are found by these ids. */
import { ownersIn, type Snapshot } from './snapshot.ts';

/** Matches ids in the addresses within configs of widgets and kiosk pages. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** Columns that contain ids of records that cannot be deleted. */
const UNNAMED: ReadonlySet<string> = new Set(['workspace_id', 'user_id', 'uploaded_by']);

/** Returns the ids of all records in a snapshot, and of the records that they refer to. */
export const namesIn = (snapshot: Snapshot): Set<string> => {
  const names = new Set<string>();
  for (const { row } of snapshot.rows)
    for (const [column, value] of Object.entries(row)) {
      if (typeof value !== 'string') continue;
      if (column === 'config') for (const [id] of value.matchAll(ID)) names.add(id);
      else if (/^(id|ref)$|_id$/.test(column) && !UNNAMED.has(column)) names.add(value);
    }
  for (const { key, value } of snapshot.places)
    for (const id of [value, ...Object.values(key)]) if (typeof id === 'string') names.add(id);
  for (const { id, targets } of snapshot.plans) for (const one of [{ id }, ...targets]) names.add(one.id);
  for (const { id } of ownersIn(snapshot)) names.add(id);
  return names;
};

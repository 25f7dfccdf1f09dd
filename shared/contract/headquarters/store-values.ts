/**
 * Values of stores at headquarters, by name, for example a price. A widget of a campaign shows in each store the value
 * of that store (shared/chain/values.ts).
 */
import { z } from 'zod';
import { StoreValues } from '../../chain/values.ts';
import { administers, nothing } from '../acts.ts';
import { endpointsOf, session, stream } from '../endpoint.ts';
import { Int, queryText } from '../fields.ts';

const endpoint = endpointsOf('Stores');
const viewer = session('viewer');
const manager = session('manager');

/**
 * Maximum number of characters of an uploaded table of values: enough for 5,000 stores with 40 values of 20 letters.
 */
const MAX_TABLE_CHARS = 4_000_000;
/** Maximum number of changes, and of mistakes, in the answer. Further ones are only counted. */
export const MAX_LISTED = 100;

const OfStore = z.object({ values: z.record(z.string(), z.string()) });
export const getStoreValues = endpoint('GET /api/stores/{id}/values', {
  name: 'getStoreValues',
  summary: 'The values of a store, by name',
  access: viewer,
  response: OfStore,
  etag: true,
});
export const setStoreValues = endpoint('PUT /api/stores/{id}/values', {
  name: 'setStoreValues',
  summary: 'Say all values of a store: those that are not named it has no more',
  description:
    'Campaigns that run show them at once in that store. Names are of letters, digits and _, at most 40 of them; at most 100 values of 500 characters.',
  access: manager,
  acts: administers('chain'),
  shows: nothing,
  body: z.object({ values: StoreValues }),
  response: OfStore,
  errors: [412],
  etag: true,
});

export const ValueNames = z.array(z.object({ name: z.string(), stores: Int }));
export type ValueNames = z.infer<typeof ValueNames>;
export const listValueNames = endpoint('GET /api/stores/values', {
  name: 'listValueNames',
  summary: 'The names of all values that stores have, and how many have each',
  description: '`store.name` and `store.region` come first: nobody has to say them.',
  access: viewer,
  response: ValueNames,
});

export const exportStoreValues = endpoint('GET /api/stores/values/table', {
  name: 'exportStoreValues',
  summary: 'The values of all stores as CSV: a row for each store, a column for each value; streamed',
  description:
    'The table can be imported again, changed or unchanged. Cells that a spreadsheet would execute begin with an apostrophe, which the import removes.',
  access: viewer,
  query: z.object({ region: queryText(100), tag: queryText(50), q: queryText(100) }),
  response: stream('text/csv', 'named'),
});

const Change = z.object({
  store_id: z.string(),
  store_name: z.string(),
  name: z.string(),
  /** Value before and after the change; null: no value. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export const ValuesTable = z.object({
  /** Whether the changes were made. */
  applied: z.boolean(),
  /** Number of stores in the table, and number of changed stores. */
  stores: Int,
  changed_stores: Int,
  /** Number of all changes, and the first ones. */
  changed: Int,
  changes: z.array(Change),
  /** Number of all mistakes, and the first ones. */
  wrong: Int,
  mistakes: z.array(z.object({ line: Int, column: Int, error: z.string() })),
});
export type ValuesTable = z.infer<typeof ValuesTable>;
export const importStoreValues = endpoint('POST /api/stores/values/table', {
  name: 'importStoreValues',
  summary: 'Say values of many stores at once, in a table; or see what it would change',
  description: `Text as spreadsheets give it: cells are separated by tabs, semicolons or commas. The first line names the values; the first column names a store, by its name or id. An empty cell takes the value away; what has no column stays. Without \`apply\` nothing is changed, and the answer says what would be: the first ${MAX_LISTED} of it, and of what is wrong. With \`apply\` all of it is done, or, where anything is wrong, nothing (400). The ETag is of all stores in the table.`,
  access: manager,
  acts: administers('chain'),
  shows: nothing,
  body: z.object({
    table: z.string().min(1, 'must not be empty').max(MAX_TABLE_CHARS, `must be at most ${MAX_TABLE_CHARS} characters`),
    apply: z.boolean().default(false),
  }),
  maxBytes: 12 * 1024 * 1024,
  response: ValuesTable,
  errors: [412],
  etag: true,
});

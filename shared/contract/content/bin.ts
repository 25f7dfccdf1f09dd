/**
 * Bin for deleted and replaced records. The bin also remembers where a record was used (its places). An addition to the
 * contract: the answers to deletions are unchanged, and `GET /api/bin?ref=` finds the deleted record.
 */
import { z } from 'zod';
import { everything, on } from '../acts.ts';
import { endpointsOf, read, session, write } from '../endpoint.ts';
import { Epoch, Int, paging, queryId, queryText, queryWord } from '../fields.ts';

/** Number of days that an entry stays in the bin. On a full disk, the oldest files are removed earlier. */
export const BIN_DAYS = 30;
/** Maximum number of places that the answer of a restore names; `left_total` is the number of all places. */
export const MAX_LEFT = 100;

const endpoint = endpointsOf('Bin');

/**
 * Kind of record that the entry contains. `file`: the previous file of a content; its `ref` is the id of the content.
 */
export const binKinds = ['content', 'file', 'playlist', 'plan', 'layout', 'group', 'widget', 'wall', 'kiosk'] as const;
export type BinKind = (typeof binKinds)[number];
/** Kinds of records that can be deleted; `kiosk`: a kiosk page. */
export const recordKinds = binKinds.filter((kind) => kind !== 'file');
export type RecordKind = (typeof recordKinds)[number];

/** Kinds of places. A place is a record that contained the deleted record, or that the deleted record contained. */
export const placeKinds = [
  'content',
  'widget',
  'design',
  'playlist',
  'plan',
  'layout',
  'screen',
  'group',
  'wall',
  'workspace',
  'folder',
  'slot',
  'other',
] as const;
export type PlaceKind = (typeof placeKinds)[number];

export const BinEntry = z.object({
  id: z.string(),
  kind: z.enum(binKinds),
  /** Id of the record; a restored record has the same id. */
  ref: z.string(),
  name: z.string(),
  /** Number of records that contained the deleted record or to which it was assigned. */
  places: Int,
  /** Total size in bytes of the files that are stored only because of this entry. */
  bytes: Int,
  /** Name of the user who deleted the record; null: the account was deleted. */
  user_id: z.string().nullable(),
  user_name: z.string(),
  created_at: Epoch,
  /** Time at which the entry is deleted for good. */
  until: Epoch,
});
export type BinEntry = z.infer<typeof BinEntry>;

/**
 * Place that could not be restored. `gone`: the place was deleted or changed in the meantime. `taken`: the place has
 * other content now. `full`: the place has reached its limit.
 */
export const LeftPlace = z.object({
  kind: z.enum(placeKinds),
  id: z.string(),
  name: z.string(),
  reason: z.enum(['gone', 'taken', 'full']),
  /** Another entry of the bin, whose restore makes the place available again; null: no such entry. */
  bin_id: z.string().nullable(),
});
export type LeftPlace = z.infer<typeof LeftPlace>;

export const Restored = z.object({
  kind: z.enum(binKinds),
  /** Id of the restored record. */
  id: z.string(),
  name: z.string(),
  /** Number of records that contain the restored record again. */
  places: Int,
  left: z.array(LeftPlace),
  left_total: Int,
});
export type Restored = z.infer<typeof Restored>;

export const Places = z.object({
  /** The places, at most MAX_PLACES, sorted by kind and name. */
  places: z.array(z.object({ kind: z.enum(placeKinds), id: z.string(), name: z.string() })),
  total: Int,
});
export type Places = z.infer<typeof Places>;
/** Maximum number of places in the answer; `total` is the number of all places. */
export const MAX_PLACES = 100;

export const listPlaces = endpoint('GET /api/places/{id}', {
  name: 'listPlaces',
  summary: 'Every record that has it, or is assigned to it: what deleting it would change',
  description: `kind: ${recordKinds.join(', ')}.`,
  access: read,
  query: z.object({ kind: z.enum(recordKinds) }),
  response: Places,
});

export const listBin = endpoint('GET /api/bin', {
  name: 'listBin',
  summary: 'Deleted records and replaced files, newest first, in pages',
  access: read,
  query: z.object({
    kind: queryWord(binKinds),
    q: queryText(),
    /** Id of the deleted or replaced record. */
    ref: queryId,
    ...paging(50, 200),
  }),
  response: z.array(BinEntry),
});
/** Maximum number of entries in the answer of `listRelated`. */
export const MAX_RELATED = 200;

export const listRelated = endpoint('GET /api/bin/{id}/related', {
  name: 'listRelated',
  summary:
    'Other entries of the bin that belong to an entry: records that it shows, or that were removed from it, also indirectly',
  description: `Restored one after the other in this order, and it last, the record is as it was. At most ${MAX_RELATED}.`,
  access: read,
  response: z.array(BinEntry),
});
export const restoreFromBin = endpoint('POST /api/bin/{id}/restore', {
  name: 'restoreFromBin',
  summary: 'Bring it back under its id, to its places that are still free',
  description:
    'Playlists have it at its position again, and show it at once unless they were published in between. What was assigned to something else since stays so. What names a record that is in the bin itself gets it again when that is restored: `left` has the entry (`bin_id`). A file comes back in place of the present one, which goes into the bin. 409 while that of which it is a part is deleted itself.',
  access: write,
  acts: ({ params }) => [on('bin', params.id)],
  shows: ({ params }) => [{ by: 'bin', id: params.id }],
  body: null,
  response: Restored,
  errors: [409],
});
export const deleteFromBin = endpoint('DELETE /api/bin/{id}', {
  name: 'deleteFromBin',
  summary: 'Delete it for good',
  access: session('manager'),
  acts: ({ params }) => [on('bin', params.id)],
});
export const emptyBin = endpoint('DELETE /api/bin', {
  name: 'emptyBin',
  summary: 'Delete all that is in the bin for good',
  access: session('manager'),
  acts: () => [everything],
  response: z.object({ success: z.literal(true), deleted: Int }),
});

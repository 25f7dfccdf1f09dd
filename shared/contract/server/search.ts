/** Search for records of a workspace by name, to choose them or to open them. */
import { z } from 'zod';
import { endpointsOf, read } from '../endpoint.ts';
import { Int, queryFlag, queryInt, queryText } from '../fields.ts';

/** Kinds of records that can be found. */
export const SEARCH_KINDS = [
  'device',
  'group',
  'tag',
  'playlist',
  'content',
  'folder',
  'label',
  'widget',
  'layout',
  'wall',
  'kiosk',
  'plan',
  'person',
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** Maximum number of results of each kind in one answer. */
export const MAX_SEARCH_HITS = 50;

/** Maximum number of ids in one request. */
export const MAX_SEARCH_IDS = 100;

const endpoint = endpointsOf('Search');

export const SearchHit = z.object({
  kind: z.enum(SEARCH_KINDS),
  /** Id of the record. For a tag or a label: the word itself. */
  id: z.string(),
  /** Name of the record. For a plan without a title: the name of its content. */
  name: z.string(),
  /**
   * Hint that distinguishes records of one name: the groups of a screen, the folder of a content, the parent of a
   * folder, the description of a playlist, the address of a person. Empty: none.
   */
  hint: z.string(),
  /** Kind of a content, type of a widget, `template` for a layout, role of a person. Empty for other records. */
  type: z.string(),
  /** Address of a picture of the record; null: no picture. */
  thumbnail: z.string().nullable(),
  /** Number of screens of a group, tag or wall; null for other records. */
  screens: Int.nullable(),
});
export type SearchHit = z.infer<typeof SearchHit>;

const isKind = (word: string): word is SearchKind => (SEARCH_KINDS as readonly string[]).includes(word);
const listOf = (text: string | undefined) => [...new Set((text ?? '').split(',').map((s) => s.trim()))].filter(Boolean);

/** Kinds separated by commas; empty: all. */
const queryKinds = z
  .string()
  .optional()
  .transform((text, ctx): readonly SearchKind[] => {
    const words = listOf(text);
    const kinds = words.filter(isKind);
    if (kinds.length === words.length) return kinds.length === 0 ? SEARCH_KINDS : kinds;
    ctx.addIssue({ code: 'custom', message: `must be some of ${SEARCH_KINDS.join(', ')}, with commas between them` });
    return z.NEVER;
  })
  .meta({ type: 'string' });

/** Query parameter: ids separated by commas. */
const queryIds = z
  .string()
  .optional()
  .transform((text, ctx): readonly string[] => {
    const ids = listOf(text);
    if (ids.length <= MAX_SEARCH_IDS) return ids;
    ctx.addIssue({ code: 'custom', message: `must be at most ${MAX_SEARCH_IDS} ids` });
    return z.NEVER;
  })
  .meta({ type: 'string' });

export const search = endpoint('GET /api/search', {
  name: 'search',
  summary: 'Find things of a workspace by their names',
  description:
    'Each kind by itself, in the order of the kinds: first names that begin with q, then those whose words do, then those that contain each word of it; case and accents do not matter. Without q: the newest of each kind; of tags and labels, all in order. A label is a word that contents have (`folder` of a content). kinds are words between commas (default: all), limit is for each kind; X-Total-Count is of all that match. ids are looked up instead, up to 100, and q is not: those that are gone are left out. mine leaves out the screens, groups and tags that are not among what one’s rights are for. The playlist that is a screen’s own is found by its id alone, people by sessions alone.',
  access: read,
  query: z.object({
    q: queryText(),
    kinds: queryKinds,
    ids: queryIds,
    limit: queryInt(1, MAX_SEARCH_HITS, 10),
    mine: queryFlag,
  }),
  response: z.array(SearchHit),
});

/** What a member of a workspace may do, beside the role. An addition to the contract. */
import { z } from 'zod';
import { endpointsOf, read } from './endpoint.ts';
import { nameOf, queryText } from './fields.ts';
import { WorkspaceRole } from './users.ts';

const endpoint = endpointsOf('Workspaces');

/** Of folders, or of groups, that a member's rights are for. */
export const MAX_RIGHTS = 1000;
/** In one question. */
export const MAX_ASKED = 200;

/** At headquarters: a role in the stores of a region. */
export const RegionRole = z.object({ region: nameOf(100), role: WorkspaceRole });
export type RegionRole = z.infer<typeof RegionRole>;

/** Of an editor; others have what their role says. */
export const Rights = z.object({
  /**
   * `upload`: brings contents, gives contents names and places, and makes folders for them; replaces, expires and deletes
   * its own uploads that no screen shows; changes nothing else.
   */
  duty: z.enum(['all', 'upload']),
  /** Folders in which it may change contents, with those within; null: all. */
  folder_ids: z.array(z.string()).nullable(),
  /** Groups whose screens it may change, with what these alone show; null: all. */
  group_ids: z.array(z.string()).nullable(),
  /** Decides about what others want to publish, where that needs approval. */
  approves: z.boolean(),
  /**
   * At headquarters, of who is no administrator: regions whose stores it sees, and what it is in their own windows; at
   * headquarters it is no more than its role there. null: all stores.
   */
  regions: z.array(RegionRole).nullable(),
});
export type Rights = z.infer<typeof Rights>;

const rightsKinds = [
  'content',
  'folder',
  'screen',
  'group',
  'playlist',
  'layout',
  'widget',
  'kiosk',
  'wall',
  'plan',
] as const;
export type RightsKind = (typeof rightsKinds)[number];

export const Hindrance = z.object({
  id: z.string(),
  /** Why not, in a sentence. */
  reason: z.string(),
  /**
   * `outside_rights`: it is not among what my rights are for. `approval_required`: it is on screens, and somebody who
   * approves may change what is shown of it. `uploads_only`: my rights are for uploading, and somebody else added it or
   * screens show it; I may give it another name and place, and not replace, expire or delete it.
   */
  code: z.string(),
});
export type Hindrance = z.infer<typeof Hindrance>;

export const listHindrances = endpoint('GET /api/rights', {
  name: 'listHindrances',
  summary: 'Which of these records I may not change, and why',
  description: `ids: separated by commas, at most ${MAX_ASKED}. Those that I may change are left out, and so is what does not exist.`,
  access: read,
  query: z.object({
    kind: z.enum(rightsKinds, `must be one of ${rightsKinds.join(', ')}`),
    ids: queryText(10_000).transform((text, ctx) => {
      const ids = text?.split(',').filter(Boolean) ?? [];
      if (ids.length > MAX_ASKED) ctx.addIssue({ code: 'custom', message: `must be at most ${MAX_ASKED} ids` });
      return ids;
    }),
  }),
  response: z.array(Hindrance),
});

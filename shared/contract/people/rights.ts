/** Rights of a member in a workspace, which limit what the role allows. An addition to the contract. */
import { z } from 'zod';
import { endpointsOf, read } from '../endpoint.ts';
import { nameOf, queryText } from '../fields.ts';
import { WorkspaceRole } from './users.ts';

const endpoint = endpointsOf('Workspaces');

/** Maximum number of folders or groups in a member's rights. */
export const MAX_RIGHTS = 1000;
/** Maximum number of records whose rights one request may query. */
export const MAX_ASKED = 200;

/** Role of a member of headquarters in the stores of a region. */
export const RegionRole = z.object({ region: nameOf(100), role: WorkspaceRole });
export type RegionRole = z.infer<typeof RegionRole>;

/** Rights of an editor. Only editors are limited; other roles may do everything that the role allows. */
export const Rights = z.object({
  /**
   * `upload`: adds contents, sets the name and folder of contents, and creates folders for them; replaces, expires and
   * deletes its own uploads that no screen shows; changes nothing else.
   */
  duty: z.enum(['all', 'upload']),
  /** Folders, with their subfolders, in which the member may change contents; null: all folders. */
  folder_ids: z.array(z.string()).nullable(),
  /** Groups whose screens the member may change, with everything that only these screens show; null: all groups. */
  group_ids: z.array(z.string()).nullable(),
  /** Whether the member may approve or refuse requests to publish, in workspaces with approval. */
  approves: z.boolean(),
  /**
   * At headquarters, for members who are no administrators: visible regions, and the member's role in the admin windows
   * of their stores, which is never higher than the role at headquarters. null: all stores.
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
  /** Reason of the refusal in a sentence. */
  reason: z.string(),
  /**
   * Reason of a refusal. `outside_rights`: the record is outside of the caller's rights. `approval_required`: the
   * record is on screens, and only an approver may change what they show. `uploads_only`: the caller may only upload,
   * and another person added the record or screens show it; only its name and folder may change.
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

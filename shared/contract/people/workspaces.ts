/** Workspaces, their members and invites. */
import { z } from 'zod';
import { type Act, administers, nothing } from '../acts.ts';
import { endpointsOf, session } from '../endpoint.ts';
import { Epoch, Flag, FlagOut, Id, Int, Name, Ref } from '../fields.ts';
import { MAX_RIGHTS, RegionRole, Rights } from './rights.ts';
import { NewEmail, OrganizationRole, WorkspaceRole } from './users.ts';

const endpoint = endpointsOf('Workspaces');

/** Name of a workspace until people rename it. */
export const DEFAULT_WORKSPACE = 'Default';

/**
 * Returns the displayed name of a workspace: the name of its organization until people name the workspace, because the
 * stored name is not translated.
 */
export const workspaceCalled = (name: string, organization: string | undefined): string =>
  (name === DEFAULT_WORKSPACE && organization) || name;

export const Workspace = z.object({
  id: z.string(),
  name: z.string(),
  organization_id: z.string(),
  organization_name: z.string(),
  device_count: Int,
  /**
   * Id of the content that plays when nothing else plays, on screens for which neither the screen nor its groups name
   * such content.
   */
  default_content_id: z.string().nullable(),
  /** Picture on the reports of the workspace. */
  logo_content_id: z.string().nullable(),
  /** 1: publishing waits until an approver has decided about the playlist. */
  approval: FlagOut,
  created_at: Epoch,
});
export type Workspace = z.infer<typeof Workspace>;

export const Member = z.object({
  user_id: z.string(),
  email: z.string(),
  name: z.string(),
  role: WorkspaceRole,
  created_at: Epoch,
  ...Rights.shape,
});
export type Member = z.infer<typeof Member>;

export const Invite = z.object({
  id: z.string(),
  email: z.string(),
  role: WorkspaceRole,
  expires_at: Epoch,
  created_at: Epoch,
});
export type Invite = z.infer<typeof Invite>;

export const OrganizationMember = z.object({
  user_id: z.string(),
  email: z.string(),
  name: z.string(),
  /** Role in the organization; null: the person is only a member of workspaces of the organization. */
  role: OrganizationRole.nullable(),
});
export type OrganizationMember = z.infer<typeof OrganizationMember>;

export const listWorkspaces = endpoint('GET /api/workspaces', {
  name: 'listWorkspaces',
  summary: 'Workspaces I can go to, by organization and name',
  access: session('user'),
  acts: nothing,
  response: z.array(Workspace),
});
export const createWorkspace = endpoint('POST /api/workspaces', {
  name: 'createWorkspace',
  summary: 'Make a workspace in the current organization',
  description: 'You become its administrator.',
  access: session('org_admin'),
  acts: administers('workspaces'),
  body: z.object({ name: Name }),
  status: 201,
  response: Workspace,
});
/** The approval setting limits the rights of members. The name, the logo and the default content do not. */
const updated = ({ approval, organization_name }: { approval?: unknown; organization_name?: unknown }): Act[] => [
  ...(approval === undefined ? [] : administers('members')()),
  ...(organization_name === undefined ? [] : administers('workspaces')()),
];
export const updateWorkspace = endpoint('PUT /api/workspaces/{id}', {
  name: 'updateWorkspace',
  summary: 'Rename a workspace, give it a default content or a logo, or say that publishing needs approval',
  description:
    'For its administrators. `organization_name` renames the organization, for its owners and administrators. With `approval` 1 only its administrators and members who approve publish; others ask (POST /api/playlists/{id}/publish-request), and are refused (403 `approval_required`) what would come on screens in another way: assignments of contents, plans, fallbacks, walls and zones with a content or widget, messages, overlays, pages by command, imports, and changes of what was approved.',
  access: session('user'),
  acts: ({ body }) => updated(body),
  shows: nothing,
  body: z.object({
    name: Name.optional(),
    organization_name: Name.optional(),
    default_content_id: Ref.optional(),
    logo_content_id: Ref.optional(),
    approval: Flag.optional(),
  }),
  response: Workspace,
});
export const deleteWorkspace = endpoint('DELETE /api/workspaces/{id}', {
  name: 'deleteWorkspace',
  summary: 'Delete a workspace and everything in it',
  description:
    'For owners and administrators of the organization, while it is their current one. Its screens forget their content and show a pairing code. An organization’s last workspace cannot be deleted (400).',
  access: session('org_admin'),
  acts: administers('workspaces'),
});

const RightIds = z
  .array(Id)
  .max(MAX_RIGHTS, `must be at most ${MAX_RIGHTS} ids`)
  .transform((ids) => [...new Set(ids)])
  .nullable()
  .optional();
export const MemberChange = z.object({
  role: WorkspaceRole,
  duty: z.enum(['all', 'upload'], 'must be all or upload').optional(),
  folder_ids: RightIds,
  group_ids: RightIds,
  approves: z.boolean('must be true or false').optional(),
  regions: z
    .array(RegionRole)
    .max(MAX_RIGHTS, `must be at most ${MAX_RIGHTS} regions`)
    .refine(
      (list) => new Set(list.map(({ region }) => region)).size === list.length,
      'must contain each region only once',
    )
    .nullable()
    .optional(),
});
export type MemberChange = z.infer<typeof MemberChange>;

export const listMembers = endpoint('GET /api/workspaces/{id}/members', {
  name: 'listMembers',
  summary: 'Members of a workspace, oldest first',
  description: 'Direct memberships only: owners and administrators of the organization have access without one.',
  access: session('user'),
  acts: nothing,
  response: z.array(Member),
});
export const updateMember = endpoint('PUT /api/workspaces/{id}/members/{userId}', {
  name: 'updateMember',
  summary: 'Change a member’s role and rights, at once',
  description:
    'What is absent stays as it is. `duty`, `folder_ids`, `group_ids` and `approves` are of editors: administrators may do everything, viewers read. A member’s tokens have the same rights. `regions` are of viewers and editors of a headquarters: they see the stores of these regions alone, and are in them what is said there. A folder or group that is deleted leaves the lists; an empty list is nothing, null is all. What is refused for it is 403 `outside_rights`. An upload without a folder goes into the first of `folder_ids`. Whoever belongs to the organization (by a role in it, or as a member of another of its workspaces) becomes a member so, without an invite. 404 for anybody else.',
  access: session('user'),
  acts: administers('members'),
  shows: nothing,
  body: MemberChange,
  response: Member,
});
export const removeMember = endpoint('DELETE /api/workspaces/{id}/members/{userId}', {
  name: 'removeMember',
  summary: 'Remove a member; its tokens for this workspace die',
  access: session('user'),
  acts: administers('members'),
  shows: nothing,
});

export const listInvites = endpoint('GET /api/workspaces/{id}/invites', {
  name: 'listInvites',
  summary: 'Pending invites, oldest first',
  access: session('user'),
  acts: administers('invites'),
  response: z.array(Invite),
});
export const createInvite = endpoint('POST /api/workspaces/{id}/invites', {
  name: 'createInvite',
  summary: 'Invite an address for 7 days',
  description:
    'Replaces an earlier invite of the address. Whoever holds its link (`/#/invite/{id}`) may register that address while registration is closed. A mail with it is sent when the server can send mail, again for the same address only after 10 minutes (until then the link stays the same); an address is sent 3 mails an hour and 10 a day at most, of all workspaces and kinds together (429); accepting is POST /api/auth/accept-invite/{id}, or `invite` of POST /api/auth/register. 409 when the address belongs to a member.',
  access: session('user'),
  acts: administers('invites'),
  shows: nothing,
  body: z.object({ email: NewEmail, role: WorkspaceRole }),
  status: 201,
  response: Invite,
  errors: [409, 429],
});
export const deleteInvite = endpoint('DELETE /api/workspaces/{id}/invites/{inviteId}', {
  name: 'deleteInvite',
  summary: 'Take an invite back',
  access: session('user'),
  acts: administers('invites'),
  shows: nothing,
});

export const listOrganizationMembers = endpoint('GET /api/organizations/{id}/members', {
  name: 'listOrganizationMembers',
  summary: 'People of an organization, by name',
  description:
    'Whoever has a role in it or is a member of one of its workspaces. For its owners and administrators (403).',
  access: session('user'),
  acts: administers('members'),
  response: z.array(OrganizationMember),
});
export const setOrganizationRole = endpoint('PUT /api/organizations/{id}/members/{userId}', {
  name: 'setOrganizationRole',
  summary: 'Make somebody an owner or administrator of the organization, at once',
  description:
    'For its owners and platform administrators (403). Both roles count as administrator in all of its workspaces; owners also give roles and set passwords. 404 for who does not belong to the organization; 409 for its last owner.',
  access: session('user'),
  acts: administers('members'),
  shows: nothing,
  body: z.object({ role: OrganizationRole }),
  response: OrganizationMember,
  errors: [409],
});
export const removeOrganizationRole = endpoint('DELETE /api/organizations/{id}/members/{userId}', {
  name: 'removeOrganizationRole',
  summary: 'Take a role in the organization away, at once',
  description:
    'For its owners and platform administrators (403). Memberships in its workspaces stay; the person’s tokens for the others die. 404 for who has no role; 409 for its last owner.',
  access: session('user'),
  acts: administers('members'),
  shows: nothing,
  errors: [409],
});

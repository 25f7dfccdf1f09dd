import type { IncomingMessage } from 'node:http';
import { success } from '../../../shared/contract/fields.ts';
import { acceptInvite } from '../../../shared/contract/people/auth.ts';
import { getBrand, updateBrand } from '../../../shared/contract/people/brand.ts';
import { createToken, listTokens, revokeToken } from '../../../shared/contract/people/tokens.ts';
import {
  createInvite,
  createWorkspace,
  deleteInvite,
  deleteWorkspace,
  listInvites,
  listMembers,
  listOrganizationMembers,
  listWorkspaces,
  removeMember,
  removeOrganizationRole,
  setOrganizationRole,
  updateMember,
  updateWorkspace,
} from '../../../shared/contract/people/workspaces.ts';
import { type Bound, bind } from '../../http/api.ts';
import type { BrandsService } from './brands.service.ts';
import type { InvitesService } from './invites.service.ts';
import type { MembersService } from './members.service.ts';
import type { OrganizationMembersService } from './organization-members.service.ts';
import type { TokensService } from './tokens.service.ts';
import type { WorkspacesService } from './workspaces.service.ts';

interface WorkspaceServices {
  readonly workspaces: WorkspacesService;
  readonly brands: BrandsService;
  readonly members: MembersService;
  readonly organization: OrganizationMembersService;
  readonly invites: InvitesService;
  readonly tokens: TokensService;
  /** Origin at which people reach this server, for links in mails. */
  readonly origins: { origin(req: IncomingMessage): string };
}

export const workspaceRoutes = (s: WorkspaceServices): Bound[] => [
  bind(listWorkspaces, ({ actor }) => s.workspaces.list(actor)),
  bind(createWorkspace, ({ actor, body }) => s.workspaces.create(actor, body)),
  bind(updateWorkspace, ({ actor, params, body }) => s.workspaces.update(actor, params.id, body)),
  bind(deleteWorkspace, ({ actor, params }) => {
    s.workspaces.delete(actor, params.id);
    return success;
  }),

  bind(getBrand, ({ actor, params }) => s.brands.get(actor, params.id)),
  bind(updateBrand, ({ actor, params, body }) => s.brands.update(actor, params.id, body)),

  bind(listMembers, ({ actor, params }) => s.members.list(actor, params.id)),
  bind(updateMember, ({ actor, params, body }) => s.members.update(actor, params.id, params.userId, body)),
  bind(removeMember, ({ actor, params }) => {
    s.members.remove(actor, params.id, params.userId);
    return success;
  }),

  bind(listOrganizationMembers, ({ actor, params }) => s.organization.list(actor, params.id)),
  bind(setOrganizationRole, ({ actor, params, body }) =>
    s.organization.setRole(actor, params.id, params.userId, body.role),
  ),
  bind(removeOrganizationRole, ({ actor, params }) => {
    s.organization.removeRole(actor, params.id, params.userId);
    return success;
  }),

  bind(listInvites, ({ actor, params }) => s.invites.list(actor, params.id)),
  bind(createInvite, ({ actor, params, body, req }) => s.invites.create(actor, params.id, body, s.origins.origin(req))),
  bind(deleteInvite, ({ actor, params }) => {
    s.invites.delete(actor, params.id, params.inviteId);
    return success;
  }),
  bind(acceptInvite, ({ actor, params }) => s.invites.accept(actor, params.inviteId)),

  bind(listTokens, ({ actor }) => s.tokens.list(actor)),
  bind(createToken, ({ actor, body }) => s.tokens.create(actor, body)),
  bind(revokeToken, ({ actor, params }) => {
    s.tokens.revoke(actor, params.id);
    return success;
  }),
];

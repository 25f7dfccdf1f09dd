/** Creates workspaces, their members, invites and tokens. */
import type { HomeInvite, Homes } from '../../features/accounts/accounts.service.ts';
import { BrandsService } from '../../features/workspaces/brands.service.ts';
import { BrandsStore } from '../../features/workspaces/brands.store.ts';
import { type GoodInvite, InvitesService } from '../../features/workspaces/invites.service.ts';
import { InvitesStore } from '../../features/workspaces/invites.store.ts';
import { MembersService } from '../../features/workspaces/members.service.ts';
import { MembersStore } from '../../features/workspaces/members.store.ts';
import { OrganizationMembersService } from '../../features/workspaces/organization-members.service.ts';
import { OrganizationMembersStore } from '../../features/workspaces/organization-members.store.ts';
import { TokensService } from '../../features/workspaces/tokens.service.ts';
import { TokensStore } from '../../features/workspaces/tokens.store.ts';
import { WorkspaceAccess } from '../../features/workspaces/workspace-access.ts';
import { WorkspacesService } from '../../features/workspaces/workspaces.service.ts';
import { WorkspacesStore } from '../../features/workspaces/workspaces.store.ts';
import type { Kernel } from '../kernel.ts';
import type { MailParts } from './mails.ts';

export const createWorkspaces = (kernel: Kernel, mails: Pick<MailParts, 'post' | 'settings' | 'textsFor'>) => {
  const { db } = kernel;
  const { post, settings, textsFor } = mails;
  const workspaceStore = new WorkspacesStore(db);
  const memberStore = new MembersStore(db);
  const access = new WorkspaceAccess(workspaceStore);
  const workspaces = new WorkspacesService({ ...kernel, store: workspaceStore, members: memberStore, access });
  const brands = new BrandsService({ ...kernel, store: new BrandsStore(db), access });
  const people = new OrganizationMembersStore(db);
  const members = new MembersService({ ...kernel, store: memberStore, people, access });
  const organization = new OrganizationMembersService({
    ...kernel,
    store: people,
    members: memberStore,
    workspaces: workspaceStore,
    access,
  });
  const inviteStore = new InvitesStore(db);
  const invites = new InvitesService({
    ...kernel,
    store: inviteStore,
    members: memberStore,
    workspaces: workspaceStore,
    access,
    mails: {
      get configured() {
        return post.configured;
      },
      invited: (to, { inviteId, origin, ...facts }) =>
        post.post({
          to,
          ...textsFor(to).invite({ to, ...facts, server: settings.name, link: `${origin}/#/invite/${inviteId}` }),
        }),
    },
  });
  const tokens = new TokensService({ ...kernel, store: new TokensStore(db), access });

  const asHome = (good: GoodInvite): HomeInvite => ({
    join: (user, ip) => void invites.join({ userId: user.id, userName: user.name, ip }, good),
  });
  const homes: Homes = {
    found: (user) => workspaces.found(user),
    invite: (id, email) => asHome(invites.get(id, email)),
    inviteFor: (email) => {
      const good = invites.findFor(email);
      return good && asHome(good);
    },
  };
  return {
    workspaceStore,
    memberStore,
    inviteStore,
    workspaces,
    brands,
    members,
    organization,
    invites,
    tokens,
    homes,
  };
};

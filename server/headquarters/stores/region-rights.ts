/** Rights of people at headquarters in its stores: their role in all stores, or a role in each of some regions. */
import { ApiError } from '../../../shared/contract/errors.ts';
import { WorkspaceRole as Role } from '../../../shared/contract/people/users.ts';
import type { Actor, WorkspaceRole } from '../../kernel/trust/actor.ts';
import type { StoreNow } from './store-registry.ts';

type Who = Pick<Actor, 'regions' | 'workspaceRole'>;
type Where = Pick<StoreNow, 'region'>;

/** Returns the role that a person has inside the store; null if the person does not see the store. */
export const roleIn = ({ regions, workspaceRole }: Who, { region }: Where): WorkspaceRole | null =>
  regions === null ? workspaceRole : (regions.find((one) => one.region === region)?.role ?? null);

/** Returns whether the person sees the store and its plays. */
export const isSeen = (who: Who, store: Where): boolean => roleIn(who, store) !== null;

/** Returns whether the person may change what the store shows, and send it commands. */
export const isEdited = (who: Who, store: Where): boolean => {
  const role = roleIn(who, store);
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf('workspace_editor');
};

/** @throws ApiError 403 */
export const requireEdited = (who: Who, store: Pick<StoreNow, 'region' | 'name'>): void => {
  if (!isEdited(who, store))
    throw new ApiError(
      403,
      `You can view stores in the region ${store.region}, but not change them. ${store.name} is in this region.`,
      {
        code: 'outside_rights',
      },
    );
};

/** Roles in ascending order of power. */
const { options: ROLES } = Role;

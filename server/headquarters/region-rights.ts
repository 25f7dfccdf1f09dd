/** What people of headquarters are in its stores: everything that their role says, or a role in each of some regions. */
import { ApiError } from '../../shared/contract/errors.ts';
import { WorkspaceRole as Role } from '../../shared/contract/users.ts';
import type { Actor, WorkspaceRole } from '../kernel/actor.ts';
import type { StoreNow } from './store-book.ts';

type Who = Pick<Actor, 'regions' | 'workspaceRole'>;
type Where = Pick<StoreNow, 'region'>;

/** In a store's own window; null: the store is not theirs to see. */
export const roleIn = ({ regions, workspaceRole }: Who, { region }: Where): WorkspaceRole | null =>
  regions === null ? workspaceRole : (regions.find((one) => one.region === region)?.role ?? null);

/** Whether they see it, and read what it showed. */
export const isSeen = (who: Who, store: Where): boolean => roleIn(who, store) !== null;

/** Whether they may have it show or do something. */
export const isEdited = (who: Who, store: Where): boolean => {
  const role = roleIn(who, store);
  return role !== null && ROLES.indexOf(role) >= ROLES.indexOf('workspace_editor');
};

/** @throws ApiError 403 */
export const requireEdited = (who: Who, store: Pick<StoreNow, 'region' | 'name'>): void => {
  if (!isEdited(who, store))
    throw new ApiError(403, `You only look at stores in ${store.region}: ${store.name} is one.`, {
      code: 'outside_rights',
    });
};

/** The least first. */
const { options: ROLES } = Role;

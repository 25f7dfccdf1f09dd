import { badRequest, forbidden, notFound } from '../../../../shared/contract/errors.ts';
import type { Actor } from '../../../kernel/trust/actor.ts';
import type { UserRow, UsersStore } from './users.store.ts';

/** Actor who sets the password of another user, or creates a link for setting it. */
export type Resetter = Pick<Actor, 'userId' | 'platformRole' | 'organizationId' | 'confinedTo'>;

/**
 * Returns as `within` the organization whose owner role allows the actor to set the user's password (the current one,
 * if several do); null: the platform role allows it.
 * @throws 404 unknown user, 403 not allowed, 400 for the own account and for accounts of a sign-in provider
 */
export const requireMayReset = (
  users: Pick<UsersStore, 'find' | 'ownedTeamsOf'>,
  actor: Resetter,
  id: string,
): { user: UserRow; within: string | null } => {
  if (id === actor.userId) throw badRequest('Change your own password in your account (PUT /api/auth/me)');
  const user = users.find(id);
  if (!user) throw notFound('User');
  const isPlatforms = actor.platformRole === 'platform_admin';
  const owned =
    isPlatforms || user.role !== 'user'
      ? []
      : users.ownedTeamsOf(actor.userId, id).filter((team) => actor.confinedTo === null || team === actor.confinedTo);
  const within = owned.find((team) => team === actor.organizationId) ?? owned[0] ?? null;
  if (!isPlatforms && within === null)
    throw forbidden(
      'Only an owner of the user’s organization or an administrator of the server can reset this password',
    );
  if (user.auth_provider !== 'local')
    throw badRequest('This user signs in with a sign-in provider; change the password there');
  return { user, within };
};

import { forbidden } from '../../../shared/contract/errors.ts';
import type { Actor } from './actor.ts';

/**
 * Rejects requests outside of the organization whose owner set the user's password.
 * @throws 403 until the password is
 * confirmed
 */
export const requireOwnPassword = (actor: Pick<Actor, 'confinedTo'>): void => {
  if (actor.confinedTo === null) return;
  throw forbidden(
    'An owner of an organization set your password, so the password works only for that organization. Confirm the password with the link in our e-mail to you, or ask an administrator of the server.',
    'password_unconfirmed',
  );
};

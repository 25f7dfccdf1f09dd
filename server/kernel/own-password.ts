import { forbidden } from '../../shared/contract/errors.ts';
import type { Actor } from './actor.ts';

/**
 * Guards what reaches beyond the organization whose owner has set the password.
 * @throws 403 until the password is confirmed
 */
export const requireOwnPassword = (actor: Pick<Actor, 'confinedTo'>): void => {
  if (actor.confinedTo === null) return;
  throw forbidden(
    'An owner of an organization has set your password, so it opens that organization alone. Confirm it by the mail that was sent to you, or ask an administrator of the server.',
    'password_unconfirmed',
  );
};

import { logout } from '../../shared/contract/auth.ts';
import { client } from './client.ts';
import { session } from './session.ts';

/** Ends the session here and, when it can be reached, on the server. */
export const signOut = async (): Promise<void> => {
  try {
    await client.call(logout);
  } catch {
    // Carries on: the session is gone here, and on the server it ends by itself.
  }
  session.end({ onPurpose: true });
};

import { logout } from '../../../shared/contract/people/auth.ts';
import { client } from '../requests/client.ts';
import { session } from './session.ts';

/** Ends the session here and, if it is reachable, on the server. */
export const signOut = async (): Promise<void> => {
  try {
    await client.call(logout);
  } catch {
    // Continues: the session is removed here, and expires on the server.
  }
  session.end({ onPurpose: true });
};

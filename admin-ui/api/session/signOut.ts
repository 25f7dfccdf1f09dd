import { logout } from '../../../shared/contract/people/auth.ts';
import { client } from '../requests/client.ts';
import { session } from './session.ts';

/** Ends the session in this browser and, if the server is reachable, on the server. */
export const signOut = async (): Promise<void> => {
  try {
    await client.call(logout);
  } catch {
    // Signs out anyway: the session is removed in this browser, and expires on the server.
  }
  session.end({ onPurpose: true });
};

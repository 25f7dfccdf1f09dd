import { logout } from '../../shared/contract/auth.ts';
import { client } from './client.ts';
import { session } from './session.ts';

/** Ends the session in the browser and, if the server is reachable, on the server. */
export const signOut = async (): Promise<void> => {
  try {
    await client.call(logout);
  } catch {
    // The error is ignored: the session is removed in the browser, and expires on the server.
  }
  session.end({ onPurpose: true });
};

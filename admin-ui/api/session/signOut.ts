import { logout } from '../../../shared/contract/people/auth.ts';
import { client } from '../requests/client.ts';
import { session } from './session.ts';

/** Ends the session in this browser and, if the server is reachable, on the server. */
export const signOut = async (): Promise<void> => {
  try {
    await client.call(logout);
  } catch {
    // Signs out even if the server does not answer: this browser forgets the session, and it expires on the server.
  }
  session.end({ onPurpose: true });
};

import { type ClientOptions, createClient } from '../../shared/contract/client.ts';
import { session } from './session.ts';

const options: ClientOptions = {
  origin: '',
  token: () => session.token() ?? undefined,
  // A deletion begun while the window closes (removals.ts) still reaches the server.
  fetch: (input, init) => fetch(input, init?.method === 'DELETE' ? { ...init, keepalive: true } : init),
};

/** The only way to the API. A 401 on anything that needs a session means that it has ended. */
export const client = createClient({ ...options, onUnauthorized: () => session.end() });

/** For changing the password: a wrong present one is 401 as well, and no reason to sign anybody out. */
export const passwordClient = createClient(options);

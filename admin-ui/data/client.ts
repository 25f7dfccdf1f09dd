import { createClient } from '../../shared/contract/client.ts';
import { hearServerTime } from '../components/serverClock.ts';
import { worded } from '../i18n/sentences.ts';
import { session } from './session.ts';
import { windowId } from './windowId.ts';

/** The only way to the API. A 401 on anything that needs a session means that it has ended. */
export const client = createClient({
  origin: '',
  token: () => session.token() ?? undefined,
  window: windowId,
  // A deletion begun while the window closes (removals.ts) still reaches the server.
  fetch: async (input, init) => {
    const asked = Date.now();
    const answer = await fetch(input, init?.method === 'DELETE' ? { ...init, keepalive: true } : init);
    hearServerTime(answer.headers.get('date'), asked, Date.now());
    return answer;
  },
  onUnauthorized: () => session.end(),
  worded,
});

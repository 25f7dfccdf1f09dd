/** Reads the events that the player sends to a screen page. */
import { request } from 'node:http';
import { ScreenState } from '../../screen/host/host.ts';

/** Resolves with the first matching state of the player. */
export async function stateAt(url: string, is: (state: ScreenState) => boolean): Promise<ScreenState> {
  const response = await fetch(`${url}events`, { signal: AbortSignal.timeout(20_000) });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk);
    for (const frame of text.split('\n\n').slice(0, -1)) {
      if (!frame.startsWith('data: ')) continue;
      const state = ScreenState.parse(JSON.parse(frame.slice(6)));
      if (is(state)) return state;
    }
    text = text.slice(text.lastIndexOf('\n\n') + 2);
  }
  throw new Error('the stream ended');
}

export const playing = (id: string) => (state: ScreenState) => state.phase === 'playing' && state.program_id === id;

/**
 * Requests a path exactly as given, and returns the status. `fetch` would normalize the path and refuse another Host
 * header.
 */
export function rawStatus(url: string, { path, host }: { path: string; host?: string }): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: host === undefined ? {} : { Host: host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
}

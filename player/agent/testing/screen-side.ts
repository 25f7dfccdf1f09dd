/** What a screen page hears from the player that serves it. */
import { ScreenState } from '../../screen/host.ts';

/** The state of the player, once one satisfies. */
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

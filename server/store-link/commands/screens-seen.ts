import type { Presence } from '../../../shared/chain/wire.ts';
import type { ScreenRow } from '../membership/chain.store.ts';

/** Maximum number of screen names sent to headquarters. */
const NAMED = 50;
/**
 * Time in seconds after which an offline screen counts as dark. A restart of a player or a change of its network
 * usually takes less time.
 */
const DARK_SECONDS = 60;

interface Live {
  readonly status: 'online' | 'offline';
  readonly program: { readonly state: 'waiting' | 'ready' | 'failed' } | null;
}

/**
 * Time in milliseconds after which a screen without its newest program is reported. Downloads for a new program usually
 * take less time.
 */
const BEHIND_MS = 300_000;

/**
 * Returns a function that counts the screens by state, and remembers since when each screen lacks its newest program.
 */
export const createScreensSeen = () => {
  let since = new Map<string, number>();

  /**
   * Counts screens that are online, that are dark, or that lack their newest program for a long time.
   * @param now epoch ms
   */
  return (
    screens: readonly ScreenRow[],
    live: (id: string) => Live | undefined,
    now: number,
  ): Pick<Presence, 'screens' | 'dark_names'> => {
    let [online, behind] = [0, 0];
    const dark: string[] = [];
    const lacking = new Map<string, number>();
    for (const { id, name, last_heartbeat } of screens) {
      const seen = live(id);
      if (seen?.status === 'online') {
        online++;
        if (seen.program === null || seen.program.state === 'ready') continue;
        const from = since.get(id) ?? now;
        lacking.set(id, from);
        if (seen.program.state === 'failed' || now - from >= BEHIND_MS) behind++;
      } else if (last_heartbeat === null || now / 1000 - last_heartbeat > DARK_SECONDS) dark.push(name);
    }
    since = lacking;
    return {
      screens: { total: screens.length, online, dark: dark.length, behind },
      dark_names: dark.slice(0, NAMED),
    };
  };
};

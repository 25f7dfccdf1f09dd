import type { Presence } from '../../../shared/chain/wire.ts';
import type { ScreenRow } from './chain.store.ts';

/** Names that headquarters is told. */
const NAMED = 50;
/** A player that is started again, or changes its network, is gone for no longer. */
const DARK_SECONDS = 60;

interface Live {
  readonly status: 'online' | 'offline';
  readonly program: { readonly state: 'waiting' | 'ready' | 'failed' } | null;
}

/** Files of a new program are on their way for no longer, as a rule. */
const BEHIND_MS = 300_000;

/** Looks at the screens of a workspace from time to time, and remembers since when each lacks its newest program. */
export const createScreensSeen = () => {
  let since = new Map<string, number>();

  /** How many are online, dark, or for long without their newest program. @param now epoch ms */
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

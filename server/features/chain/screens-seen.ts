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

/** How many of a workspace's screens are online, dark, or without their newest program. @param now epoch ms */
export const screensSeen = (
  screens: readonly ScreenRow[],
  live: (id: string) => Live | undefined,
  now: number,
): Pick<Presence, 'screens' | 'dark_names'> => {
  let [online, behind] = [0, 0];
  const dark: string[] = [];
  for (const { id, name, last_heartbeat } of screens) {
    const seen = live(id);
    if (seen?.status === 'online') {
      online++;
      if (seen.program !== null && seen.program.state !== 'ready') behind++;
    } else if (last_heartbeat === null || now / 1000 - last_heartbeat > DARK_SECONDS) dark.push(name);
  }
  return {
    screens: { total: screens.length, online, dark: dark.length, behind },
    dark_names: dark.slice(0, NAMED),
  };
};

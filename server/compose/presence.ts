/** Creates the live state of players and screens. Created early, because many parts use it. */
import { DeviceAuth } from '../realtime/players/device-auth.ts';
import { PlayerHub } from '../realtime/players/player-hub.ts';
import { PlayersStore } from '../realtime/players/players.store.ts';
import { LiveStore } from '../realtime/state/live.store.ts';
import { LiveRegistry } from '../realtime/state/live-registry.ts';
import { Wheel } from '../realtime/wheel.ts';
import type { Kernel } from './kernel.ts';

export const createPresence = ({ db, bus, clock, mono, log }: Kernel) => {
  const wheel = new Wheel({ mono, onError: (error) => log.error('A timer failed', { error }) });
  const registry = new LiveRegistry({ db, store: new LiveStore(db), bus, clock, wheel, log });
  const players = new PlayersStore(db);
  return {
    wheel,
    hub: new PlayerHub(),
    registry,
    players,
    /** Authenticates HTTP requests of players. */
    auth: new DeviceAuth({ store: players, bus }),
    isOnline: (deviceId: string) => registry.get(deviceId)?.status === 'online',
  };
};

export type Presence = ReturnType<typeof createPresence>;

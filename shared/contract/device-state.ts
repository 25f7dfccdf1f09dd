/** How a screen is doing: decided here for the list, its order and filters, the wall and a screen's page. Pure. */

/** `attention`: cannot show what it should. `off`: its panel is, as it should be. `idle`: has nothing to show. */
export type DeviceState = 'online' | 'offline' | 'attention' | 'off' | 'idle';

/** Of a Device. */
interface Seen {
  readonly status: 'provisioning' | 'online' | 'offline';
  readonly program: { readonly state: 'waiting' | 'ready' | 'failed' } | null;
  readonly showing: readonly unknown[];
  readonly screen_on: boolean | null;
}

/** Returns the state of a device as it is now. */
export const stateOf = ({ status, program, showing, screen_on }: Seen): DeviceState => {
  if (status !== 'online') return 'offline';
  if (program?.state === 'failed') return 'attention';
  if (screen_on === false) return 'off';
  if (showing.length === 0 && program?.state !== 'waiting') return 'idle';
  return 'online';
};

/** The lower, the more urgent. */
export const URGENCY: Readonly<Record<DeviceState, number>> = { offline: 0, attention: 1, idle: 2, online: 3, off: 3 };

/** `problems` is what somebody should look at: away, or not able to show what it should. */
export const DEVICE_STATES = ['online', 'offline', 'problems'] as const;

/** Returns whether a device in this state is among those that are asked for. */
export const isAmong = (state: DeviceState, wanted: (typeof DEVICE_STATES)[number]): boolean => {
  if (wanted === 'problems') return state === 'offline' || state === 'attention';
  return (state === 'offline') === (wanted === 'offline');
};

/**
 * State of a screen. The list of screens with its order and filters, the page of a wall and the page of a screen call
 * this function. Pure.
 */

/**
 * States of a screen. `attention`: cannot show its program. `off`: its panel is off as planned. `idle`: has nothing to
 * show.
 */
export type DeviceState = 'online' | 'offline' | 'attention' | 'off' | 'idle';

/** The fields of a Device that determine its state. */
interface Seen {
  readonly status: 'provisioning' | 'online' | 'offline';
  readonly program: { readonly state: 'waiting' | 'ready' | 'failed' } | null;
  readonly showing: readonly unknown[];
  readonly screen_on: boolean | null;
}

/** Returns the current state of a device. */
export const stateOf = ({ status, program, showing, screen_on }: Seen): DeviceState => {
  if (status !== 'online') return 'offline';
  if (program?.state === 'failed') return 'attention';
  if (screen_on === false) return 'off';
  if (showing.length === 0 && program?.state !== 'waiting') return 'idle';
  return 'online';
};

/** Urgency of each state; lower is more urgent. */
export const URGENCY: Readonly<Record<DeviceState, number>> = { offline: 0, attention: 1, idle: 2, online: 3, off: 3 };

/**
 * Filters by state. `problems`: screens that a person should look at, because they are offline or cannot show their
 * program.
 */
export const DEVICE_STATES = ['online', 'offline', 'problems'] as const;

/** Returns whether a device in this state matches the filter. */
export const isAmong = (state: DeviceState, wanted: (typeof DEVICE_STATES)[number]): boolean => {
  if (wanted === 'problems') return state === 'offline' || state === 'attention';
  return (state === 'offline') === (wanted === 'offline');
};

/** Functions that both the screens page and the page of a screen use. */
import type { DEVICE_STATES, DeviceState } from '../../../shared/contract/screens/device-state.ts';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import type { DevicePatch } from '../../../shared/protocol/live.ts';
import type { TelemetryFields } from '../../../shared/protocol/telemetry.ts';

/** Returns the screen with live values in place of fetched values. */
export const withLive = (screen: Device, live: DevicePatch): Device => ({
  ...screen,
  status: live.status ?? screen.status,
  last_heartbeat: live.last_heartbeat ?? screen.last_heartbeat,
  showing: live.status === 'offline' ? [] : (live.showing ?? screen.showing),
  screen_on: live.status === 'offline' ? null : live.screen_on === undefined ? screen.screen_on : live.screen_on,
  program: live.program ?? screen.program,
  screenshot_at: Math.max(live.screenshot_at ?? 0, screen.screenshot_at ?? 0) || null,
  ...(live.telemetry as Partial<TelemetryFields> | undefined),
});

export const toneOf: Record<DeviceState, 'good' | 'warn' | 'bad' | undefined> = {
  online: 'good',
  offline: 'bad',
  attention: 'warn',
  off: undefined,
  idle: undefined,
};

/**
 * Returns the aspect ratio of the upright picture: a panel rotated by a quarter is tall. 16:9 while the player has
 * not reported its pixels.
 */
export const aspectOf = ({
  screen_width: w,
  screen_height: h,
  orientation,
}: Pick<Device, 'screen_width' | 'screen_height' | 'orientation'>): number => {
  const ratio = w > 0 && h > 0 ? w / h : 16 / 9;
  const turned = orientation === '90' || orientation === '270';
  return turned ? 1 / ratio : ratio;
};

/**
 * Returns whether the screen plays but cannot take screenshots: it is a plain browser, or an agent whose page runs
 * in another browser.
 */
export const isDrawable = ({
  status,
  capabilities,
  screen_on,
  showing,
}: Pick<Device, 'status' | 'capabilities' | 'screen_on' | 'showing'>): boolean =>
  status === 'online' && screen_on !== false && showing.length > 0 && !capabilities.includes('screenshot');

/** Returns a code in groups of three characters, as people read it out. */
export const spellCode = (code: string): string => (code.length === 6 ? `${code.slice(0, 3)} ${code.slice(3)}` : code);

/**
 * Returns the rating of a Wi-Fi signal in dBm: from -60 on the signal causes no problems, below -75 videos load
 * slowly.
 */
export const signalOf = (rssi: number): 'good' | 'fair' | 'weak' =>
  rssi >= -60 ? 'good' : rssi >= -75 ? 'fair' : 'weak';

export const stateFilters = ['all', 'problems', 'online', 'offline'] as const satisfies (
  | 'all'
  | (typeof DEVICE_STATES)[number]
)[];
export type StateFilter = (typeof stateFilters)[number];

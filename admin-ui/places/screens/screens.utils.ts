/** How a screen is doing, decided in one place for the wall, the page of one screen and their order. */
import type { Device } from '../../../shared/contract/devices.ts';
import type { DevicePatch } from '../../../shared/protocol/live.ts';
import type { TelemetryFields } from '../../../shared/protocol/telemetry.ts';

/** `off`: its panel is, as it should be. */
export type ScreenState = 'online' | 'offline' | 'attention' | 'off' | 'idle';

/** What was just said wins over what was last fetched. */
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

export const stateOf = (screen: Pick<Device, 'status' | 'program' | 'showing' | 'screen_on'>): ScreenState => {
  if (screen.status !== 'online') return 'offline';
  if (screen.program?.state === 'failed') return 'attention';
  if (screen.screen_on === false) return 'off';
  if (screen.showing.length === 0 && screen.program?.state !== 'waiting') return 'idle';
  return 'online';
};

export const toneOf: Record<ScreenState, 'good' | 'warn' | 'bad' | undefined> = {
  online: 'good',
  offline: 'bad',
  attention: 'warn',
  off: undefined,
  idle: undefined,
};

const URGENCY: Record<ScreenState, number> = { offline: 0, attention: 1, idle: 2, online: 3, off: 3 };

/** Problems first, then by name as people sort: Screen 2 before Screen 10. */
export const inOrder = <T extends { screen: Pick<Device, 'name'>; state: ScreenState }>(
  screens: readonly T[],
  locale: string,
): T[] => {
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  return [...screens].sort(
    (a, b) => URGENCY[a.state] - URGENCY[b.state] || collator.compare(a.screen.name, b.screen.name),
  );
};

/** Of the picture as it hangs: a panel turned by a quarter is upright. 16:9 while the player has not told. */
export const aspectOf = ({
  screen_width: w,
  screen_height: h,
  orientation,
}: Pick<Device, 'screen_width' | 'screen_height' | 'orientation'>): number => {
  const ratio = w > 0 && h > 0 ? w / h : 16 / 9;
  const turned = orientation === '90' || orientation === '270';
  return turned ? 1 / ratio : ratio;
};

/** It plays, but cannot take a picture of itself: a bare browser, or an agent whose page somebody else opened. */
export const isDrawable = ({
  status,
  capabilities,
  screen_on,
  showing,
}: Pick<Device, 'status' | 'capabilities' | 'screen_on' | 'showing'>): boolean =>
  status === 'online' && screen_on !== false && showing.length > 0 && !capabilities.includes('screenshot');

/** A code as it is read out: three and three. */
export const spellCode = (code: string): string => (code.length === 6 ? `${code.slice(0, 3)} ${code.slice(3)}` : code);

/** dBm: above -60 nobody notices anything, below -75 videos arrive slowly. */
export const signalOf = (rssi: number): 'good' | 'fair' | 'weak' =>
  rssi >= -60 ? 'good' : rssi >= -75 ? 'fair' : 'weak';

export const stateFilters = ['all', 'problems', 'online', 'offline'] as const;
export type StateFilter = (typeof stateFilters)[number];

/** `problems` is what somebody should look at: away, or not able to show what it should. */
export const matchesState = (state: ScreenState, filter: StateFilter): boolean => {
  if (filter === 'all') return true;
  if (filter === 'problems') return state === 'offline' || state === 'attention';
  return filter === 'offline' ? state === 'offline' : state !== 'offline';
};

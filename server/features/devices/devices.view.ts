import { Device, type ProgramState, type TelemetryRow } from '../../../shared/contract/screens/devices.ts';
import type { ScreenFormats } from '../../../shared/formats/screen-formats.ts';
import type { Showing, SyncReport } from '../../../shared/protocol/messages.ts';
import { type TelemetryFields, telemetryOf } from '../../../shared/protocol/telemetry.ts';
import type { DeviceRow, TelemetryStored } from './devices.store.ts';

/** Live state of a device, newer than its row (server/realtime). */
export interface LiveState {
  readonly status: 'online' | 'offline';
  readonly lastHeartbeat: number | null;
  readonly telemetry: TelemetryFields;
  readonly showing: readonly Showing[];
  readonly screenOn: boolean | null;
  readonly sync: SyncReport | null;
  readonly program: ProgramState | null;
  readonly screenshotAt: number | null;
  /** Formats that the player reports, as JSON text; null when the player does not report formats. */
  readonly formats: string | null;
  /** `capabilities` is JSON text. */
  readonly info: Pick<DeviceRow, 'platform' | 'version' | 'screen_width' | 'screen_height' | 'ip_address'> & {
    readonly capabilities: string;
  };
}

const MEMBERS = Object.keys(Device.shape) as (keyof Device)[];

/**
 * Returns only the fields that the contract names. Other columns of the row, such as the hash of the secret, stay on
 * the server.
 */
export const toDevice = (row: DeviceRow, live: LiveState | undefined): Device => {
  const known: Device = {
    ...row,
    tags: [...row.tags],
    ...(live && {
      ...live.info,
      capabilities: JSON.parse(live.info.capabilities) as string[],
      ...live.telemetry,
      last_heartbeat: live.lastHeartbeat,
      formats: live.formats === null ? null : (JSON.parse(live.formats) as ScreenFormats),
    }),
    status: live?.status ?? 'offline',
    showing: [...(live?.showing ?? [])],
    screen_on: live?.screenOn ?? null,
    sync: live?.sync ?? null,
    program: live?.program ?? null,
    screenshot_at: live?.screenshotAt ?? row.screenshot_at,
  };
  return Object.fromEntries(MEMBERS.map((member) => [member, known[member]])) as Device;
};

export const toTelemetry = (row: TelemetryStored): TelemetryRow => ({
  ...telemetryOf(row),
  reported_at: row.reported_at,
});

import { Device, type ProgramState, type TelemetryRow } from '../../../shared/contract/devices.ts';
import type { ScreenFormats } from '../../../shared/formats/screen-formats.ts';
import type { Showing, SyncReport } from '../../../shared/protocol/messages.ts';
import { type TelemetryFields, telemetryOf } from '../../../shared/protocol/telemetry.ts';
import type { DeviceRow, TelemetryStored } from './devices.store.ts';

/** What is known of a device beyond its row, newer than what was written down (server/realtime). */
export interface LiveState {
  readonly status: 'online' | 'offline';
  readonly lastHeartbeat: number | null;
  readonly telemetry: TelemetryFields;
  readonly showing: readonly Showing[];
  readonly screenOn: boolean | null;
  readonly sync: SyncReport | null;
  readonly program: ProgramState | null;
  readonly screenshotAt: number | null;
  /** JSON text; null: its player does not report. */
  readonly formats: string | null;
  /** Has `capabilities` as JSON text. */
  readonly info: Pick<DeviceRow, 'platform' | 'version' | 'screen_width' | 'screen_height' | 'ip_address'> & {
    readonly capabilities: string;
  };
}

const MEMBERS = Object.keys(Device.shape) as (keyof Device)[];

/** Takes the members that the contract names and no others: what else a row has, like the secret's hash, stays here. */
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

import type { Device, ProgramState, TelemetryRow } from '../../../shared/contract/devices.ts';
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
  /** `capabilities` is JSON text. */
  readonly info: Pick<DeviceRow, 'platform' | 'version' | 'screen_width' | 'screen_height' | 'ip_address'> & { readonly capabilities: string };
}

/** Leaves the secret's hash behind by construction. */
export const toDevice = (row: DeviceRow, live: LiveState | undefined): Device => ({
  id: row.id,
  name: row.name,
  status: live?.status ?? 'offline',
  workspace_id: row.workspace_id,
  playlist_id: row.playlist_id,
  layout_id: row.layout_id,
  default_content_id: row.default_content_id,
  timezone: row.timezone,
  orientation: row.orientation,
  opening_hours: row.opening_hours,
  notes: row.notes,
  created_at: row.created_at,
  updated_at: row.updated_at,
  ip_address: (live?.info ?? row).ip_address,
  last_heartbeat: live ? live.lastHeartbeat : row.last_heartbeat,
  ...telemetryOf(live ? live.telemetry : row),
  platform: (live?.info ?? row).platform,
  version: (live?.info ?? row).version,
  capabilities: live ? (JSON.parse(live.info.capabilities) as string[]) : row.capabilities,
  screen_width: (live?.info ?? row).screen_width,
  screen_height: (live?.info ?? row).screen_height,
  showing: [...(live?.showing ?? [])],
  screen_on: live?.screenOn ?? null,
  sync: live?.sync ?? null,
  program: live?.program ?? null,
  screenshot_at: live?.screenshotAt ?? row.screenshot_at,
});

export const toTelemetry = (row: TelemetryStored): TelemetryRow => ({ ...telemetryOf(row), reported_at: row.reported_at });

/**
 * Telemetry of a player's machine. Each field is declared here once; the player's message, the database columns, the
 * Device of the resource API and the gauges of the admin window are derived from this list.
 */
import { z } from 'zod';

interface Declaration {
  /** Storage type of the value: a text, a whole number, or any number. */
  readonly kind: 'text' | 'integer' | 'real';
  /** Minimum and maximum that a player may report. */
  readonly range?: readonly [min: number, max: number];
  /** Unit of the value, a name in `Intl.NumberFormat`. `percent`: 0 to 100. */
  readonly unit?: 'percent' | 'megabyte' | 'second' | 'celsius';
}

/** Number of bytes in a megabyte, for the fields with the unit `megabyte`. */
export const MEGABYTE = 1_000_000;

/** The fields, in the order of the database columns and of the API responses. */
export const TELEMETRY = {
  local_ip: { kind: 'text' },
  local_ip6: { kind: 'text' },
  /** Status of the Wi-Fi name. `permission`: connected to Wi-Fi, but the operating system hides the name. */
  wifi_ssid: { kind: 'text' },
  /** Signal strength of the Wi-Fi in dBm, a negative number. */
  wifi_rssi: { kind: 'integer' },
  battery_level: { kind: 'integer', range: [0, 100], unit: 'percent' },
  /** 1: the battery is charging; 0: the battery is not charging. */
  battery_charging: { kind: 'integer', range: [0, 1] },
  storage_free_mb: { kind: 'integer', unit: 'megabyte' },
  storage_total_mb: { kind: 'integer', unit: 'megabyte' },
  ram_free_mb: { kind: 'integer', unit: 'megabyte' },
  ram_total_mb: { kind: 'integer', unit: 'megabyte' },
  /** Load as the average of all cores. */
  cpu_usage: { kind: 'real', unit: 'percent' },
  uptime_seconds: { kind: 'integer', unit: 'second' },
  /** Temperature of the processor. */
  temperature_c: { kind: 'real', range: [-100, 200], unit: 'celsius' },
} as const satisfies Record<string, Declaration>;

type Declared = typeof TELEMETRY;
export type TelemetryField = keyof Declared;
export const TELEMETRY_FIELDS = Object.keys(TELEMETRY) as TelemetryField[];
/** Names of the fields with a unit. */
export type MeasuredField = { [F in TelemetryField]: Declared[F] extends { unit: string } ? F : never }[TelemetryField];

/** Gauges of the admin window in this order, each with the text `screen.gauge.<field>` (ScreenHealth.tsx). */
export const GAUGES = [
  'cpu_usage',
  'ram_free_mb',
  'storage_free_mb',
  'wifi_ssid',
  'battery_level',
  'temperature_c',
  'uptime_seconds',
] as const satisfies readonly TelemetryField[];
export type GaugedField = (typeof GAUGES)[number];

const KINDS = { text: z.string(), integer: z.number().int(), real: z.number() };
type Shape = { [F in TelemetryField]: z.ZodNullable<(typeof KINDS)[Declared[F]['kind']]> };
const each = <T>(make: (field: TelemetryField) => T) =>
  Object.fromEntries(TELEMETRY_FIELDS.map((field) => [field, make(field)]));

/** Telemetry of a machine; null: never reported, or not available on its platform. */
export const TelemetryFields = z.object(each((field) => KINDS[TELEMETRY[field].kind].nullable()) as Shape);
export type TelemetryFields = z.infer<typeof TelemetryFields>;

const reported = ({ kind, range: [min, max] = [-Infinity, Infinity] }: Declaration) =>
  kind === 'text' ? KINDS.text.max(200) : KINDS[kind].min(min).max(max);

/** Telemetry in a player's message. Absent: unchanged. Null: not available. */
export const Telemetry = z.object(each((field) => reported(TELEMETRY[field]).nullable()) as Shape).partial();
export type Telemetry = z.infer<typeof Telemetry>;

export const NO_TELEMETRY = each(() => null) as Readonly<Record<TelemetryField, null>>;
/** Returns only the telemetry fields of a row with more fields. */
export const telemetryOf = (row: TelemetryFields) => each((field) => row[field]) as TelemetryFields;

/**
 * What a player reports of its machine (telemetry). Each field is declared here once; the player's message, the columns
 * of the database, the resource API's Device and the admin window's gauges follow from it.
 */
import { z } from 'zod';

interface Declaration {
  /** How it is kept: a text, a whole number, or any number. */
  readonly kind: 'text' | 'integer' | 'real';
  /** The least and the greatest that a player may report. */
  readonly range?: readonly [min: number, max: number];
  /** By its name in `Intl.NumberFormat`. `percent`: 0 to 100. */
  readonly unit?: 'percent' | 'megabyte' | 'second' | 'celsius';
}

/** Bytes of one, in the fields whose unit is `megabyte`. */
export const MEGABYTE = 1_000_000;

/** In the order of the database's columns and of the API's answers. */
export const TELEMETRY = {
  local_ip: { kind: 'text' },
  local_ip6: { kind: 'text' },
  /** `permission`: on Wi-Fi, but the operating system withheld the name. */
  wifi_ssid: { kind: 'text' },
  /** dBm, negative. */
  wifi_rssi: { kind: 'integer' },
  battery_level: { kind: 'integer', range: [0, 100], unit: 'percent' },
  /** 1 charging, 0 not. */
  battery_charging: { kind: 'integer', range: [0, 1] },
  storage_free_mb: { kind: 'integer', unit: 'megabyte' },
  storage_total_mb: { kind: 'integer', unit: 'megabyte' },
  ram_free_mb: { kind: 'integer', unit: 'megabyte' },
  ram_total_mb: { kind: 'integer', unit: 'megabyte' },
  /** Of all cores together. */
  cpu_usage: { kind: 'real', unit: 'percent' },
  uptime_seconds: { kind: 'integer', unit: 'second' },
  /** Of the processor. */
  temperature_c: { kind: 'real', range: [-100, 200], unit: 'celsius' },
} as const satisfies Record<string, Declaration>;

type Declared = typeof TELEMETRY;
export type TelemetryField = keyof Declared;
export const TELEMETRY_FIELDS = Object.keys(TELEMETRY) as TelemetryField[];
/** Those with a unit. */
export type MeasuredField = { [F in TelemetryField]: Declared[F] extends { unit: string } ? F : never }[TelemetryField];

/**
 * What the admin window shows as gauges, in this order, each under the text `screen.gauge.<field>` (ScreenHealth.tsx).
 */
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

/** What is known of a machine; null: never reported, or not available on its platform. */
export const TelemetryFields = z.object(each((field) => KINDS[TELEMETRY[field].kind].nullable()) as Shape);
export type TelemetryFields = z.infer<typeof TelemetryFields>;

const reported = ({ kind, range: [min, max] = [-Infinity, Infinity] }: Declaration) =>
  kind === 'text' ? KINDS.text.max(200) : KINDS[kind].min(min).max(max);

/** What a player says of its machine. Absent: unchanged. Null: not available. */
export const Telemetry = z.object(each((field) => reported(TELEMETRY[field]).nullable()) as Shape).partial();
export type Telemetry = z.infer<typeof Telemetry>;

export const NO_TELEMETRY = each(() => null) as Readonly<Record<TelemetryField, null>>;
/** These members alone, of a row that has more. */
export const telemetryOf = (row: TelemetryFields) => each((field) => row[field]) as TelemetryFields;

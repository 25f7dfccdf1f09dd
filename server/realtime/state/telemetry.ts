/**
 * Normalizes telemetry for storage: an absent field is unchanged, null means not available (player protocol,
 * heartbeat).
 */
import { isIPv4, isIPv6 } from 'node:net';
import {
  TELEMETRY_FIELDS,
  type Telemetry,
  type TelemetryField,
  type TelemetryFields,
} from '../../../shared/protocol/telemetry.ts';

/** IPv6 addresses that are stored: global (2000::/3) and unique-local (fc00::/7). */
const CARRIED = /^(?:[23][0-9a-f]{3}|f[cd][0-9a-f]{2}):/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const CONTROL = /[\u0000-\u001f\u007f]+/g;

/** Returns a text from a player as one line, without control characters and with at most `max` characters. */
export const plainText = (text: string, max = 200): string => text.replace(CONTROL, ' ').trim().slice(0, max);

/** Conversions for some text fields. All other text fields use {@link plainText}. */
const kept: { [F in TelemetryField]?: (value: string) => string | null } = {
  local_ip: (v) => (isIPv4(v) ? v : null),
  local_ip6: (v) => {
    const address = v.split('%')[0]!;
    return isIPv6(address) && CARRIED.test(address) ? address : null;
  },
};

/** Returns the fields of `report` that differ from the known values; undefined when there are none. */
export const changedTelemetry = (known: TelemetryFields, report: Telemetry): Partial<TelemetryFields> | undefined => {
  let changed: Record<string, string | number | null> | undefined;
  for (const key of TELEMETRY_FIELDS) {
    const reported = report[key];
    if (reported === undefined) continue;
    const value = typeof reported === 'string' ? (kept[key] ?? plainText)(reported) : reported;
    if (value !== known[key]) (changed ??= {})[key] = value;
  }
  return changed as Partial<TelemetryFields> | undefined;
};

/**
 * What a player reports of itself, as it is kept: absent = unchanged, null = not available (player protocol,
 * heartbeat).
 */
import { isIPv4, isIPv6 } from 'node:net';
import {
  TELEMETRY_FIELDS,
  type Telemetry,
  type TelemetryField,
  type TelemetryFields,
} from '../../shared/protocol/telemetry.ts';

/** What is carried: global addresses (2000::/3) and unique-local ones (fc00::/7). */
const CARRIED = /^(?:[23][0-9a-f]{3}|f[cd][0-9a-f]{2}):/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const CONTROL = /[\u0000-\u001f\u007f]+/g;

/** A player's own words, fit for a line of text: no control characters, at most `max` characters. */
export const plainText = (text: string, max = 200): string => text.replace(CONTROL, ' ').trim().slice(0, max);

/** What becomes of a text; of others than these, {@link plainText}. */
const kept: { [F in TelemetryField]?: (value: string) => string | null } = {
  local_ip: (v) => (isIPv4(v) ? v : null),
  local_ip6: (v) => {
    const address = v.split('%')[0]!;
    return isIPv6(address) && CARRIED.test(address) ? address : null;
  },
};

/** The members of `report` that differ from what was known; undefined when none does. */
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  GAUGES,
  NO_TELEMETRY,
  TELEMETRY,
  TELEMETRY_FIELDS,
  Telemetry,
  TelemetryFields,
  telemetryOf,
} from './telemetry.ts';

const isGood = (report: object) => Telemetry.safeParse(report).success;

test('telemetry fields may be missing or null, and values of a wrong kind or range are refused', () => {
  assert.ok(isGood({}));
  assert.ok(isGood(NO_TELEMETRY));
  assert.ok(
    isGood({ cpu_usage: 12.5, wifi_rssi: -61, battery_level: 0, battery_charging: 1, wifi_ssid: 'x'.repeat(200) }),
  );
  assert.ok(isGood({ battery_level: 100, battery_charging: 0 }));
  for (const field of TELEMETRY_FIELDS) assert.ok(!isGood({ [field]: true }), field);
  const wrong = [
    { battery_level: 101 },
    { battery_level: -1 },
    { battery_charging: 2 },
    { uptime_seconds: 1.5 },
    { wifi_ssid: 'x'.repeat(201) },
  ];
  for (const report of wrong) assert.ok(!isGood(report), JSON.stringify(report));
});

test('telemetry ignores unknown fields', () => {
  assert.deepEqual(Telemetry.parse({ cpu_usage: 5, of_later: 1 }), { cpu_usage: 5 });
});

test('telemetryOf returns only the telemetry fields of a row, and all of them are required', () => {
  const row = { ...NO_TELEMETRY, cpu_usage: 5 };
  assert.deepEqual(telemetryOf({ ...row, id: 'd' } as TelemetryFields), row);
  assert.ok(TelemetryFields.safeParse(row).success);
  const { local_ip: _, ...part } = row;
  assert.ok(!TelemetryFields.safeParse(part).success);
});

test('each telemetry unit exists in Intl, and each gauge shows a telemetry field', () => {
  for (const declared of Object.values(TELEMETRY))
    if ('unit' in declared) assert.ok(new Intl.NumberFormat('en', { style: 'unit', unit: declared.unit }).format(1));
  assert.deepEqual(
    GAUGES.filter((field) => !(field in TELEMETRY)),
    [],
  );
});

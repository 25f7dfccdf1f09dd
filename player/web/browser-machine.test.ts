import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_TELEMETRY } from '../../shared/protocol/telemetry.ts';
import { BrowserMachine } from './browser-machine.ts';

const telemetry = (space: ConstructorParameters<typeof BrowserMachine>[0]['space']) =>
  new BrowserMachine({ touch: false, sound: () => true, space }).telemetry();

test('browser reports its quota in megabytes of 1,000,000 bytes, and nothing if the quota is unknown', async () => {
  assert.deepEqual(await telemetry(async () => ({ free: 1_500_000_000, total: 8_589_934_592 })), {
    ...NO_TELEMETRY,
    storage_free_mb: 1_500,
    storage_total_mb: 8_590,
  });
  assert.deepEqual(await telemetry(async () => null), NO_TELEMETRY);
  assert.deepEqual(await telemetry(() => Promise.reject(new Error('no estimate'))), NO_TELEMETRY);
});

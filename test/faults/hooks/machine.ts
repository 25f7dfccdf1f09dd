/**
 * Preloaded into a player: sets the clock of its machine to the test's clock, or to a wrong time, and replaces the
 * Wi-Fi drivers by drivers with weak Wi-Fi.
 */
import childProcess from 'node:child_process';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const { VITRINE_TEST_TIME: time, VITRINE_TEST_WRONG_MS: wrong, VITRINE_TEST_WIFI: wifi } = process.env;

/** Milliseconds between the test's time and the real time. */
const ahead = (): number => (time ? Number(readFileSync(time, 'utf8')) : 0);
let now = ahead();
if (time)
  setInterval(() => {
    now = ahead();
  }, 50).unref();
const { now: realNow } = Date;
Date.now = () => realNow() + now + Number(wrong ?? 0);

if (wifi) {
  const { fork } = childProcess;
  const drivers = join(import.meta.dirname, 'weak-wifi.ts');
  childProcess.fork = ((file: string, ...more: never[]) =>
    fork(String(file).includes('hardware.worker') ? drivers : file, ...more)) as typeof fork;
  syncBuiltinESMExports();
}

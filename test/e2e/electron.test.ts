/**
 * The desktop program in a real Electron, if installed. The role `server` opens the admin window, and the role `player`
 * covers the display.
 */
// Suite: window
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { _electron, type Browser, chromium } from 'playwright';
import { type Ending, freePort, tempFolder } from '../harness.ts';
import { displayEnv } from './hosts/display.ts';
import { electronDistribution, sandboxArgs } from './hosts/electron.ts';
import { type PackedApp, packedApp } from './hosts/packed-app.ts';

const distribution = electronDistribution();
const skip =
  !distribution &&
  'there is no Electron binary on this machine: `npm run electron` fetches it where its download can be reached';
const START_MS = 60_000;

/** A display and a writable folder, shared by all tests of this file. */
let [app, display, work]: [PackedApp | undefined, Readonly<Record<string, string>>, string] = [undefined, {}, ''];
before(async () => {
  if (!distribution) return;
  work = tempFolder({ after });
  display = await displayEnv({ after });
  app = await packedApp(join(work, 'packed'), { electron: distribution });
});

test('the program in the role server opens the admin window of its own server, and shuts down cleanly', {
  skip,
  timeout: 180_000,
}, async (t) => {
  const electron = await _electron.launch({
    executablePath: app!.program,
    args: [...sandboxArgs(), '--role=server', `--user-data-dir=${join(work, 'server')}`],
    timeout: START_MS,
    env: { ...process.env, ...display, VITRINE_PORT: '0' } as Record<string, string>,
  });
  t.after(() => electron.close());
  const window = await electron.firstWindow({ timeout: START_MS });
  await window.waitForURL(/^http:\/\/localhost:\d+\//, { timeout: START_MS });
  await window.getByRole('heading').first().waitFor();
  const preferences = await electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((each) =>
      (each.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences(),
    ),
  );
  assert.ok(
    preferences.length > 0 &&
      preferences.every(
        ({ sandbox, contextIsolation, nodeIntegration }) =>
          sandbox === true && contextIsolation === true && nodeIntegration === false,
      ),
  );
  assert.equal(await window.evaluate(() => 'require' in globalThis || 'process' in globalThis), false);
  await window.evaluate(() => location.assign('http://192.0.2.1/')).catch(() => {});
  assert.match(window.url(), /^http:\/\/localhost:/);
});

/**
 * Retries until the debugger listens. Playwright cannot start the program, because the program is a child of the
 * launcher.
 */
const debuggerAt = async (t: Ending, port: number): Promise<Browser> => {
  for (const deadline = performance.now() + START_MS; ; await wait(500)) {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`).catch((error: Error) => {
      if (performance.now() > deadline) throw error;
    });
    if (!browser) continue;
    t.after(() => browser.close());
    return browser;
  }
};

test("the program in the role player covers its display with the agent's page, under the launcher", {
  skip,
  timeout: 180_000,
}, async (t) => {
  const port = await freePort();
  const args = [
    `--updates=${join(work, 'updates')}`,
    '--role=player',
    `--user-data-dir=${join(work, 'player')}`,
    `--remote-debugging-port=${port}`,
    ...sandboxArgs(),
  ];
  const launcher = spawn(app!.node, [join(app!.programs, 'player', 'launcher.js'), ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...display },
  });
  t.after(async () => {
    launcher.kill('SIGTERM');
    if (launcher.exitCode === null && launcher.signalCode === null) await once(launcher, 'exit');
  });
  const context = (await debuggerAt(t, port)).contexts()[0]!;
  const window = context.pages()[0] ?? (await context.waitForEvent('page', { timeout: START_MS }));
  await window.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//, { timeout: START_MS });
  assert.deepEqual(await window.evaluate(() => [innerWidth - screen.width, innerHeight - screen.height]), [0, 0]);
  assert.equal(await window.evaluate(() => 'require' in globalThis || 'process' in globalThis), false);
});

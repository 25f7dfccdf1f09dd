/** The desktop program in a real Electron, where there is one: the server's role shows the admin window, the player's a kiosk. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { _electron, type ElectronApplication } from 'playwright';
import { tempFolder } from '../harness.ts';
import { electronDistribution } from './hosts/electron.ts';
import { packedApp } from './hosts/packed-app.ts';

const distribution = electronDistribution();
const skip = !distribution && 'there is no Electron binary on this machine: `node node_modules/electron/install.js` fetches it where its download can be reached';

const start = async (t: TestContext, role: string): Promise<ElectronApplication> => {
  const { program } = await packedApp(tempFolder(t), { electron: distribution! });
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const electron = await _electron.launch({
    executablePath: program,
    args: [...root, `--role=${role}`, `--user-data-dir=${tempFolder(t)}`],
    timeout: 60_000,
    env: { ...process.env, VITRINE_PORT: '0' } as Record<string, string>,
  });
  t.after(() => electron.close());
  return electron;
};

test('the server’s role opens the admin window on its own server, and ends in order', { skip, timeout: 180_000 }, async (t) => {
  const electron = await start(t, 'server');
  const window = await electron.firstWindow({ timeout: 60_000 });
  await window.waitForURL(/^http:\/\/localhost:\d+\//, { timeout: 60_000 });
  await window.getByRole('heading').first().waitFor();
  const preferences = await electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((each) => (each.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences()),
  );
  assert.ok(
    preferences.length > 0 && preferences.every(({ sandbox, contextIsolation, nodeIntegration }) => sandbox === true && contextIsolation === true && nodeIntegration === false),
  );
  assert.equal(await window.evaluate(() => 'require' in globalThis || 'process' in globalThis), false);
  await window.evaluate(() => location.assign('http://192.0.2.1/')).catch(() => {});
  assert.match(window.url(), /^http:\/\/localhost:/);
});

test('the player’s role opens a kiosk window with the agent’s page', { skip, timeout: 180_000 }, async (t) => {
  const electron = await start(t, 'player');
  const window = await electron.firstWindow({ timeout: 60_000 });
  await window.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//, { timeout: 60_000 });
  assert.ok(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().every((each) => each.isKiosk())));
});

/**
 * A hostile neighbour on the network runs a server that is quicker and tries to claim every screen that it finds. A new
 * screen shows a code that the player made, and joins the store where this code is typed. Two hosts, real servers, a
 * real screen.
 */
// Suite: window
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { tempFolder } from '../harness.ts';
import { type Host, twoHosts, whyNoNamespaces } from '../netns.ts';
import { until } from '../until.ts';
import { launchOn } from './hosts/browser.ts';
import { lineOf } from './hosts/child.ts';
import { fetchFrom } from './hosts/page-fetch.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SHOTS = join(ROOT, 'test-artefacts', 'neighbour');
const skip = whyNoNamespaces() ?? false;

const run = (host: Host, role: 'server' | 'player', ...args: string[]): ChildProcess =>
  host.start(process.execPath, [`${role}/main.ts`, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });

const setUp = async (page: Page, email: string): Promise<string> => {
  await page.goto('http://127.0.0.1:8710/');
  const { status, body } = await fetchFrom(page, 'POST', '/api/auth/register', {
    body: { email, password: 'fresh every morning', name: 'Anna' },
  });
  assert.equal(status, 201);
  return body.token;
};

test('hostile neighbour gets no screen, and the store gets the screen with the code', {
  skip,
  timeout: 180_000,
}, async (t) => {
  mkdirSync(SHOTS, { recursive: true });
  const { a: store, b: kiosk } = twoHosts(t);
  const [office, beside] = [await launchOn(t, store.name), await launchOn(t, kiosk.name)];
  // The neighbour starts first, on the same host as the screen.
  const hostile = run(kiosk, 'server', '--data', tempFolder(t));
  await lineOf(hostile, /This computer/);
  const thief = await beside.newPage();
  const stolen = await setUp(thief, 'thief@elsewhere.test');
  const honest = run(store, 'server', '--data', tempFolder(t));
  await lineOf(honest, /This computer/);

  const player = run(kiosk, 'player', '--data', tempFolder(t), '--no-window', '--name', 'Shop window');
  const screen = await beside.newPage({ viewport: { width: 1280, height: 720 } });
  await screen.goto((await lineOf(player, /^screen: (\S+)/))[1]!);
  await screen.locator('.page.choosing').waitFor({ timeout: 30_000 });
  const code = (await screen.locator('.code').getAttribute('aria-label')) ?? '';
  assert.match(code, /^\w{6}$/);
  await screen.screenshot({ path: join(SHOTS, '1 screen.png') });

  // The neighbour sees the screen in its list, tries to claim it, and guesses codes.
  const waiting: any[] = await until('it is offered', 20_000, async () => {
    const { body } = await fetchFrom(thief, 'GET', '/api/devices/pending', { token: stolen });
    return body.length > 0 && body;
  });
  assert.deepEqual(
    waiting.map(({ own_code, code: told }) => [own_code, told]),
    [[true, '']],
  );
  const { pending_id } = waiting[0];
  assert.equal(
    (await fetchFrom(thief, 'POST', '/api/devices/pair', { token: stolen, body: { pending_id } })).status,
    409,
  );
  for (const guess of ['AAAAAA', 'CCCCCC', code.split('').reverse().join('')])
    assert.equal(
      (await fetchFrom(thief, 'POST', '/api/devices/pair', { token: stolen, body: { pending_id, code: guess } }))
        .status,
      404,
      guess,
    );
  assert.equal(await screen.locator('.code').getAttribute('aria-label'), code);

  // The operator of the store reads the code from the screen.
  const admin = await office.newPage({ viewport: { width: 1440, height: 900 } });
  await setUp(admin, 'anna@bakery.test');
  await admin.reload();
  await admin.getByRole('textbox', { name: 'E-mail' }).fill('anna@bakery.test');
  await admin.getByRole('textbox', { name: 'Password' }).fill('fresh every morning');
  await admin.getByRole('button', { name: 'Sign in' }).click();
  const typed = admin.getByRole('textbox', { name: 'Code on the screen' });
  await typed.waitFor({ timeout: 30_000 });
  await typed.fill(`${code.slice(0, 3)} ${code.slice(3)}x`);
  await admin.getByRole('button', { name: 'Connect', exact: true }).click();
  await admin.getByText('The code does not match this screen').waitFor();
  await admin.screenshot({ path: join(SHOTS, '2 waiting.png') });
  await typed.fill(`${code.slice(0, 3)} ${code.slice(3).toLowerCase()}`);
  await admin.getByRole('button', { name: 'Connect', exact: true }).click();
  await admin.getByRole('link', { name: /Shop window/ }).waitFor();
  await screen.locator('.page.idle').waitFor({ timeout: 10_000 });
  await screen.locator('.page.choosing').waitFor({ state: 'detached' });
  await admin.screenshot({ path: join(SHOTS, '3 connected.png') });
  assert.deepEqual((await fetchFrom(thief, 'GET', '/api/devices/pending', { token: stolen })).body, []);
  assert.deepEqual((await fetchFrom(thief, 'GET', '/api/devices', { token: stolen })).body, []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESTART_CODE } from '../../shared/desktop/update-state.ts';
import { PretendScreens, tv } from './testing/pretend-screens.ts';

const MINUTE = 60_000;
const [A, B, C] = [tv(11), tv(22), tv(33)];

const start = async (...[tvs, wanted]: ConstructorParameters<typeof PretendScreens>) => {
  const screens = new PretendScreens(tvs, wanted);
  await screens.start();
  await screens.time.advance(20_000);
  return screens;
};
/** @returns seconds until all TVs show the expected screens */
const secondsUntil = async (screens: PretendScreens, shown: readonly string[]): Promise<number> => {
  for (let seconds = 0; seconds < 90; seconds++) {
    if (screens.all().join() === shown.join()) return seconds;
    await screens.time.advance(1_000);
  }
  throw new Error(`after 90 s: ${screens.all().join()}, not ${shown.join()}`);
};

test('each display shows its own screen within two seconds', async () => {
  const screens = new PretendScreens([A, B, C]);
  await screens.start();
  assert.ok((await secondsUntil(screens, ['/d', '/d-2', '/d-3'])) <= 2);
  assert.equal(screens.agents.running[0]?.env?.['VITRINE_UPDATES'], '/u');
  assert.ok(screens.player?.isWell());
});

test('TVs that go off and on in any order return with their screens', async () => {
  const screens = await start([A, B]);
  screens.machine.become([B]);
  assert.ok((await secondsUntil(screens, ['/d-2'])) <= 2);
  assert.equal(screens.machine.standing.length, 1);
  screens.machine.become([B, A]);
  assert.ok((await secondsUntil(screens, ['/d-2', '/d'])) <= 2);
  screens.machine.become([]);
  await screens.time.advance(MINUTE);
  assert.deepEqual(
    [screens.machine.standing.length, screens.agents.running.length],
    [0, 2],
    'windows wait, agents go on',
  );
  assert.ok(screens.player?.isWell());
  screens.machine.become([A, B]);
  assert.ok((await secondsUntil(screens, ['/d', '/d-2'])) <= 2);
});

test('window follows a changed size or rotation, within 5 s when no event comes', async () => {
  const screens = await start([A, B]);
  for (const quietly of [false, true]) {
    for (const size of [
      { width: 1080, height: 1920 },
      { width: 3840, height: 2160 },
    ]) {
      screens.machine.become([{ ...A, ...size }, B], { quietly });
      assert.ok((await secondsUntil(screens, ['/d', '/d-2'])) <= 7);
    }
  }
});

test('window on the wrong display is moved, and reopened when that fails', async () => {
  const screens = new PretendScreens([A, B]);
  screens.machine.misplaced = 5;
  await screens.start();
  assert.ok((await secondsUntil(screens, ['/d', '/d-2'])) <= 20);
  for (const window of screens.machine.standing) window.isStuck = true;
  screens.machine.become([B, A]);
  assert.ok((await secondsUntil(screens, ['/d-2', '/d'])) <= 20);
});

test('window that cannot be moved is left alone for some minutes, because each attempt is visible', async () => {
  const screens = await start([A, B]);
  const tries = () => screens.machine.windows.reduce((sum, { moves }) => sum + moves + 1, 0);
  screens.machine.misplaced = Number.POSITIVE_INFINITY;
  screens.machine.become([B, A]);
  await screens.time.advance(2 * MINUTE);
  const before = tries();
  await screens.time.advance(3 * MINUTE);
  assert.equal(tries(), before);
  screens.machine.misplaced = 0;
  screens.machine.become([A, B]);
  assert.ok((await secondsUntil(screens, ['/d', '/d-2'])) <= 5, 'until the displays change');
});

test('window that was closed or failed to open is opened again', async () => {
  const screens = new PretendScreens([A]);
  screens.machine.refused = 3;
  await screens.start();
  assert.ok((await secondsUntil(screens, ['/d'])) <= 6);
  screens.machine.standing[0]?.destroy();
  assert.ok((await secondsUntil(screens, ['/d'])) <= 5);
});

test('page that crashes is reloaded, a page that hangs is ended, and if that fails the window is closed', async () => {
  const screens = await start([A]);
  const window = screens.machine.standing[0]!;
  window.crash();
  assert.equal(screens.on(A), undefined);
  assert.ok((await secondsUntil(screens, ['/d'])) <= 2);
  window.renderer = 'hung';
  window.isBlank = true;
  assert.ok((await secondsUntil(screens, ['/d'])) <= 30);
  assert.equal(screens.machine.standing[0], window);
  window.renderer = 'stopped';
  assert.ok((await secondsUntil(screens, ['/d'])) <= 45);
  assert.notEqual(screens.machine.standing[0], window);
});

test('page that became an error page is loaded again', async () => {
  const screens = await start([A]);
  screens.machine.standing[0]?.loseItself();
  assert.ok((await secondsUntil(screens, ['/d'])) <= 7);
});

test('page that hangs for only ten seconds is not ended', async () => {
  const screens = await start([A]);
  const window = screens.machine.standing[0]!;
  window.renderer = 'hung';
  let ended = false;
  window.endPage = () => void (ended = true);
  await screens.time.advance(10_000);
  window.recover();
  await screens.time.advance(20_000);
  assert.equal(ended, false);
});

test('agent that ends is restarted, an agent that hangs is killed after 30 s, and a new version is reported', async () => {
  const screens = await start([A]);
  screens.agents.of('/d')?.exit(1);
  assert.ok((await secondsUntil(screens, ['/d'])) <= 3);
  const agent = screens.agents.of('/d')!;
  agent.hang();
  assert.equal(screens.on(A), '/d', 'what is shown stays');
  await screens.time.advance(25_000);
  assert.equal(agent.state, 'hung');
  await screens.time.advance(12_000);
  assert.equal(agent.state, 'ended');
  assert.equal(screens.on(A), '/d');
  screens.agents.of('/d')?.exit(RESTART_CODE);
  await screens.time.advance(1_000);
  assert.deepEqual(screens.told, ['update']);
  assert.deepEqual(screens.agents.clashes, []);
});

test('incident of a screen is sent to its agent, or to the next agent if the agent has ended', async () => {
  const screens = await start([A, B]);
  const told = (data: string) =>
    screens.agents.of(data)!.heard.flatMap((message) => (message.type === 'befell' ? [message.sentence] : []));
  screens.machine.standing.find(({ page }) => page === screens.agents.of('/d')!.url)!.crash();
  await screens.time.advance(100);
  screens.machine.crashGpu();
  assert.deepEqual(told('/d'), [
    'the page of screen 1 has ended (crashed) and is loaded again',
    'the graphics process has crashed (1 of late)',
  ]);
  assert.deepEqual(told('/d-2'), ['the graphics process has crashed (1 of late)']);
  screens.agents.of('/d-2')!.exit(7);
  await secondsUntil(screens, ['/d', '/d-2']);
  assert.deepEqual(told('/d-2'), ['the screen’s agent has ended (7) and is started again']);
  screens.agents.of('/d-2')!.hang();
  await screens.time.advance(40_000);
  await secondsUntil(screens, ['/d', '/d-2']);
  assert.deepEqual(told('/d-2'), [
    'the screen’s agent does not answer and is ended',
    'the screen’s agent has ended (killed) and is started again',
  ]);
});

test('agent that answers but whose page fails to load is restarted', async () => {
  const screens = await start([A]);
  const agent = screens.agents.of('/d')!;
  const at = screens.agents.at.bind(screens.agents);
  screens.agents.at = (address) => (address === agent.url ? undefined : at(address));
  screens.machine.standing[0]?.crash();
  assert.ok((await secondsUntil(screens, ['/d'])) <= 30);
  assert.equal(agent.state, 'ended');
});

test('crash of the graphics process reloads all pages, and four crashes are reported once', async () => {
  const screens = await start([A, B]);
  for (let crash = 1; crash <= 3; crash++) {
    screens.machine.crashGpu();
    assert.ok((await secondsUntil(screens, ['/d', '/d-2'])) <= 5);
  }
  screens.machine.crashGpu();
  screens.machine.crashGpu();
  assert.deepEqual(screens.told, ['gpu']);
});

test('crashes without the graphics processor are not reported', async () => {
  const screens = new PretendScreens([A]);
  screens.machine.usesGpu = false;
  await screens.start();
  for (let crash = 1; crash <= 6; crash++) screens.machine.crashGpu();
  assert.ok((await secondsUntil(screens, ['/d'])) <= 40);
  assert.deepEqual(screens.told, []);
});

test('computer that slept for hours kills no agent and no page', async () => {
  const screens = await start([A]);
  const [agent, window] = [screens.agents.of('/d')!, screens.machine.standing[0]];
  screens.time.jump(8 * 60 * MINUTE);
  screens.machine.resume();
  await screens.time.advance(MINUTE);
  assert.deepEqual([screens.agents.of('/d'), screens.machine.standing[0]], [agent, window]);

  let ended = false;
  window!.endPage = () => void (ended = true);
  window!.renderer = 'hung';
  await screens.time.advance(14_000);
  screens.machine.resume();
  await screens.time.advance(9_000);
  assert.equal(ended, false, 'what was silent before counts anew');
});

test('player reports that it is not well after a page has not answered for two minutes', async () => {
  const screens = await start([A]);
  const { machine } = screens;
  machine.refused = Number.POSITIVE_INFINITY;
  machine.standing[0]?.destroy();
  await screens.time.advance(MINUTE);
  assert.ok(screens.player?.isWell());
  await screens.time.advance(2 * MINUTE);
  assert.equal(screens.player?.isWell(), false);
});

test('restart with X11 is requested once, and only with several displays, when Wayland cannot place windows', async () => {
  const screens = new PretendScreens([A]);
  screens.machine.placesWindows = false;
  await screens.start();
  await screens.time.advance(MINUTE);
  assert.deepEqual(screens.told, []);
  screens.machine.become([A, B]);
  await screens.time.advance(MINUTE);
  assert.deepEqual(screens.told, ['x11']);
});

test('panels go off with the last screen, and an agent without its TV can switch them on', async () => {
  const screens = await start([A, B]);
  const answers = (data: string) => screens.agents.of(data)!.heard.filter((message) => message.type === 'panel');
  const ask = (data: string, on: boolean) => screens.agents.of(data)!.say({ type: 'panel', id: 1, on });
  ask('/d', false);
  ask('/d-2', false);
  screens.machine.become([]);
  ask('/d', true);
  assert.deepEqual(
    [...answers('/d'), ...answers('/d-2')],
    [
      { type: 'panel', id: 1, on: true },
      { type: 'panel', id: 1, on: true },
      { type: 'panel', id: 1, on: false },
    ],
  );
});

test('screenshot is taken of a screen with a window, and refused for a screen without a window', async () => {
  const screens = await start([A]);
  const agent = screens.agents.of('/d')!;
  agent.say({ type: 'shoot', id: 5 });
  screens.machine.become([]);
  agent.say({ type: 'shoot', id: 6 });
  await screens.time.advance(1);
  assert.deepEqual(
    agent.heard.filter((message) => message.type === 'picture').toSorted((a, b) => a.id - b.id),
    [
      { type: 'picture', id: 5, data: 'QQ==' },
      { type: 'picture', id: 6, data: null },
    ],
  );
});

test('stop leaves no window, agent, listener or timer, even when something hangs', async () => {
  const screens = await start([A, B]);
  screens.agents.of('/d')?.hang();
  screens.machine.standing[1]!.renderer = 'stopped';
  await screens.stop();
  const { machine, agents, time } = screens;
  assert.deepEqual(
    [machine.standing.length, agents.running.length, machine.listeners, machine.awake, time.pending],
    [0, 0, 0, 0, 0],
  );
});

test('agents of known screens run when all TVs are off at the start', async () => {
  const screens = await start([A, B]);
  await screens.stop();
  screens.machine.become([]);
  await screens.start();
  await screens.time.advance(MINUTE);
  assert.deepEqual(screens.agents.running.map(({ data }) => data).toSorted(), ['/d', '/d-2']);
  await screens.stop();
  screens.machine.become([B]);
  await screens.start();
  await screens.time.advance(MINUTE);
  assert.deepEqual(
    screens.agents.running.map(({ data }) => data),
    ['/d-2'],
  );
  assert.deepEqual(screens.all(), ['/d-2']);
});

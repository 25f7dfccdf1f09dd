import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abilitiesOf } from './abilities.ts';
import { LocalMachine } from './machine.ts';

const linux = { platform: 'linux', env: { PATH: '/usr/bin:/sbin' } } as const;
const machineWith = (
  abilities: Awaited<ReturnType<typeof abilitiesOf>>,
  more: Partial<ConstructorParameters<typeof LocalMachine>[0]> = {},
) =>
  new LocalMachine({
    platform: linux,
    run: async () => ({ ok: false, missing: true, output: '' }),
    telemetry: async () => ({}),
    screenshot: undefined,
    shown: () => false,
    abilities,
    updater: undefined,
    ...more,
  });

test('abilities include restart and sound only on a machine with the programs and devices for them', async () => {
  const bare = await abilitiesOf(linux, { executable: async () => false, read: async () => undefined });
  assert.deepEqual(bare, { reboot: false, shutdown: false, sound: false });
  assert.deepEqual(machineWith(bare, { windowed: true }).capabilities(), ['screen', 'launch']);
  const board = await abilitiesOf(linux, {
    executable: async (path) => path === '/sbin/shutdown',
    read: async () => ' 0 [HDMI ]: vc4-hdmi',
  });
  assert.deepEqual(board, { reboot: true, shutdown: true, sound: true });
  assert.equal(
    (await abilitiesOf(linux, { executable: async () => true, read: async () => '--- no soundcards ---\n' })).sound,
    false,
  );
  assert.deepEqual(
    await abilitiesOf({ platform: 'win32', env: {} }, { executable: async () => false, read: async () => undefined }),
    {
      reboot: true,
      shutdown: true,
      sound: true,
    },
  );
});

test('command that the machine cannot carry out is answered with unsupported and a reason', async () => {
  const bare = machineWith({ reboot: false, shutdown: false, sound: false });
  assert.equal((await bare.commands.reboot({})).status, 'unsupported');
  assert.equal((await bare.commands.shutdown({})).status, 'unsupported');
  assert.deepEqual(await bare.launched('http://x.test/'), {
    status: 'unsupported',
    error: 'no window shows this screen',
  });
  assert.deepEqual(await bare.commands.update({}), {
    status: 'unsupported',
    error: 'this player runs from its sources and is updated with them',
  });
  assert.ok('error' in (await bare.screenshot()));
});

test('update is offered and carried out only by a packaged program, which has an updater', async () => {
  const asked: (string | null)[] = [];
  const updater = {
    refusal: null,
    update: async (version: string | null) => {
      asked.push(version);
      return { status: 'done' } as const;
    },
  };
  const packaged = machineWith({ reboot: false, shutdown: false, sound: false }, { updater });
  assert.ok(packaged.capabilities().includes('update'));
  assert.deepEqual(await packaged.commands.update({ version: '1.2.3' }), { status: 'done' });
  assert.deepEqual(asked, ['1.2.3']);
  const development = machineWith(
    { reboot: false, shutdown: false, sound: false },
    { updater: { ...updater, refusal: 'why it takes none' } },
  );
  assert.ok(!development.capabilities().includes('update'), 'a build that takes none does not claim it');
});

test('command `launch` is offered with any window, for example the window of the desktop program', async () => {
  assert.deepEqual(
    await machineWith({ reboot: false, shutdown: false, sound: false }, { shown: () => true }).launched(
      'http://x.test/',
    ),
    { status: 'done' },
  );
});

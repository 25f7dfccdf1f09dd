/** Tests this player with a server of the future, which sends values that this version does not know. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Player } from './player.ts';
import {
  FakeAddresses,
  FakeCrypto,
  FakeMachine,
  FakeServer,
  FakeTime,
  MemoryAssets,
  MemoryDocuments,
  MemoryJournal,
  MemoryLog,
  programOf,
  settle,
} from './testing/fakes.ts';

async function paired() {
  const time = new FakeTime();
  const server = new FakeServer(time);
  const [machine, log, documents] = [new FakeMachine(), new MemoryLog(), new MemoryDocuments()];
  const parts = {
    time,
    machine,
    log,
    documents,
    crypto: new FakeCrypto(),
    assetStore: new MemoryAssets(),
    journalStore: new MemoryJournal(),
    addresses: new FakeAddresses(),
  };
  const boot = async () => {
    const device = { name: 'kiosk-1', platform: 'test', version: '0.1.0' };
    const player = new Player({
      ...parts,
      connect: server.connect,
      get: server.get,
      device,
      quotaBytes: 1e9,
      awaitScreenMs: 0,
      clockStepped: () => {},
    });
    await player.start();
    await settle();
    return player;
  };
  const player = await boot();
  server.claim();
  await settle();
  /** Sends a message of a future server. The message has no type in this version. */
  const say = async (message: object) => {
    server.socket.events.text(JSON.stringify(message));
    await settle();
  };
  const command = (id: string, over: object) =>
    say({ type: 'command', id, payload: {}, expires_at: server.now + 60_000, ...over });
  const stays = () => {
    assert.deepEqual([server.sockets.length, server.socket.closed], [1, undefined]);
    assert.equal(player.state.phase, 'playing');
  };
  return { time, server, machine, log, documents, boot, player, say, command, stays };
}

test('unknown command is answered with `unsupported` each time', async () => {
  const { server, machine, command, stays, player, boot, documents } = await paired();
  await command('new', { command: 'brew', payload: { cups: 2 } });
  await command('new', { command: 'brew', payload: { cups: 2 } });
  await command('odd', { command: 'constructor' });
  await command('old', { command: 'reboot' });
  stays();
  const results = server.received('command.result').map(({ id, status }) => [id, status]);
  assert.deepEqual(results, [...Array(2).fill(['new', 'unsupported']), ['odd', 'unsupported'], ['old', 'done']]);
  assert.deepEqual(machine.done, ['reboot']);
  await player.stop();
  await boot();
  server.welcome();
  await command('old', { command: 'reboot' });
  assert.deepEqual(machine.done, ['reboot'], 'what was done is known, beside a command that is not');
  assert.ok(![...documents.all.keys()].some((name) => name.endsWith('.damaged')));
});

test('unknown field of a command is ignored, and a wrong field fails the command with the name of the field', async () => {
  const { server, machine, command, stays } = await paired();
  await command('more', { command: 'launch', payload: { url: 'http://till.test/', seconds: 20 } });
  await command('wrong', { command: 'launch', payload: { url: 'gopher://till.test/' } });
  stays();
  assert.deepEqual(machine.done, ['launch http://till.test/']);
  assert.deepEqual(
    server.received('command.result').map(({ id, status, error }) => [id, status, error?.startsWith('url: ')]),
    [
      ['more', 'done', undefined],
      ['wrong', 'failed', true],
    ],
  );
});

test('unknown messages are ignored, and each type is logged once', async () => {
  const { server, say, log, stays } = await paired();
  for (let repeat = 0; repeat < 3; repeat++)
    for (const type of ['dance', 'device:confetti']) await say({ type, id: 'x' });
  stays();
  assert.equal(log.lines.filter((line) => line.startsWith('the server is newer')).length, 2);
  server.push(programOf([]));
  await settle();
  assert.equal(server.received('program.ready').length, 1, 'what follows is heard');
});

test('program or overlay with an unknown value is answered with a failure and a reason', async () => {
  const { server, say, stays } = await paired();
  const { id } = programOf([]);
  await say({ type: 'program', id, url: `/p/${id}`, placement: { orientation: '45', timezone: 'UTC', wall: null } });
  const show = {
    type: 'device:pip-show',
    pip_id: 'pip',
    uri: 'http://x.test/',
    width: 1,
    height: 1,
    duration: 0,
    opacity: 1,
    border_radius: 0,
    close_button: false,
  };
  await say({ ...show, kind: 'hologram', position: 'center' });
  await say({ ...show, kind: 'web', position: 'everywhere' });
  stays();
  const [failed] = server.received('program.failed');
  assert.deepEqual(
    [failed?.id, /^the player is too old for this: "program": placement\.orientation/.test(failed?.reason ?? '')],
    [id, true],
  );
  assert.deepEqual(
    server.received('overlay.result').map(({ pip_id, status }) => [pip_id, status]),
    Array(2).fill(['pip', 'failed']),
  );
});

test('messages with unknown values and fields end neither the pairing nor the connection', async () => {
  const { server, say, stays, time } = await paired();
  await say({ type: 'unpaired', reason: 'moved' });
  await say({ type: 'clock', t0: 1, t1: 2, t2: 3, doubtful: false });
  await say({ type: 'heartbeat.ack', server_time: server.now, weather: { rain: true } });
  await say({
    type: 'welcome',
    device_id: 'device-1',
    name: 'Window',
    server_time: server.now,
    server: { ...server.server, version: '9.0.0', colour: 'red' },
    motd: 'hi',
  });
  await time.advance(20_000);
  stays();
});

test('malformed message ends the connection with 4400 (malformed)', async () => {
  for (const wrong of [
    {},
    { type: 7 },
    { type: 'command', id: 'x' },
    { type: 'screenshot', id: 4 },
    { type: 'program', id: 'x', url: '/p', placement: { orientation: '45' } },
  ]) {
    const { server, say } = await paired();
    await say(wrong);
    assert.equal(server.socket.closed, 4400, JSON.stringify(wrong));
  }
});

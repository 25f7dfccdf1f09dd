import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_NAMES } from '../../shared/protocol/commands.ts';
import { Commands } from './commands.ts';
import type { Outcome } from './ports.ts';
import { FakeMachine, MemoryDocuments, MemoryLog } from './testing/fakes.ts';

const NOW = 1_700_000_000_000;
const start = async (documents = new MemoryDocuments(), over: Partial<FakeMachine['commands']> = {}) => {
  const machine = new FakeMachine();
  Object.assign(machine.commands, over);
  const results: [string, Outcome][] = [];
  const turned: boolean[] = [];
  let changes = 0;
  const commands = new Commands({
    documents,
    machine,
    panel: { order: async (on) => void turned.push(on) },
    log: new MemoryLog(),
    now: () => NOW,
    changed: () => void changes++,
    result: (id, outcome) => results.push([id, outcome]),
  });
  await commands.start();
  const receive = (id: string, command: string, payload = {}, expires_at = NOW + 1) =>
    commands.receive({ type: 'command', id, command, payload, expires_at });
  return { documents, machine, results, turned, commands, receive, changes: () => changes };
};

test('Commands runs each command once and answers each repetition, also after a restart', async () => {
  const { documents, machine, results, turned, receive } = await start();
  for (const command of COMMAND_NAMES) for (let i = 0; i < 2; i++) await receive(command, command);
  assert.deepEqual(
    results.map(([id, { status }]) => [id, status]),
    COMMAND_NAMES.flatMap((name) => [
      [name, 'done'],
      [name, 'done'],
    ]),
  );
  assert.deepEqual(
    [turned, machine.done],
    [
      [true, false],
      ['launch null', 'update', 'reboot', 'shutdown'],
    ],
  );
  const next = await start(documents);
  await next.receive('reboot', 'reboot');
  assert.deepEqual([next.machine.done, next.results], [[], [['reboot', { status: 'done' }]]]);
  await next.commands.forget();
  assert.equal(documents.all.size, 0);
  await next.receive('reboot', 'reboot');
  assert.deepEqual([next.machine.done, documents.all.size], [['reboot'], 1]);
});

test('command that a restart interrupted is reported as done if it ends the player, and as failed otherwise', async () => {
  // The last command is unknown to this version.
  for (const command of [...COMMAND_NAMES, 'dance']) {
    const documents = new MemoryDocuments();
    documents.all.set('commands', JSON.stringify({ format: 1, seen: [{ id: 'c', command, outcome: null }] }));
    const { results, receive } = await start(documents);
    await receive('c', command);
    const ends = ['reboot', 'shutdown'].includes(command);
    const error = 'the player ended before it was finished';
    assert.deepEqual(results, [['c', ends ? { status: 'done' } : { status: 'failed', error }]]);
  }
});

test('Commands saves a command before it begins and its result afterwards', async () => {
  const documents = new MemoryDocuments();
  const kept = () => JSON.parse(documents.all.get('commands') ?? '{}').seen;
  const { receive } = await start(documents, {
    update: async () => {
      assert.deepEqual(kept(), [{ id: 'c', command: 'update', outcome: null }]);
      throw new Error('x'.repeat(3_000));
    },
  });
  await receive('c', 'update');
  const outcome = { status: 'failed', error: 'x'.repeat(2_000) };
  assert.deepEqual(kept(), [{ id: 'c', command: 'update', outcome }]);
  for (let n = 0; n < 150; n++) await receive(`n${n}`, 'screen_on');
  assert.deepEqual([kept().length, kept()[0].id], [100, 'n50']);
});

test('Commands rejects late, unknown and invalid commands with a reason', async () => {
  const { documents, machine, results, receive } = await start();
  await receive('late', 'reboot', {}, NOW);
  await receive('newer', 'dance');
  await receive('wrong', 'launch', { url: 'file:///x' });
  assert.deepEqual(machine.done, []);
  const { results: later, receive: again } = await start(documents);
  for (const id of ['late', 'newer', 'wrong']) await again(id, 'reboot');
  assert.deepEqual(
    later.map(([id, { status }]) => [id, status]),
    [
      ['late', 'done'],
      ['newer', 'unsupported'],
      ['wrong', 'failed'],
    ],
    'what has been decided stays so; only what came too late may be sent again',
  );
  assert.deepEqual(
    results.map(([id, { status, ...rest }]) => [id, status, 'error' in rest && rest.error]),
    [
      ['late', 'failed', 'expired before it arrived'],
      ['newer', 'unsupported', 'the player is too old for this command'],
      ['wrong', 'failed', 'url: must be an absolute http or https URL'],
    ],
  );
});

test('on a full disk, all commands run except those that would repeat forever', async () => {
  const documents = new MemoryDocuments();
  documents.write = () => Promise.reject(new Error('disk full'));
  const { machine, results, turned, commands, receive } = await start(documents);
  for (let i = 0; i < 2; i++) {
    await receive('on', 'screen_on');
    await receive('page', 'launch', { url: 'https://a.test/' });
    await receive('again', 'reboot');
  }
  assert.deepEqual([turned, machine.done], [[true], ['launch https://a.test/']]);
  assert.equal(commands.launchUrl, 'https://a.test/');
  const error =
    'the player did not run the command: the start of the command could not be saved, so the command would run again after every restart';
  const answers = [
    ['on', { status: 'done' }],
    ['page', { status: 'done' }],
    ['again', { status: 'failed', error }],
  ];
  assert.deepEqual(results, [...answers, ...answers]);
});

test('page opened by `launch` stays until another `launch`, a `launch` without URL, or unpairing', async () => {
  const { machine, commands, receive, changes } = await start();
  await receive('a', 'launch', { url: 'https://a.test/' });
  assert.deepEqual([commands.launchUrl, changes()], ['https://a.test/', 1]);
  await receive('b', 'launch');
  assert.deepEqual([commands.launchUrl, machine.done], [null, ['launch https://a.test/', 'launch null']]);
  await receive('c', 'launch', { url: 'https://a.test/' });
  await commands.forget();
  assert.equal(commands.launchUrl, null);
});

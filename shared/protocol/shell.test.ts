import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { z } from 'zod';
import { launcherOf, WindowsSay } from './releases/launcher.ts';
import { ProgramSays, ShellSays, shellOf } from './shell.ts';

/** A fake process that another process started. It records its messages and whether the channel keeps it running. */
class Started extends EventEmitter {
  readonly said: unknown[] = [];
  isHeld = true;
  readonly channel = { unref: () => void (this.isHeld = false) };
  readonly send = (message: unknown, sent: () => void) => {
    this.said.push(message);
    sent();
  };
}

const areRead = <M>(schema: z.ZodType<M>, messages: readonly M[]) => {
  for (const message of messages) assert.deepEqual(schema.parse(message), message);
};

test('each valid message between the shell and its programs is accepted', () => {
  const panel = { type: 'panel', id: 3, on: true } as const;
  areRead(ShellSays, [
    { type: 'stop' },
    { type: 'alive' },
    { type: 'picture', id: 3, data: 'AAAA' },
    { type: 'picture', id: 3, data: null },
    panel,
    { type: 'befell', sentence: 'The window crashed' },
  ]);
  areRead(ProgramSays, [
    { type: 'serving', port: 8710, addresses: ['192.168.1.5'] },
    { type: 'screens', online: 1, total: 2 },
    { type: 'screen', url: 'http://127.0.0.1:1234/' },
    { type: 'alive' },
    { type: 'shoot', id: 3 },
    panel,
  ]);
});

test('each valid message of the program with the windows is accepted, with a limited number of options', () => {
  const again = (...args: string[]) => ({ type: 'ending', how: 'again', args });
  const longest = `--${'x'.repeat(198)}`;
  areRead<unknown>(WindowsSay, [
    { type: 'alive' },
    ...['quit', 'update', 'busy'].map((how) => ({ type: 'ending', how })),
    ...[again(), again('--data=/srv/a b', '--no-window', longest), again(...Array(8).fill('--x'))],
  ]);
  const refused = ['/bin/sh', '-x', '--X', 'x --x', '--data=\0', '--data x', `${longest}x`].map((arg) => again(arg));
  for (const message of [...refused, again(...Array(9).fill('--x')), { type: 'ending' }, { type: '' }])
    assert.ok(!WindowsSay.safeParse(message).success, JSON.stringify(message));
});

test('program receives messages of its shell, and `stop` when the shell is gone', () => {
  const program = new Started();
  const shell = shellOf(program)!;
  const heard: unknown[] = [];
  shell.listen((message) => heard.push(message));
  assert.ok(!program.isHeld, 'the channel keeps the program running');
  for (const message of [{ type: 'alive' }, { type: 'dance' }, null]) program.emit('message', message);
  program.emit('disconnect');
  assert.deepEqual(heard, [{ type: 'alive' }, { type: 'stop' }]);
  shell.send({ type: 'screens', online: 0, total: 1 });
  assert.deepEqual(program.said, [{ type: 'screens', online: 0, total: 1 }]);
});

test('program with the windows receives `stop` from its launcher, and a separate notice when the launcher is gone', async () => {
  const program = new Started();
  const launcher = launcherOf(program)!;
  const heard: string[] = [];
  launcher.listen({ stop: () => heard.push('stop'), gone: () => heard.push('gone') });
  assert.ok(!program.isHeld, 'the channel keeps the program running');
  for (const message of [{ type: 'dance' }, { type: 'stop' }]) program.emit('message', message);
  assert.deepEqual(heard, ['stop']);
  program.emit('disconnect');
  assert.deepEqual(heard, ['stop', 'gone']);
  await launcher.send({ type: 'alive' });
  assert.deepEqual(program.said, [{ type: 'alive' }]);
});

test('program that another of our programs did not start has neither a shell nor a launcher', () => {
  const alone = Object.assign(new EventEmitter(), { send: undefined });
  assert.equal(shellOf(alone), undefined);
  assert.equal(launcherOf(alone), undefined);
});

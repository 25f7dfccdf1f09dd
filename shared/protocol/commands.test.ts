import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_NAMES, COMMANDS, isCommandName } from './commands.ts';

test('each command has its confirmation rule, and expires after a minute (`update` after a day)', () => {
  const rows = COMMAND_NAMES.map((name) => {
    const { capability, asksFirst, isGrave, endsPlayer, expiresAfterMs } = COMMANDS[name];
    return [name, capability, asksFirst, isGrave, endsPlayer, expiresAfterMs / 1_000];
  });
  assert.deepEqual(rows, [
    ['screen_on', 'screen', 'never', false, false, 60],
    ['screen_off', 'screen', 'many', false, false, 60],
    ['launch', 'launch', 'always', false, false, 60],
    ['update', 'update', 'always', false, false, 86_400],
    ['reboot', 'reboot', 'always', false, true, 60],
    ['shutdown', 'shutdown', 'always', true, true, 60],
  ]);
  assert.ok(COMMAND_NAMES.every(isCommandName) && !isCommandName('toString') && !isCommandName('dance'));
});

test('launch accepts http addresses up to 2,000 characters, and update accepts versions up to 100 characters', () => {
  const why = (name: 'launch' | 'update', payload: object) =>
    COMMANDS[name].payload.safeParse(payload).error?.issues.map(({ message }) => message);
  const address = (length: number) => 'http://shop.example/'.padEnd(length, 'x');
  for (const url of [undefined, 'https://shop.example', address(2000)]) assert.equal(why('launch', { url }), undefined);
  for (const url of [
    'ftp://shop.example',
    'javascript:alert(1)',
    '/menu',
    'xhttp://shop.example',
    'httpsx://shop.example',
  ])
    assert.deepEqual(why('launch', { url }), ['must be an absolute http or https URL']);
  assert.deepEqual(why('launch', { url: address(2001) }), ['must be at most 2000 characters']);
  for (const version of [undefined, '1', 'x'.repeat(100)]) assert.equal(why('update', { version }), undefined);
  assert.deepEqual(why('update', { version: '' }), ['must not be empty']);
  assert.deepEqual(why('update', { version: 'x'.repeat(101) }), ['must be at most 100 characters']);
});

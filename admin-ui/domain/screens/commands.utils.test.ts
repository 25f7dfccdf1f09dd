import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_NAMES } from '../../../shared/protocol/commands.ts';
import { iconOf, needsConfirmation, whyNot } from './commands.utils.ts';

const screen = (status: 'online' | 'offline', ...capabilities: string[]) => ({ status, capabilities });

test('missing capability is reported rather than an offline state, and an update may go to an offline screen', () => {
  assert.equal(whyNot([screen('online', 'reboot')], 'reboot'), undefined);
  assert.equal(whyNot([screen('offline', 'reboot', 'update')], 'reboot'), 'offline');
  assert.equal(whyNot([screen('offline', 'reboot', 'update')], 'update'), undefined);
  assert.equal(whyNot([screen('offline')], 'screen_off'), 'cannot');
});

test('command is offered if at least one screen is both capable and online', () => {
  assert.equal(
    whyNot([screen('offline', 'reboot'), screen('online', 'reboot'), screen('online')], 'reboot'),
    undefined,
  );
  assert.equal(whyNot([screen('offline', 'reboot'), screen('online')], 'reboot'), 'offline');
  assert.equal(whyNot([screen('online', 'screen'), screen('online')], 'reboot'), 'cannot');
  assert.equal(whyNot([], 'screen_on'), 'cannot');
});

test('irreversible commands and commands to many screens ask for confirmation, and switching on does not', () => {
  const asked = (count: number) => COMMAND_NAMES.filter((name) => needsConfirmation(name, count));
  assert.deepEqual(asked(1), ['launch', 'update', 'reboot', 'shutdown']);
  assert.deepEqual(asked(2), ['screen_off', 'launch', 'update', 'reboot', 'shutdown']);
});

test('every command has a distinct icon', () => {
  assert.equal(new Set(COMMAND_NAMES.map(iconOf)).size, COMMAND_NAMES.length);
});

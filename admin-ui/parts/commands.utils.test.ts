import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_NAMES } from '../../shared/protocol/commands.ts';
import { asksFirst, iconOf, whyNot } from './commands.utils.ts';

const screen = (status: 'online' | 'offline', ...capabilities: string[]) => ({ status, capabilities });

test('what a screen lacks is named before that it is away; an update waits for it', () => {
  assert.equal(whyNot([screen('online', 'reboot')], 'reboot'), undefined);
  assert.equal(whyNot([screen('offline', 'reboot', 'update')], 'reboot'), 'offline');
  assert.equal(whyNot([screen('offline', 'reboot', 'update')], 'update'), undefined);
  assert.equal(whyNot([screen('offline')], 'screen_off'), 'cannot');
});

test('of many screens one is enough that can and is there; the one that can must be the one that is there', () => {
  assert.equal(
    whyNot([screen('offline', 'reboot'), screen('online', 'reboot'), screen('online')], 'reboot'),
    undefined,
  );
  assert.equal(whyNot([screen('offline', 'reboot'), screen('online')], 'reboot'), 'offline');
  assert.equal(whyNot([screen('online', 'screen'), screen('online')], 'reboot'), 'cannot');
  assert.equal(whyNot([], 'screen_on'), 'cannot');
});

test('what many customers would see is asked about first; what cannot be taken back always, what lights a screen never', () => {
  const asked = (count: number) => COMMAND_NAMES.filter((name) => asksFirst(name, count));
  assert.deepEqual(asked(1), ['launch', 'update', 'reboot', 'shutdown']);
  assert.deepEqual(asked(2), ['screen_off', 'launch', 'update', 'reboot', 'shutdown']);
});

test('every command has a picture of its own', () => {
  assert.equal(new Set(COMMAND_NAMES.map(iconOf)).size, COMMAND_NAMES.length);
});

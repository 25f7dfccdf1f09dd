import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES } from '../../shared/desktop/install-values.ts';
import {
  commandIn,
  defaultDisplays,
  goesOnAfterError,
  isWantedQuit,
  needsLauncher,
  takesUpdates,
  wishesIn,
} from './start-options.ts';

test('wishes are read with a blank or an equals sign', () => {
  assert.deepEqual(wishesIn(['--role', 'player', '--displays=1,2']), {
    role: 'player',
    displays: '1,2',
    atLogin: false,
  });
  assert.deepEqual(wishesIn(['--role=server', '--at-login']), { role: 'server', displays: undefined, atLogin: true });
  assert.deepEqual(wishesIn([]), { role: undefined, displays: undefined, atLogin: false });
});

test('a command is one by its first word only', () => {
  assert.deepEqual(commandIn(['doctor', '--json']), ['doctor', '--json']);
  assert.deepEqual(commandIn(['--licenses']), ['--licenses']);
  assert.equal(commandIn(['--role', 'player']), undefined);
  assert.equal(commandIn(['/some/file']), undefined);
});

test('a computer that is both keeps its first display for the person at it, where there is a second', () => {
  assert.deepEqual([defaultDisplays('player'), defaultDisplays('both')], ['all', 'others']);
});

test('whatever shows a screen has a launcher above it, once it is installed', () => {
  const asking = (isPackaged: boolean, isLaunched: boolean) =>
    ROLES.filter((role) => needsLauncher({ role, isPackaged, isLaunched }));
  assert.deepEqual([asking(true, false), asking(true, true), asking(false, false)], [['player', 'both'], [], []]);
  assert.deepEqual(ROLES.filter(takesUpdates), ['player']);
});

test('a screen that fails begins anew, without a box and without a word; a server’s windows go on', () => {
  assert.deepEqual(
    [goesOnAfterError('server'), goesOnAfterError('player'), goesOnAfterError('both'), goesOnAfterError(undefined)],
    [true, false, false, false],
  );
});

test('a screen that is ended by a signal was not asked to quit; one with a tray was', () => {
  assert.deepEqual(ROLES.filter(isWantedQuit), ['server', 'both']);
});

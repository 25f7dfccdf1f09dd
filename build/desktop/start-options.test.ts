import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES } from '../../shared/desktop/install-values.ts';
import {
  commandIn,
  defaultDisplays,
  goesOnAfterError,
  installsUpdates,
  isWantedQuit,
  needsLauncher,
  readStartOptions,
} from './start-options.ts';

test('options of the desktop program are read with a blank or an equals sign', () => {
  assert.deepEqual(readStartOptions(['--role', 'player', '--displays=1,2']), {
    role: 'player',
    displays: '1,2',
    atLogin: false,
  });
  assert.deepEqual(readStartOptions(['--role=server', '--at-login']), {
    role: 'server',
    displays: undefined,
    atLogin: true,
  });
  assert.deepEqual(readStartOptions([]), { role: undefined, displays: undefined, atLogin: false });
});

test('the program runs a command only if its first argument is the name of a command', () => {
  assert.deepEqual(commandIn(['doctor', '--json']), ['doctor', '--json']);
  assert.deepEqual(commandIn(['--licenses']), ['--licenses']);
  assert.equal(commandIn(['--role', 'player']), undefined);
  assert.equal(commandIn(['/some/file']), undefined);
});

test('computer with both roles uses its first display for the person, if there is a second display', () => {
  assert.deepEqual([defaultDisplays('player'), defaultDisplays('both')], ['all', 'others']);
});

test('every installed program that shows a screen has a launcher', () => {
  const asking = (isPackaged: boolean, isLaunched: boolean) =>
    ROLES.filter((role) => needsLauncher({ role, isPackaged, isLaunched }));
  assert.deepEqual([asking(true, false), asking(true, true), asking(false, false)], [['player', 'both'], [], []]);
  assert.deepEqual(ROLES.filter(installsUpdates), ['player']);
});

test('a failing screen restarts without a dialog, and a server’s windows continue', () => {
  assert.deepEqual(
    [goesOnAfterError('server'), goesOnAfterError('player'), goesOnAfterError('both'), goesOnAfterError(undefined)],
    [true, false, false, false],
  );
});

test('quit by a signal ends the program on a computer with a tray icon, and restarts a screen', () => {
  assert.deepEqual(ROLES.filter(isWantedQuit), ['server', 'both']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { autostartEntry, commandIn, defaultDisplays, roleOf, wishesIn } from './start-options.ts';

test('the role is the command line’s, else what was chosen before, else the installer’s', () => {
  assert.equal(roleOf({ asked: 'both', stored: 'server', installed: 'player' }), 'both');
  assert.equal(roleOf({ asked: 'king', stored: 'server', installed: 'player' }), 'server');
  assert.equal(roleOf({ asked: undefined, stored: undefined, installed: 'player' }), 'player');
  assert.equal(roleOf({ asked: undefined, stored: 7, installed: undefined }), undefined);
});

test('wishes are read with a blank or an equals sign', () => {
  assert.deepEqual(wishesIn(['--role', 'player', '--displays=1,2']), { role: 'player', displays: '1,2', atLogin: false });
  assert.deepEqual(wishesIn(['--role=server', '--at-login']), { role: 'server', displays: undefined, atLogin: true });
  assert.deepEqual(wishesIn([]), { role: undefined, displays: undefined, atLogin: false });
});

test('a command is one by its first word only', () => {
  assert.deepEqual(commandIn(['doctor', '--json']), ['doctor', '--json']);
  assert.equal(commandIn(['--role', 'player']), undefined);
  assert.equal(commandIn(['/some/file']), undefined);
});

test('a computer that is both keeps its first display for the person at it, where there is a second', () => {
  assert.deepEqual([defaultDisplays('player', 3), defaultDisplays('both', 1), defaultDisplays('both', 3)], ['all', 'primary', [2, 3]]);
});

test('the entry for the login names the program, whatever its path holds', () => {
  assert.match(autostartEntry('/opt/My "Vitrine"/$x'), /^Exec="\/opt\/My \\"Vitrine\\"\/\\\$x" --at-login$/m);
});

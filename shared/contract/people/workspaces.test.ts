import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspaceCalled } from './workspaces.ts';

test('workspace that people have not named is shown with the name of its organization', () => {
  assert.equal(workspaceCalled('Default', 'Bäckerei Öztürk'), 'Bäckerei Öztürk');
  assert.equal(workspaceCalled('Window', 'Bäckerei Öztürk'), 'Window');
  for (const unknown of ['', undefined]) assert.equal(workspaceCalled('Default', unknown), 'Default');
});

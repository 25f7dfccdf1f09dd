import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessibleWorkspace } from '../../../shared/contract/people/auth.ts';
import { byOrganization } from './workspaces.utils.ts';

test('two organizations with the same name stay separate', () => {
  const of = (id: string, organization_id: string) =>
    ({ id, organization_id, organization_name: 'Shop' }) as AccessibleWorkspace;
  const found = byOrganization([of('a', '1'), of('b', '2'), of('c', '1')]);
  assert.deepEqual(
    found.map((o) => o.workspaces.map((w) => w.id)),
    [['a', 'c'], ['b']],
  );
});

/**
 * Sends a request to every endpoint as a visitor from headquarters with every role: only the rule about visitors
 * (shared/contract/screens/visitors.ts) can refuse these requests.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Act } from '../../shared/contract/acts.ts';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { refusalForVisitors } from '../../shared/contract/screens/visitors.ts';
import { colleague, must, type Person } from '../people.ts';
import { queryIn, send } from './examples.ts';
import { nameOf, openWalk, shown } from './walk.ts';

const walk = openWalk();

/** Endpoints for sessions that visitors may use. Visitors cannot use any other endpoint for sessions. */
const OPEN = new Set([
  ...['getMe', 'getChain', 'listMembers', 'listWorkspaces', 'updateWorkspace', 'getBrand', 'updateBrand'],
  ...['listViews', 'createView', 'updateView', 'deleteView'],
  ...['listPendingPlayers', 'pairDevice'],
  ...['deleteFromBin', 'emptyBin', 'dropCampaign'],
  ...['createCampaign', 'updateCampaign', 'deleteCampaign', 'refuseCampaign', 'rollBack', 'startCampaign'],
  ...['stopCampaign', 'startDryRun', 'createOrder', 'takeBackOrder', 'writeStoreStick', 'takeStoreStick'],
  ...['createStoreRollout', 'endStoreRollout', 'leaveOutOfRollout', 'pauseStoreRollout', 'previewStoreRollout'],
  'resumeStoreRollout',
]);
const isOpen = ({ access, name }: Endpoint) => access.kind === 'token' || OPEN.has(name);
const isForPeople = ({ access }: Endpoint) => access.kind === 'token' || access.kind === 'session';

const enter = async (): Promise<Person> => {
  const { site, a } = walk.store;
  const one = await colleague(site, a.owner, 'visitor@headquarters.invalid', 'workspace_admin');
  const body = { workspace_id: a.workspaceId };
  const { token } = must(await site.call('POST', '/api/auth/switch-workspace', { token: one.token, body }));
  const { db } = site.app;
  db.write(() => {
    db.raw
      .prepare('INSERT INTO organization_members (organization_id, user_id, role, created_at) VALUES (?, ?, ?, 1)')
      .run(a.organizationId, one.id, 'org_owner');
    db.raw.prepare("UPDATE users SET auth_provider = 'headquarters', role = 'platform_admin' WHERE id = ?").run(one.id);
  });
  return { ...one, token };
};
let entered: Promise<Person> | undefined;
const visitor = () => (entered ??= enter());

test('visitors from headquarters cannot use endpoints that manage people, access, the connection or the server', async () => {
  const { token } = await visitor();
  const isLast = ({ method }: Endpoint) => (method === 'DELETE' ? 1 : 0);
  const problems: string[] = [];
  for (const endpoint of walk.endpoints.filter(isForPeople).toSorted((x, y) => isLast(x) - isLast(y))) {
    const body = endpoint.name === 'updateWorkspace' ? { name: 'Aurora' } : undefined;
    const answer = await send(walk.store, endpoint, { token, body, query: queryIn(endpoint, walk.store.a) });
    const isRefused = answer.status === 403 && answer.body?.code === 'visitor';
    if (
      isRefused &&
      !/^Visitors from headquarters cannot .+\. .+\.$|^Visitors from headquarters cannot .+ because .+\.$/.test(
        answer.body.error,
      )
    )
      problems.push(`${nameOf(endpoint)}: no reason or no way out; ${shown(answer)}`);
    if (isRefused === isOpen(endpoint)) problems.push(`${nameOf(endpoint)} (${endpoint.name}): ${shown(answer)}`);
  }
  assert.deepEqual(problems, []);
});

test('visitors cannot change the approval rule or the name of the organization', async () => {
  const { token } = await visitor();
  const path = `/api/workspaces/${walk.store.a.workspaceId}`;
  for (const body of [{ approval: 1 }, { name: 'Aurora', approval: 0 }, { organization_name: 'Ours' }]) {
    const answer = await walk.store.site.call('PUT', path, { token, body });
    assert.deepEqual([answer.status, answer.body.code], [403, 'visitor'], JSON.stringify(body));
  }
});

test('visitor is refused when an endpoint does not declare whether it changes data', () => {
  const asked = { params: {}, query: {}, body: undefined };
  for (const role of ['user', 'manager'] as const)
    assert.match(refusalForVisitors({ access: { kind: 'session', role } }, asked) ?? '', /^Visitors/);
  assert.match(refusalForVisitors({ access: { kind: 'token', scope: 'write' } }, asked) ?? '', /^Visitors/);
  const unknown = () => [{ on: 'safe' }] as unknown as Act[];
  assert.match(
    refusalForVisitors({ access: { kind: 'token', scope: 'write' }, acts: unknown }, asked) ?? '',
    /^Visitors/,
  );
});

test('every public endpoint that writes is below /api/auth, so the tunnel refuses it for visitors', () => {
  const open = walk.endpoints.filter(({ access, method }) => access.kind === 'public' && method !== 'GET');
  assert.ok(open.length > 5);
  for (const endpoint of open) assert.ok(endpoint.path.startsWith('/api/auth/'), nameOf(endpoint));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveClientMessage, LiveServerMessage, type Topic } from './live.ts';

const TOPICS = {
  content: true,
  folders: true,
  playlists: true,
  devices: true,
  layouts: true,
  groups: true,
  schedules: true,
  plans: true,
  walls: true,
  widgets: true,
  kiosk: true,
  overlays: true,
  messages: true,
  alerts: true,
  approvals: true,
  reports: true,
  bin: true,
  plays: true,
  activity: true,
  members: true,
  tokens: true,
  pending: true,
  settings: true,
  chain: true,
  stores: true,
  campaigns: true,
  brand: true,
} satisfies Record<Topic, true>;

test('admin window receives notices about changed records of each kind, and changed fields of devices', () => {
  const stale = { type: 'stale', topic: 'content', by: null };
  const messages: object[] = [
    { type: 'ready', workspace_id: 'w' },
    { type: 'pong' },
    { type: 'pending' },
    ...Object.keys(TOPICS).map((topic) => ({ ...stale, topic })),
    { ...stale, ids: ['a', 'b'], by: 'user-1' },
    { type: 'device', device_id: 'd' },
    { type: 'devices', patches: [{ device_id: 'd' }, { device_id: 'e', status: 'online', screen_on: null }] },
    ...['online', 'offline'].map((status) => ({ type: 'device', device_id: 'd', status, screen_on: null })),
  ];
  for (const message of messages) assert.deepEqual(LiveServerMessage.parse(message), message);
  for (const message of [{ ...stale, topic: '' }, { type: 'device' }, { type: 'devices' }, { type: 'dance' }])
    assert.equal(LiveServerMessage.safeParse(message).success, false, JSON.stringify(message));
});

test('admin window authenticates with a token of at most 200 characters and sends pings', () => {
  const known = [
    { type: 'auth', token: 't' },
    { type: 'auth', token: 't'.repeat(200), takes: ['devices', 'what comes later'] },
    { type: 'ping' },
  ];
  for (const message of known) assert.deepEqual(LiveClientMessage.parse(message), message);
  for (const message of [{ type: 'auth', token: 't'.repeat(201) }, { type: 'auth' }, { type: 'dance' }])
    assert.equal(LiveClientMessage.safeParse(message).success, false, JSON.stringify(message));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CloseCode,
  GONE_MS,
  HEARTBEAT_MS,
  type Hello,
  type IdentifyPush,
  MAX_FRAME_BYTES,
  MAX_PROGRAM_BODY_BYTES,
  overlayBeginsBy,
  type PipShow,
  type PlayerMessage,
  parseHello,
  readPlayerMessage,
  readServerMessage,
  type ServerMessage,
  SILENCE_MS,
  SUBPROTOCOL,
  type WaitingMessage,
} from './messages.ts';

const HASH = 'a1'.repeat(32);
const RUN = 'b2'.repeat(16);
const server = { id: 's', name: 'Store', fingerprint: HASH };
const device = {
  ...{ name: 'Till', platform: 'linux', version: '0.1.0', capabilities: ['screen'] },
  screen: { width: 1920, height: 1080 },
};
const takes = ['program.body'];
const fresh = {
  type: 'hello',
  protocol: 1,
  secret_hash: HASH,
  device,
  signing_key: HASH,
  takes,
  own_code: true,
} as const;
const claimed: Hello = {
  ...{ device_id: 'd', secret: HASH, device, program_id: HASH, signing_key: HASH, takes },
  type: 'hello',
  protocol: 1,
};
const play = {
  ...{ id: 'p', item_id: 1, playlist_id: 'l', content_id: 'c', widget_id: null, zone_id: 'z', content_name: 'Milk' },
  ...{ started_at: 1, ended_at: 2, completed: true, boot_id: 'b', uncertainty_ms: 0.5 },
};
const heartbeat = {
  type: 'heartbeat' as const,
  telemetry: { cpu_usage: 5 },
  showing: [{ zone_id: 'z', item_id: 1, content_id: 'c', widget_id: 'w', since: 5 }],
  screen_on: true,
  sync: { offset_ms: 1, uncertainty_ms: 2, error_p50_ms: null, error_p99_ms: 4, refresh: { at: 1, period_ms: 16 } },
  own_time: 5,
  glimpses: [],
};
const plays = {
  type: 'plays' as const,
  first: 1,
  plays: [play],
  chain: { prev: HASH, head: HASH, signature: HASH + HASH },
};
const failed = { type: 'program.failed' as const, id: HASH, reason: 'No room', asset: HASH };
const screenshot = { type: 'screenshot.result' as const, id: 'x', mime: 'image/jpeg' as const, data: 'AAAA' };
const log = { type: 'log' as const, level: 'info' as const, message: 'm', detail: { any: [1] } };
const share = { type: 'claim.share' as const, id: RUN, share: HASH };

const fromPlayers: readonly (PlayerMessage | WaitingMessage)[] = [
  { type: 'clock', t0: 1.5 },
  heartbeat,
  { type: 'program.ready', id: HASH, placement_id: 'p' },
  failed,
  plays,
  ...(['done', 'failed', 'unsupported'] as const).map(
    (status) => ({ type: 'command.result', id: 'c', status, error: 'why' }) as const,
  ),
  ...(['shown', 'failed', 'cleared'] as const).map(
    (status) => ({ type: 'overlay.result', pip_id: 'o', status, error: 'why', at: 5 }) as const,
  ),
  ...(['image/jpeg', 'image/png', 'image/webp'] as const).map((mime) => ({ ...screenshot, mime })),
  ...(['info', 'warn', 'error'] as const).map((level) => ({ ...log, level })),
  share,
  { type: 'claim.result', id: RUN, tag: HASH },
];

const overlay: PipShow = {
  ...{ pip_id: 'o', uri: 'http://a.example/b', width: 480, height: 360, duration: 0, title: 't' },
  ...{ title_color: '#ffffff', background_color: '#000000', opacity: 0.5, border_radius: 4, close_button: true },
  ...{ until: 9, begin_by: 8 },
  type: 'device:pip-show',
  kind: 'image',
  position: 'center',
};
const placement = { orientation: '0', timezone: 'UTC', wall: null } as const;
const program = { type: 'program', id: HASH, url: '/api/player/programs/x', placement, placement_id: 'p' } as const;
const identify: IdentifyPush = { type: 'identify', seconds: 20, groups: ['Tills'] };
const fromServers: readonly ServerMessage[] = [
  { type: 'pairing', code: 'ACDEFG', expires_at: 5, server },
  { type: 'waiting', server },
  { type: 'claim', id: RUN, share: HASH },
  { type: 'claim.proof', id: RUN, tag: HASH },
  { type: 'paired', device_id: 'd', name: 'Till', workspace_id: 'w', server },
  { type: 'unpaired', reason: 'unknown' },
  { type: 'unpaired', reason: 'removed' },
  { type: 'welcome', device_id: 'd', name: 'Till', server_time: 5, server: { ...server, version: '0.1.0' } },
  { type: 'clock', t0: 1, t1: 2, t2: 3, doubtful: true },
  { type: 'heartbeat.ack', server_time: 5, wall_refresh: { at: 1, period_ms: 16 } },
  program,
  { type: 'program.body', id: HASH, body: '{}' },
  { type: 'plays.ack', through: 7 },
  { type: 'command', id: 'c', command: 'reboot', payload: { any: 1 }, expires_at: 5 },
  ...(['top-left', 'top-right', 'bottom-left', 'bottom-right', 'center'] as const).map((position) => ({
    ...overlay,
    position,
  })),
  { ...overlay, kind: 'web' },
  { type: 'device:pip-clear', pip_id: 'o' },
  { type: 'device:mute-changed', item_id: 1, content_id: 'c', widget_id: null, muted: true },
  { type: 'screenshot', id: 'x' },
  identify,
];

test('readers accept every message of version 1 without losing a field', () => {
  for (const message of fromPlayers) assert.deepEqual(readPlayerMessage(message), { is: 'message', message });
  for (const message of fromServers) assert.deepEqual(readServerMessage(message), { is: 'message', message });
  for (const message of [fresh, claimed]) assert.deepEqual(parseHello(message), { success: true, data: message });
});

/** Returns a copy of the message with another value at a path like `plays.0.id`. */
const changed = (message: object, path: string, value: unknown): object => {
  const copy = structuredClone(message) as any;
  const steps = path.split('.');
  const last = steps.pop()!;
  steps.reduce((inner, step) => inner[step], copy)[last] = value;
  return copy;
};
const isRead = (message: any): boolean =>
  message.type === 'hello'
    ? parseHello(message).success
    : [readPlayerMessage(message).is, readServerMessage(message).is].includes('message');
const long = (length: number) => 'x'.repeat(length);
const many = (length: number, value: unknown) => Array(length).fill(value);

for (const [message, path, good, bad] of [
  [fresh, 'protocol', 1, 2],
  [fresh, 'device.name', long(200), long(201)],
  [fresh, 'device.platform', long(200), long(201)],
  [fresh, 'device.version', long(200), long(201)],
  [fresh, 'device.capabilities', many(50, long(50)), many(51, 'a')],
  [fresh, 'device.capabilities.0', long(50), long(51)],
  [fresh, 'takes', many(50, long(50)), many(51, 'a')],
  [claimed, 'takes.0', long(50), long(51)],
  [fresh, 'device.screen', { width: 0, height: 0 }, { width: -1, height: 0 }],
  [claimed, 'device_id', long(200), long(201)],
  [claimed, 'device_id', '1', ''],
  [claimed, 'secret', HASH, HASH.slice(1)],
  [heartbeat, 'showing', many(100, heartbeat.showing[0]), many(101, heartbeat.showing[0])],
  ...['zone_id', 'content_id', 'widget_id'].map((id) => [heartbeat, `showing.0.${id}`, long(200), long(201)] as const),
  [heartbeat, 'showing.0.item_id', null, 1.5],
  [heartbeat, 'sync.refresh.period_ms', 2, 1.9],
  [heartbeat, 'sync.refresh.period_ms', 50, 50.1],
  [plays, 'first', 1, 0],
  [plays, 'plays', many(500, play), many(501, play)],
  [plays, 'plays', many(1, play), []],
  [plays, 'plays.0.id', long(200), long(201)],
  [plays, 'plays.0.content_name', long(2000), long(2001)],
  [plays, 'plays.0.started_at', 0, -1],
  [plays, 'plays.0.started_at', 8.64e15, 8.65e15],
  [plays, 'plays.0.ended_at', 0, -1],
  [plays, 'plays.0.ended_at', 8.64e15, 8.65e15],
  [plays, 'plays.0.uncertainty_ms', 0, -1],
  [plays, 'chain.signature', HASH + HASH, HASH],
  [failed, 'reason', long(2000), long(2001)],
  [failed, 'asset', long(200), long(201)],
  [fromPlayers[2]!, 'placement_id', long(200), long(201)],
  [screenshot, 'data', long(700 * 1024), long(700 * 1024 + 1)],
  [log, 'message', long(2000), long(2001)],
  [share, 'id', RUN, HASH],
  [program, 'url', '/', 'http://elsewhere.example/'],
  [program, 'placement_id', long(200), long(201)],
  [identify, 'seconds', 1, 0],
  [identify, 'seconds', 600, 601],
  [identify, 'groups', many(20, 'g'), many(21, 'g')],
] as const)
  test(`reader accepts ${JSON.stringify(good).slice(0, 20)} as ${message.type} ${path} and refuses a value beyond the limit`, () => {
    assert.ok(isRead(changed(message, path, good)));
    assert.ok(!isRead(changed(message, path, bad)));
  });

test('overlay may start within its duration after the message, but at least within twenty seconds', () => {
  assert.equal(overlayBeginsBy(1_000, 60), 61_000);
  assert.equal(overlayBeginsBy(1_000, 0), 21_000);
  assert.equal(overlayBeginsBy(1_000, 20.5), 21_500);
});

test('program of the maximum size fits into a message even if every character is escaped', () => {
  const body = '"'.repeat(MAX_PROGRAM_BODY_BYTES);
  assert.ok(JSON.stringify({ type: 'program.body', id: HASH, body }).length < MAX_FRAME_BYTES);
  assert.ok(3 * MAX_PROGRAM_BODY_BYTES > MAX_FRAME_BYTES);
});

test('constants of the protocol are the same in every version', () => {
  assert.equal(SUBPROTOCOL, 'vitrine.v1');
  assert.equal(MAX_FRAME_BYTES, 2 ** 20);
  assert.deepEqual([HEARTBEAT_MS, SILENCE_MS, GONE_MS], [15_000, 45_000, 5_000]);
  const { malformed, notPaired, saidNothing, replaced, tooFast, serverStops, notNow } = CloseCode;
  assert.deepEqual([malformed, notPaired, saidNothing, replaced, tooFast], [4400, 4401, 4408, 4409, 4429]);
  assert.deepEqual([serverStops, notNow], [1001, 1013]);
});

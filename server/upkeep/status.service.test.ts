/** Tests the sentences about problems of the server, which say what to do. A healthy server has none. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Storage } from '../../shared/contract/server/upkeep.ts';
import { StatusService } from './status.service.ts';

type Deps = ConstructorParameters<typeof StatusService>[0];
const DAY = 86_400_000;
const MB = 1024 ** 2;
const NOW = 1_800_000_000_500;
const STORAGE = {
  ...{ path: '/data', free_bytes: 5 * MB + 9, total_bytes: 9 * MB, level: 'ok', full_in_days: null, aside_bytes: 0 },
} as unknown as Storage;
const HTTPS = {
  error: null,
  expires_at: null,
  previous_ca_ends_at: null,
  own_certificate: false,
} as unknown as ReturnType<Deps['https']>;

/** Returns the facts of a healthy server, with the given facts replaced. */
const setUp = (t: TestContext, more: object = {}) => {
  const data = mkdtempSync(join(tmpdir(), 'vitrine-status-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  for (const folder of ['keys', 'logs']) mkdirSync(join(data, folder));
  for (const key of ['secrets.key', 'server.json']) writeFileSync(join(data, 'keys', key), '{}');
  const deps = {
    data,
    store: { screens: () => [{ id: 'a' }, { id: 'b' }, { id: 'c' }], newestPlay: () => 7, sealedSecrets: () => 1 },
    clock: { now: () => NOW, uptime: 90_500, state: () => ({ now: NOW / 1000, doubt: null }), problem: undefined },
    version: '1.2.3',
    server: () => ({ id: 'i', name: 'Mill', fingerprint: 'f' }),
    addresses: () => ['http://mill'],
    https: () => HTTPS,
    isOnline: (id: string) => id !== 'b',
    disk: { storage: async () => STORAGE },
    database: { damage: undefined },
    db: { failure: undefined },
    backups: { lastError: undefined, lastAt: NOW - 3 * DAY },
    media: { findings: undefined, isLooking: false, pools: [{ folder: '/b', damaged: [] }] },
    ...{ mailer: { failure: undefined }, webhook: { failure: undefined }, mqtt: { failure: undefined } },
    missingHere: async () => [],
    services: () => [],
    ...more,
  } as unknown as Deps;
  const service = new StatusService(deps);
  const found = async () => (await service.problems()).map(({ code, text }) => `${code}: ${text}`);
  return { data, service, found };
};

test('healthy server reports its state and no problem', async (t) => {
  const { service, found } = setUp(t);
  assert.deepEqual(await found(), []);
  const { uptime_seconds, started_at, screens_total, screens_online, last_backup_at, problems, name, version } =
    await service.status();
  assert.deepEqual(
    [uptime_seconds, started_at, screens_total, screens_online, last_backup_at, problems, name, version],
    [90, 1_799_999_910, 3, 2, 1_799_740_800, [], 'Mill', '1.2.3'],
  );
  assert.deepEqual(await service.measured(), {
    ...{ screensTotal: 3, screensOnline: 2, plays: 7, storage: STORAGE, lastBackupAt: 1_799_740_800, problems: 0 },
    ...{ certificateExpiresAt: null, startedAt: 1_799_999_910, services: [] },
  });
  const fresh = setUp(t, { backups: {} });
  assert.deepEqual([await fresh.found(), (await fresh.service.status()).last_backup_at], [[], null]);
  assert.equal((await fresh.service.measured()).lastBackupAt, 0);
  assert.deepEqual(await setUp(t, { backups: { lastAt: 0 } }).found(), [], 'none was made yet');
});

test('each problem of the server has its own sentence', async (t) => {
  const wrong: [object, RegExp][] = [
    [{ database: { damage: 'Page 3 is wrong.' } }, /^database_damaged: Page 3 is wrong\.$/],
    [{ backups: { lastError: 'No room.', lastAt: 1 } }, /^backup_failed: The newest backup failed\. No room\.$/],
    [{ backups: { lastAt: NOW - 3 * DAY - 1 } }, /^backup_old: /],
    [{ mailer: { failure: 'No.' } }, /^mail_failing: .* No\.$/],
    [{ webhook: { failure: 'No.' } }, /^webhook_failing: .* No\.$/],
    [{ mqtt: { failure: 'No.' } }, /^mqtt_failing: .* No\.$/],
    [{ services: () => [{ name: 'postgres', failure: 'It is down.' }] }, /^postgres_failing: It is down\.$/],
    [
      { services: () => [{ name: 'postgres' }, { name: 'hub', failure: 'It is down.' }] },
      /^hub_failing: It is down\.$/,
    ],
    [
      { clock: { now: () => NOW, uptime: 0, state: () => ({}), problem: 'It jumped.' } },
      /^clock_doubtful: It jumped\.$/,
    ],
    [{ https: () => ({ ...HTTPS, error: 'No key.' }) }, /^https_failing: No key\.$/],
    [{ https: () => ({ ...HTTPS, previous_ca_ends_at: NOW / 1_000 }) }, /^certificate_ends: /],
    [{ db: { failure: { code: 'SQLITE_FULL' } } }, /^database_failing: /],
    [{ missingHere: async () => [' Note: no ffmpeg. '] }, /^no_ffmpeg: no ffmpeg\.$/],
  ];
  for (const [more, sentence] of wrong) {
    const found = await setUp(t, more).found();
    assert.equal(found.length, 1, String(sentence));
    assert.match(found[0]!, sentence);
  }
});

test('sentence about a full disk says how much space is left, for how long, and what can be deleted', async (t) => {
  const said = async (more: object) =>
    (await setUp(t, { disk: { storage: async () => ({ ...STORAGE, ...more }) } }).found()).join();
  assert.equal(
    await said({ level: 'full' }),
    'disk_full: The disk is full (5 MB free). Screens keep playing, but nothing new can be saved.',
  );
  assert.equal(await said({ level: 'low' }), 'disk_low: The disk is getting full: 5 MB are free.');
  assert.match(await said({ level: 'low', full_in_days: 9 }), /free\. At the present rate it is full in 9 days\.$/);
  assert.match(await said({ level: 'full', aside_bytes: 2 * MB + 1 }), /saved\. 3 MB are unused media and versions/);
  assert.match(await said({ level: 'low', aside_bytes: 1 }), /free\. 1 MB are unused/);
});

test('sentence about lost or damaged media names at most five, each once, and says what to do', async (t) => {
  const lost = (...names: string[]) => names.map((name) => ({ sha256: name, names: [name, 'Shared'] }));
  const said = async (findings: object, isLooking = false, pools: object[] = []) =>
    await setUp(t, { media: { findings: { missing: [], damaged: [], ...findings }, isLooking, pools } }).found();
  assert.deepEqual(await said({ missing: lost('A') }), [
    'media_missing: 1 media file is missing from the disk: A, Shared. Screens that have these files keep playing them. No connected backup has undamaged copies of these files. Upload the files again with "Replace", or connect the disk of an older backup.',
  ]);
  const [many] = await said({ damaged: lost('A', 'B', 'C', 'D', 'E', 'F') }, true);
  assert.match(
    many!,
    /^media_damaged: 6 media files are damaged: A, Shared, B, C, D and 2 more\. .* searching the backups/,
  );
  assert.match((await said({ damaged: lost('A', 'B', 'C', 'D') }))[0]!, /: A, Shared, B, C, D\. Screens/);
  const pool = async (...damaged: string[]) => (await said({}, false, [{ folder: '/b', damaged }]))[0]!;
  assert.match(await pool('x'), /^backup_damaged: 1 file of the backups in \/b is damaged/);
  assert.match(await pool('x', 'y'), /^backup_damaged: 2 files of the backups in \/b are damaged/);
});

test('lost key file is reported while it can be restored, but not if no secret is encrypted with it', async (t) => {
  const { data, found } = setUp(t);
  rmSync(join(data, 'keys', 'server.json'));
  assert.match((await found()).join(), /^keys_missing: The file keys\/server\.json/);
  const opens = setUp(t);
  rmSync(join(opens.data, 'keys', 'secrets.key'));
  assert.match((await opens.found()).join(), /^keys_missing: The file keys\/secrets\.key/);
  const nothing = setUp(t, { store: { screens: () => [], newestPlay: () => 0, sealedSecrets: () => 0 } });
  rmSync(join(nothing.data, 'keys', 'secrets.key'));
  assert.deepEqual(await nothing.found(), []);
});

/**
 * The oldest player that this repository can build, with the server of this version: a store that updated its server
 * but never its screens.
 */
// Suite: long
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { firstUser, startSite, tempFolder } from '../harness.ts';
import { must } from '../people.ts';
import { until } from '../until.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIMIT_MS = 30_000;

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] });
/** Returns the commits that changed the player's entry file, the oldest first; empty without a git history. */
const versions = (): string[] => {
  try {
    if (git('rev-parse', '--is-shallow-repository').toString().trim() === 'true') return [];
    return git('log', '--reverse', '--format=%H', '--', 'player/main.ts').toString().split('\n').filter(Boolean);
  } catch {
    return [];
  }
};

/** Extracts the sources of the oldest player version that starts with today's packages. */
const oldestPlayer = (t: TestContext, commits: readonly string[]): { commit: string; folder: string } => {
  for (const commit of commits) {
    const folder = tempFolder(t);
    execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit, 'player', 'shared', 'package.json') });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    try {
      execFileSync(process.execPath, [join(folder, 'player/main.ts'), '--help'], { stdio: 'ignore' });
      return { commit, folder };
    } catch {}
  }
  throw new Error('no version of the player starts');
};

const commits = versions();
test('oldest player is paired, shows a program, and answers a command', {
  skip: commits.length === 0 && 'the history of this repository is not here: git fetch --unshallow',
  timeout: 180_000,
}, async (t) => {
  const { commit, folder } = oldestPlayer(t, commits);
  t.diagnostic(`the player of ${commit}`);
  const site = await startSite(t);
  const { token } = await firstUser(site);
  const call = async (method: string, path: string, body?: unknown, status = 200) =>
    must(await site.call(method, path, { token, ...(body !== undefined && { body }) }), status);
  // The screen page of that version is not built, since the test does not look at it.
  mkdirSync(join(folder, 'dist/screen'), { recursive: true });
  writeFileSync(join(folder, 'dist/screen/index.html'), '<!doctype html><title>screen</title>');
  const args = [
    join(folder, 'player/main.ts'),
    '--server',
    site.origin,
    '--data',
    join(folder, 'data'),
    '--no-window',
    '--name',
    'Oldest',
  ];
  const player = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  t.after(() => player.kill('SIGKILL'));

  const pending = await until(
    'the player to wait',
    LIMIT_MS,
    async () => (await call('GET', '/api/devices/pending'))[0],
  );
  const { id } = await call('POST', '/api/devices/pair', { pending_id: pending.pending_id, name: 'Oldest' }, 201);
  const widget = await call('POST', '/api/widgets', { name: 'Clock', widget_type: 'clock', config: {} }, 201);
  const playlist = await call('POST', '/api/playlists', { name: 'Offers' }, 201);
  await call('POST', `/api/playlists/${playlist.id}/items`, { widget_id: widget.id, duration_sec: 10 }, 201);
  await call('POST', `/api/playlists/${playlist.id}/publish`);
  await call('POST', `/api/playlists/${playlist.id}/assign`, { device_id: id });
  const { program } = await call('GET', `/api/devices/${id}/program`);
  assert.ok(JSON.stringify(program).includes(widget.id));
  const ready = await until('the program to be shown', LIMIT_MS, async () => {
    const device = await call('GET', `/api/devices/${id}`);
    assert.notEqual(device.program?.state, 'failed', device.program?.reason);
    return device.program?.state === 'ready' && device.current_playlist_id === playlist.id && device;
  });
  assert.equal(ready.status, 'online');
  assert.deepEqual(
    await call('POST', `/api/devices/${id}/command`, { type: 'screen_off' }).then(({ status }) => status),
    'done',
  );
  assert.equal((await call('GET', `/api/devices/${id}`)).status, 'online');
  // Waits for the end of the player, which may write files until then.
  player.kill();
  await once(player, 'exit');
});

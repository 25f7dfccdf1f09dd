/**
 * Every command, and the server's start, on a dead, full or read-only disk: each prints a sentence without a stack
 * trace and ends with an exit code.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeBackup } from '../../server/upkeep/backup/make-backup.ts';
import { tempFolder } from '../harness.ts';
import { ROOT, stoppedStore, vitrine } from './data-server.ts';
import { createFaults, type DiskFault, whyNoFaults } from './hooks/faults.ts';

/** Shared compile cache, because compiling takes most of the time of a start. */
const CACHE = join(tmpdir(), 'vitrine-test-compiled');

interface Place {
  /** Path of the data folder on the bad disk. */
  readonly data: string;
  readonly disk: string;
  /** Path of a folder on a good disk. */
  readonly elsewhere: string;
}

/** Commands with `reads` need no write, so they succeed on a full or read-only disk. */
const COMMANDS: Record<string, { args: (place: Place) => string[]; reads?: true; prepare?: (place: Place) => void }> = {
  backup: { args: ({ data }) => ['backup', '--data', data] },
  'backup --to': { args: ({ data, disk }) => ['backup', '--to', join(disk, 'one.vitrine'), '--data', data] },
  restore: { args: ({ data, elsewhere }) => ['restore', join(elsewhere, 'good.vitrine'), '--data', data] },
  'restore from it': {
    args: ({ disk, elsewhere }) => ['restore', join(disk, 'good.vitrine'), '--data', join(elsewhere, 'new')],
    reads: true,
  },
  verify: { args: ({ disk }) => ['verify', join(disk, 'good.vitrine')], reads: true },
  export: { args: ({ data, disk }) => ['export', join(disk, 'all.zip'), '--data', data] },
  import: { args: ({ data, elsewhere }) => ['import', join(elsewhere, 'good.vitrine'), '--data', data] },
  'reset-password': { args: ({ data }) => ['reset-password', 'owner@store.test', '--data', data] },
  'new-key': {
    args: ({ data }) => ['new-key', '--data', data],
    prepare: ({ data }) => rmSync(join(data, 'keys', 'server.json')),
  },
  'release-key': { args: ({ disk }) => ['release-key', join(disk, 'release.pem')] },
  doctor: { args: ({ data }) => ['doctor', '--data', data, '--port', '65000', '--https-port', '0'] },
};

const start = async (data: string, env: Record<string, string>) => {
  const child = spawn(
    process.execPath,
    ['server/main.ts', '--port', '0', '--host', '127.0.0.1', '--no-discovery', '--no-https', '--data', data],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, VITRINE_LOG_LEVEL: 'warn', ...env },
    },
  );
  let [stdout, stderr] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    // Kills a server that has started in spite of the fault, so that the function returns.
    if (stdout.includes('This computer:')) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
};

const furnished = async (t: TestContext): Promise<Place> => {
  const [disk, elsewhere] = [tempFolder(t), tempFolder(t)];
  const data = join(disk, 'data');
  await stoppedStore(t, ['a'], data);
  await makeBackup({ data, target: join(elsewhere, 'good.vitrine'), media: 'inside', now: Date.UTC(2026, 2, 10) });
  cpSync(join(elsewhere, 'good.vitrine'), join(disk, 'good.vitrine'));
  return { disk, data, elsewhere };
};

/** Runs the work for two items at a time, since a machine has at least two cores. */
const eachOf = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  const left = [...all];
  const take = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all([take(), take()]);
};

for (const fault of ['eio-all', 'enospc', 'erofs'] as const satisfies readonly DiskFault[])
  test(`every command on a disk with ${fault} ends with a sentence and without a stack trace`, {
    skip: whyNoFaults,
    timeout: 180_000,
  }, async (t) => {
    const template = await furnished(t);
    await eachOf([...Object.keys(COMMANDS), 'serve'], async (name) => {
      const command = COMMANDS[name];
      const place = { disk: tempFolder(t), elsewhere: tempFolder(t), data: '' };
      cpSync(template.disk, place.disk, { recursive: true });
      cpSync(template.elsewhere, place.elsewhere, { recursive: true });
      place.data = join(place.disk, 'data');
      command?.prepare?.(place);
      const faults = createFaults(t);
      faults.disk(fault, place.disk);
      const env = { ...faults.env, NODE_COMPILE_CACHE: CACHE };
      const { code, stdout, stderr } = command ? await vitrine(command.args(place), env) : await start(place.data, env);
      const said = `${name}: ${code}\n${stdout}\n${stderr}`;
      assert.doesNotMatch(`${stdout}${stderr}`, /^\s+at |node:internal|Error:/m, said);
      if (command?.reads && fault !== 'eio-all') return assert.equal(code, 0, said);
      assert.ok(code === 1 || code === 3, said);
      // The doctor and commands that only read print their findings on stdout.
      if (code === 1) assert.match(stderr, /^[^\n]{20,}\n$/, said);
      else assert.match(stdout, /\S/, said);
    });
  });

/**
 * Interrupts an update at every step, by a kill of its process and by a power cut, and checks which versions start
 * afterwards. Uses a real disk and the real launcher.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { NOTHING_YET } from '../../shared/desktop/update-state.ts';
import { createFaults, whyNoFaults } from '../../test/faults/hooks/faults.ts';
import { afterPowerCut } from '../../test/faults/hooks/power-cut.ts';
import { runCount } from '../../test/run-count.ts';
import { nodeTime } from '../agent/node-ports.ts';
import { folderFor } from '../agent/testing/folder.ts';
import { MemoryLog } from '../core/testing/fakes.ts';
import { Launcher } from './launcher.ts';
import { UpdateFiles } from './update-files.ts';

const RUN = join(import.meta.dirname, 'testing', 'update-run.ts');
const PARTS = ['vitrine', 'resources/app.asar', 'locales/de.pak'];
const bytesOf = (version: string, part: string) => `${part} of ${version}\n`.repeat(20);

/** Prepares a folder with one version in use and one unneeded version, and a release of the next version. */
const prepare = async (t: TestContext) => {
  const folder = folderFor(t);
  const lay = (top: string, version: string) => {
    for (const part of PARTS) {
      mkdirSync(join(top, part, '..'), { recursive: true });
      writeFileSync(join(top, part), bytesOf(version, part), { mode: 0o755 });
    }
  };
  const base = join(folder, 'base');
  const files = new UpdateFiles(join(base, 'updates'));
  for (const version of ['1.4.0', '1.5.0']) {
    lay(files.unpacked(version), version);
    await files.place(version, files.unpacked(version), 'a'.repeat(64));
  }
  await files.write({ ...NOTHING_YET, current: '1.5.0' });
  lay(join(folder, 'release', 'Vitrine-2.0.0'), '2.0.0');
  const release = join(folder, 'release.tar.gz');
  execFileSync('tar', ['-czf', release, '-C', join(folder, 'release'), 'Vitrine-2.0.0']);
  return { folder, base, release };
};

/** Returns the versions that the launcher starts, up to the first complete version. */
const boot = async (updates: string): Promise<string[]> => {
  const starts: string[] = [];
  const log = new MemoryLog();
  const launcher: Launcher = new Launcher({
    files: new UpdateFiles(updates),
    installed: { version: '1.0.0', program: 'installed' },
    args: [],
    env: {},
    takesUpdates: true,
    start: ({ program, hear }) => {
      const [version] = /(?<=versions\/)[^/]+/.exec(program) ?? ['installed'];
      const top = join(program, '..');
      const isWhole =
        version === 'installed' ||
        PARTS.every(
          (part) => existsSync(join(top, part)) && readFileSync(join(top, part), 'utf8') === bytesOf(version, part),
        );
      starts.push(isWhole ? version : `${version}, damaged`);
      if (isWhole || starts.length > 3) hear({ type: 'ending', how: 'quit' });
      return { send: () => {}, kill: () => {}, ended: Promise.resolve('with 1') };
    },
    count: async () => {},
    time: nodeTime,
    log,
    platform: 'linux',
  });
  await launcher.run();
  return starts;
};

test('after a kill of the update at any step, the old or the new version starts', {
  skip: whyNoFaults,
}, async (t) => {
  const { folder, base, release } = await prepare(t);
  const faults = createFaults(t);
  const ends = new Set<string>();
  for (let step = 1; ; step += 9) {
    const place = join(folder, `killed-${step}`);
    cpSync(base, place, { recursive: true });
    faults.disk('kill', place, step);
    const child = spawn(process.execPath, [RUN, join(place, 'updates'), release], {
      env: { ...process.env, ...faults.env },
      stdio: 'ignore',
    });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    faults.mend();
    const starts = await boot(join(place, 'updates'));
    assert.ok(['1.5.0', '2.0.0'].includes(starts.join()), `killed at step ${step}: ${starts}`);
    ends.add(starts.join());
    rmSync(place, { recursive: true });
    // The update was killed, or failed because its child process was killed.
    if (code === 0 && signal === null) break;
  }
  assert.deepEqual([...ends], ['1.5.0', '2.0.0']);
});

test('after a power cut at any instant, a complete version starts, and a confirmed update is not lost', {
  skip: whyNoFaults,
}, async (t) => {
  const { folder, base, release } = await prepare(t);
  const faults = createFaults(t);
  const place = join(folder, 'run');
  cpSync(base, place, { recursive: true });
  execFileSync(process.execPath, [RUN, join(place, 'updates'), release], {
    env: { ...process.env, ...faults.diaryEnv },
  });
  const changes = faults.diary().filter(({ path }) => path.startsWith(place));
  assert.ok(changes.filter(({ what }) => what === 'sync').length > 15);
  const cut = async (instant: number, chances: readonly number[]) => {
    const into = join(folder, 'cut');
    rmSync(into, { recursive: true, force: true });
    afterPowerCut({ base, place, changes: changes.slice(0, instant), into }, chances);
    return (await boot(join(into, 'updates'))).join();
  };
  const switched = changes.findIndex((change) => change.what === 'rename' && change.to.endsWith('/state.json'));
  const durable = changes.findIndex(
    ({ what, path }, at) => at > switched && what === 'sync' && path.endsWith('/updates'),
  );
  /** A confirmed update must not be lost. */
  const allowed = (instant: number) => (instant > durable ? ['2.0.0'] : ['1.5.0', '2.0.0']);
  // Two cases are tested for each instant: all data that was not synced is lost, or all of it is kept.
  const all = new Array<number>(changes.length).fill(1);
  for (let instant = 0; instant <= changes.length; instant++) {
    for (const chances of [[], all]) {
      const started = await cut(instant, chances);
      assert.ok(allowed(instant).includes(started), `${started}, cut at ${instant} of ${changes.length}`);
    }
  }
  assert.deepEqual([await cut(0, []), await cut(changes.length, [])], ['1.5.0', '2.0.0']);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: changes.length }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 }),
      async (instant, chances) => {
        const started = await cut(instant, chances);
        assert.ok(allowed(instant).includes(started), started);
      },
    ),
    { numRuns: runCount(60, 150) },
  );
});

test('damaged version is not started after any loss of data, and the previous version runs', async (t) => {
  const { base } = await prepare(t);
  const files = new UpdateFiles(join(base, 'updates'));
  const top = files.versionFolder('1.5.0');
  const breaks: Record<string, () => void> = {
    'a file of no bytes': () => writeFileSync(join(top, 'resources/app.asar'), ''),
    'a file cut short': () => writeFileSync(join(top, 'vitrine'), bytesOf('1.5.0', 'vitrine').slice(0, -1)),
    'a file that is gone': () => rmSync(join(top, 'locales/de.pak')),
    'a folder that is gone': () => rmSync(join(top, 'locales'), { recursive: true }),
    'a manifest of no bytes': () => writeFileSync(join(top, 'manifest.json'), ''),
    'a manifest that is gone': () => rmSync(join(top, 'manifest.json')),
    'all of it': () => rmSync(top, { recursive: true }),
  };
  const whole = `${base}-whole`;
  cpSync(base, whole, { recursive: true });
  for (const [what, lose] of Object.entries(breaks)) {
    rmSync(base, { recursive: true });
    cpSync(whole, base, { recursive: true });
    await files.write({ ...NOTHING_YET, current: '1.5.0', previous: '1.4.0' });
    assert.deepEqual(await boot(files.folder), ['1.5.0']);
    lose();
    assert.deepEqual([await boot(files.folder), await boot(files.folder)], [['1.4.0'], ['1.4.0']], what);
    assert.deepEqual(
      (await files.read()).failed.map(({ version }) => version),
      ['1.5.0'],
      what,
    );
  }
});

test('state is read if either copy of the state file is lost or damaged', async (t) => {
  const { base } = await prepare(t);
  const updates = join(base, 'updates');
  for (const copy of ['state.json', 'state.copy.json']) {
    for (const damage of [
      (path: string) => rmSync(path),
      (path: string) => writeFileSync(path, ''),
      (path: string) => writeFileSync(path, '{"format":1,"current":"9.9.9'),
    ]) {
      damage(join(updates, copy));
      assert.deepEqual(await boot(updates), ['1.5.0'], copy);
    }
  }
});

/**
 * `npm run try`: packages this checkout and a following version with a temporary key, and does what a store does:
 * start, claim, play, crash, update, end. Uses Electron if installed. Without Electron (Linux), a replacement for its
 * windows shows the screen, and everything else is as packaged. `-- --install` installs the package on this system with
 * the system's installer: only for disposable machines.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { placesIn } from '../../build/desktop/programs.ts';
// @ts-expect-error: plain JavaScript without declarations
import { ensureSystemTools } from '../../build/system-tools.mjs';
import { userDataOf } from '../../player/updates/installed.ts';
import { running, runningIn } from '../../server/cli/set-up/running.ts';
import { displayEnv } from '../e2e/hosts/display.ts';
import { electronDistribution, sandboxArgs } from '../e2e/hosts/electron.ts';
import { packedApp, packedFile, packedUpdate, type SignedOptions } from '../e2e/hosts/packed-app.ts';
import { type Ending, tempFolder } from '../harness.ts';
import { newPublisher } from '../publisher.ts';
import { type Installer, installerOf } from './installers.ts';
import { STAND_IN, standInEnv } from './stand-in.ts';
import { type Step, until, walk } from './walk.ts';

const USAGE = `npm run try -- [--install]   what a store does with a package, step by step, on this computer

  --install   installs it silently, and takes it away again: only on a computer that may be changed, with an administrator's rights
  --help      this

Exits with 0 when every step did what it should, else with 1.
`;
const NEXT = '99.0.0';
const GONE_MS = 60_000;
const SERVICE = 'http://127.0.0.1:8710/api/health';

const step: Step = async (what, work) => {
  const started = performance.now();
  try {
    const result = await work();
    process.stdout.write(`ok      ${what}  ${((performance.now() - started) / 1_000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stdout.write(`FAILED  ${what}\n`);
    throw error;
  }
};

const runAll = (runs: readonly { readonly program: string; readonly args: readonly string[] }[]): void => {
  for (const { program, args } of runs) {
    const { status, error } = spawnSync(program, [...args], { stdio: 'inherit' });
    assert.equal(status, 0, `${program} ${args.join(' ')}: ${error?.message ?? `ended with ${status}`}`);
  }
};

const unpacked = async (t: Ending, work: string, options: SignedOptions): Promise<void> => {
  const app = await step('it is packed', () => packedApp(join(work, 'made'), options));
  const file = await step('so is the version after it', () =>
    packedUpdate(join(work, 'next'), { ...options, version: NEXT }),
  );
  const updates = join(work, 'updates');
  const launcher = [
    `--updates=${updates}`,
    ...(options.electron ? [`--user-data-dir=${join(work, 'electron')}`, '--role=player', ...sandboxArgs()] : []),
  ];
  await walk(
    t,
    {
      app,
      next: { version: NEXT, file },
      work,
      options: launcher,
      env: { ...standInEnv(work), ...(options.electron && (await displayEnv(t))) },
      updates,
    },
    step,
  );
};

const serves = () =>
  fetch(SERVICE).then(
    ({ ok }) => ok,
    () => false,
  );

const installed = async (t: Ending, work: string, options: SignedOptions, system: Installer): Promise<void> => {
  const installer = await step(`its ${system.form} is packed`, () =>
    packedFile(join(work, 'made'), system.form, options),
  );
  const file = await step('so is the version after it', () =>
    packedUpdate(join(work, 'next'), { ...options, version: NEXT }),
  );
  const app = { folder: system.folder, ...placesIn(system.resources) };
  // Installs the screen before the server runs. The screen retries until the server answers.
  const updates = join(userDataOf(process.platform, process.env), 'updates');
  await walk(
    t,
    {
      ...{ app, next: { version: NEXT, file }, work, options: sandboxArgs(true), env: await displayEnv(t), updates },
      install: (server) =>
        step('it is installed without a question', async () => runAll(system.install(installer.path, server))),
    },
    step,
  );
  await step('it becomes the store’s server: a service that answers', async () => {
    runAll([system.becomeServer]);
    await until('the service', GONE_MS, serves);
  });
  await step('it is taken away: nothing runs, nobody answers, and what people have made is there', async () => {
    runAll(system.remove);
    await until('the end of the service', GONE_MS, async () => !(await serves()));
    await until(
      'the end of all that ran',
      GONE_MS,
      async () => runningIn(running(), system.folder, { besides: [] }).length === 0,
    );
    await until('the end of its folder', GONE_MS, async () => !existsSync(join(system.resources, 'vitrine')));
    assert.ok(existsSync(system.data), system.data);
  });
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { install: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) return void process.stdout.write(USAGE);
  const electron = electronDistribution();
  const system = installerOf(process.platform);
  if (values.install && (!electron || !system))
    throw new Error(
      'An installer is tried with Electron, and there is none on this machine: "npm run electron" fetches it.',
    );
  if (!electron && process.platform !== 'linux') throw new Error('Without Electron a package is tried on Linux only.');
  if (!electron)
    process.stdout.write(
      'There is no Electron on this machine: a stand-in shows the screen in the system’s browser.\n',
    );
  // Electron's windows need a display, and their replacement needs a browser.
  await ensureSystemTools([electron ? 'Xvfb' : 'chromium']);
  const undo: (() => unknown)[] = [];
  const t: Ending = { after: (work) => void undo.unshift(work) };
  try {
    const work = tempFolder(t);
    mkdirSync(join(work, 'config'));
    const options: SignedOptions = { releaseKey: newPublisher().pem, electron, windows: STAND_IN };
    if (values.install && system) await installed(t, work, options, system);
    else await unpacked(t, work, options);
  } finally {
    for (const each of undo) await each();
  }
};

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

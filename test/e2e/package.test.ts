/** What is missing from the package fails here: it is built with a stand-in for Electron, taken apart, and run by plain Node through the journey. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { releaseKeysIn } from '../../shared/protocol/release-signature.ts';
import { tempFolder } from '../harness.ts';
import { newPublisher } from '../publisher.ts';
import { packedApp } from './hosts/packed-app.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
/** What is started or read by its path. */
const ENTRIES = [
  'server/main.js',
  'server/cli/main.js',
  'server/media/media-worker.js',
  'player/main.js',
  'build/desktop/main.js',
  'dist/admin/index.html',
  'dist/screen/index.html',
  'icons/tray.png',
];

/** As much of Electron as the program asks for before it opens anything. */
const electronIn = (app: string) => {
  const folder = join(app, 'node_modules', 'electron');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"name":"electron","type":"module","main":"index.js"}');
  const others = ['dialog', 'screen', 'session', 'shell', 'powerSaveBlocker', 'utilityProcess', 'nativeImage', 'BrowserWindow', 'Menu', 'Tray'];
  const program = '{ isPackaged: false, getPath: () => process.cwd(), getVersion: () => "0.0.0", exit: (code) => process.exit(code) }';
  writeFileSync(join(folder, 'index.js'), `export const app = ${program};\n${others.map((name) => `export const ${name} = {};`).join('\n')}\n`);
};

test('the packaged server and player walk the journey with plain Node', {
  timeout: 280_000,
  skip: process.platform !== 'linux' && 'the stand-in for Electron is one for Linux',
}, async (t) => {
  const publisher = newPublisher();
  const app = await packedApp(tempFolder(t), publisher.pem);
  assert.deepEqual(releaseKeysIn(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))), [publisher.publicKey], 'what it believes is sealed in with it');
  assert.deepEqual(
    ENTRIES.filter((file) => !existsSync(join(app, file))),
    [],
  );
  assert.deepEqual(
    globSync(['**/*.{ts,tsx}', '**/*.test.*', 'node_modules/{electron,vite,react,typescript,playwright}/**'], { cwd: app, exclude: ['node_modules/*/**/*.d.ts'] }),
    [],
    'nothing that only builds or tests it',
  );

  const { stdout: said } = await run(process.execPath, ['server/cli/main.js', '--help'], { cwd: app });
  assert.match(said, /vitrine <command>/);
  const doctor = await run(process.execPath, ['server/cli/main.js', 'doctor', '--json', '--data', join(app, 'no-such-folder')], { cwd: app }).catch(
    (error: { stdout: string }) => error,
  );
  assert.ok(JSON.parse(doctor.stdout), 'commands run from the package, too');

  electronIn(app);
  const shell = await run(process.execPath, ['build/desktop/main.js', 'doctor', '--json', '--data', join(app, 'no-such-folder')], { cwd: app }).catch(
    (error: { stdout: string }) => error,
  );
  assert.ok(JSON.parse(shell.stdout), 'and from the desktop program itself');
  const roles = globSync('bundle/{server,player}-role-*.js', { cwd: app }).map((file) => `import './${file}';`);
  assert.equal(roles.length, 2);
  await run(process.execPath, ['--input-type=module', '-e', roles.join('\n')], { cwd: app });

  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'test/e2e/journey.test.ts'], {
    cwd: ROOT,
    env: { ...env, VITRINE_JOURNEY_APP: app },
    maxBuffer: 32 * 1024 * 1024,
  }).catch((error: { stdout?: string }) => ({
    stdout: error.stdout ?? String(error),
  }));
  assert.match(stdout, /^# pass 9$/m, stdout.slice(-4000));
  assert.match(stdout, /^# fail 0$/m, stdout.slice(-4000));
});

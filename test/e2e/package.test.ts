/** What is missing from the package fails here: it is built with a stand-in for Electron, taken apart, and run by plain Node through the journey. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { extractAll } from '@electron/asar';
import { tempFolder } from '../harness.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');

/** As much of an Electron distribution as electron-builder looks at on Linux. */
const standIn = (folder: string): string => {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'));
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'locales/en-US.pak']) writeFileSync(join(folder, file), '');
  writeFileSync(join(folder, 'version'), (JSON.parse(readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8')) as { version: string }).version);
  writeFileSync(join(folder, 'electron'), '#!/bin/sh\n');
  chmodSync(join(folder, 'electron'), 0o755);
  return folder;
};

test('the packaged server and player walk the journey with plain Node', {
  timeout: 280_000,
  skip: process.platform !== 'linux' && 'the stand-in for Electron is one for Linux',
}, async (t) => {
  const folder = tempFolder(t);
  const electron = standIn(join(folder, 'electron'));
  await run(process.execPath, ['build/package.mjs', '--dir'], {
    cwd: ROOT,
    env: { ...process.env, VITRINE_ELECTRON_DIST: electron, VITRINE_PACKAGE_OUTPUT: join(folder, 'out') },
    maxBuffer: 32 * 1024 * 1024,
  });
  const archive = join(folder, 'out', 'linux-unpacked', 'resources', 'app.asar');
  assert.ok(existsSync(archive), 'an asar archive was made');
  const app = join(folder, 'app');
  extractAll(archive, app);
  assert.deepEqual(
    ['server/main.js', 'player/main.js', 'build/desktop/main.js', 'dist/admin/index.html', 'dist/screen/index.html'].filter((file) => !existsSync(join(app, file))),
    [],
  );
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

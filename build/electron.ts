/**
 * `npm run electron`: downloads Electron, which `npm run try` and its tests use to show real windows. No other command
 * needs Electron.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { electronOf, sentenceOfDownload } from './packaging/options.ts';

const LIMIT_MS = 10 * 60_000;

const manifest = createRequire(import.meta.url).resolve('electron/package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
process.stderr.write('Fetching Electron …\n');
try {
  await promisify(execFile)(process.execPath, ['install.js'], { cwd: dirname(manifest), timeout: LIMIT_MS });
  process.stderr.write('Electron is there.\n');
} catch (error) {
  // The install script prints the stack trace of its error. The first line of this trace contains the reason.
  const { message, stderr } = error as Error & { stderr?: string };
  const instead =
    'a mirror of it (ELECTRON_MIRROR), or ELECTRON_OVERRIDE_DIST_PATH, the folder of an Electron that is there already';
  process.stderr.write(
    `${sentenceOfDownload(new Error(stderr || message), { ...electronOf(version, process), instead }) ?? stderr}\n`,
  );
  process.exitCode = 1;
}

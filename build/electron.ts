/** `npm run electron`: fetches Electron's own program, with which `npm run try` and its tests show real windows. Nothing else here needs it. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const LIMIT_MS = 10 * 60_000;

const manifest = createRequire(import.meta.url).resolve('electron/package.json');
process.stderr.write('Fetching Electron …\n');
try {
  await promisify(execFile)(process.execPath, ['install.js'], { cwd: dirname(manifest), timeout: LIMIT_MS });
  process.stderr.write('Electron is there.\n');
} catch (error) {
  // Of a stack, its first line.
  const [why = 'no answer'] = (error as { stderr?: string }).stderr?.trim().split('\n', 1) ?? [];
  process.stderr.write(
    `Electron could not be fetched (${why}). This computer needs a way to it, a mirror of it (ELECTRON_MIRROR), or ELECTRON_OVERRIDE_DIST_PATH, the folder of an Electron that is there already.\n`,
  );
  process.exitCode = 1;
}

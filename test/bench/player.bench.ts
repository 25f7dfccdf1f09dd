/** The rows of the performance budget for the player (design.md). */
import { chromium } from 'playwright';
// @ts-expect-error: plain JavaScript without declarations
import { ensureBuilt } from '../../build/ensure-built.mjs';
// @ts-expect-error: plain JavaScript without declarations
import { ensureSystemTools } from '../../build/system-tools.mjs';
import { benchOptions, runBench } from './run-bench.ts';

const HELP = `npm run bench:player                     watches a screen, then a wall, for two minutes each
npm run bench:player -- --minutes 30     … for longer (the wall for ten at most)
npm run bench:player -- --only change    these rows
npm run bench:player -- --list           the names of the rows`;

const options = benchOptions(HELP);
if (!options.list) {
  await ensureSystemTools(['chromium']);
  await ensureBuilt(process.execPath, { wanted: ['programs', 'screen'] });
}
// Loaded after the installation above, because these modules search for the browser when they are loaded.
const { CHROMIUM } = await import('../../player/agent/testing/chromium.ts');
const { screenRows } = await import('./rows-screen.ts');
const { wallRows } = await import('./rows-wall.ts');

const chromiumVersion = async (): Promise<string[]> => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const version = `Chromium ${browser.version()}`;
  await browser.close();
  return [version];
};

const minutes = options.minutes ?? 2;
process.exitCode = await runBench({ groups: [screenRows(minutes), wallRows(minutes)], with: chromiumVersion }, options);

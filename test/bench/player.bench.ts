/** The player's rows of the budget (design.md). */
import { chromium } from 'playwright';
// @ts-expect-error: plain JavaScript without declarations
import { ensureBuilt } from '../../build/ensure-built.mjs';
import { CHROMIUM } from '../../player/agent/testing/chromium.ts';
import { screenRows } from './rows-screen.ts';
import { wallRows } from './rows-wall.ts';
import { benchOptions, runBench } from './run-bench.ts';

const HELP = `npm run bench:player                     watches a screen, then a wall, for two minutes each
npm run bench:player -- --minutes 30     … for longer (the wall for ten at most)
npm run bench:player -- --only change    these rows
npm run bench:player -- --list           the names of the rows`;

const chromiumVersion = async (): Promise<string[]> => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const version = `Chromium ${browser.version()}`;
  await browser.close();
  return [version];
};

const options = benchOptions(HELP);
if (!options.list) await ensureBuilt(process.execPath, { wanted: ['programs', 'screen'] });
process.exitCode = await runBench(
  { groups: [screenRows(options.minutes ?? 2), wallRows(options.minutes ?? 2)], with: chromiumVersion },
  options,
);

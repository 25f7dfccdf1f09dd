/**
 * The rows of the performance budget for the server and the admin window (design.md), each beside a minimal server of
 * the same libraries in the same run.
 */
// @ts-expect-error: plain JavaScript without declarations
import { ensureBuilt } from '../../build/ensure-built.mjs';
// @ts-expect-error: plain JavaScript without declarations
import { ensureSystemTools } from '../../build/system-tools.mjs';
import { allRows } from './rows-all.ts';
import { deliveryRows } from './rows-delivery.ts';
import { fileRows } from './rows-files.ts';
import { listRows, startRows } from './rows-lists.ts';
import { playerRows } from './rows-players.ts';
import { manyPlaysRows, plannedRows, reportRows } from './rows-reports.ts';
import { benchOptions, runBench } from './run-bench.ts';

const HELP = `npm run bench                            measures server and admin window, in about five minutes
npm run bench -- --only start,rss        these rows
npm run bench -- --list                  the names of the rows
npm run bench -- --all                   also what takes minutes by itself: ten million plays, 5 GB`;

const options = benchOptions(HELP);
if (!options.list) {
  await ensureSystemTools(['chromium']);
  await ensureBuilt(process.execPath, { wanted: ['programs', 'pages'] });
}
// Loaded after the installation above, because these modules search for the browser when they are loaded.
const { adminRows } = await import('./rows-admin.ts');
const groups = [
  startRows,
  listRows,
  reportRows,
  plannedRows,
  playerRows,
  deliveryRows,
  fileRows,
  adminRows,
  allRows,
  manyPlaysRows,
];
process.exitCode = await runBench({ groups, slow: manyPlaysRows }, options);

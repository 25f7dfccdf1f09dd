/** The rows of the performance budget for a chain: headquarters, its stores, and their answers to requests. */
// @ts-expect-error: plain JavaScript without declarations
import { ensureBuilt } from '../../build/ensure-built.mjs';
// @ts-expect-error: plain JavaScript without declarations
import { ensureSystemTools } from '../../build/system-tools.mjs';
import { dryRunRows } from './rows-dry-run.ts';
import { benchOptions, runBench } from './run-bench.ts';

const HELP = `npm run bench:chain                      measures headquarters and its stores, in some minutes
npm run bench:chain -- --only chainPage  these rows
npm run bench:chain -- --list            the names of the rows`;

const options = benchOptions(HELP);
if (!options.list) {
  await ensureSystemTools(['nats-server', 'initdb']);
  await ensureBuilt(process.execPath, { wanted: ['programs', 'pages'] });
}
// Loaded after the installation above, because these modules search for the hub when they are loaded.
const { chainRows } = await import('./rows-chain.ts');
process.exitCode = await runBench({ groups: [chainRows, dryRunRows] }, options);

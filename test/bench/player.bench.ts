/** The player's rows of the budget (design.md). `npm run bench:player` watches a screen for two minutes; `-- --minutes 30` for longer. */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
// @ts-expect-error: plain JavaScript without declarations
import { ensureBuilt } from '../../build/browser-parts.mjs';
import { printAll, printed, say } from './print.ts';
import type { Result } from './row.ts';
import { screenRows } from './rows-screen.ts';

const { values: options } = parseArgs({ options: { only: { type: 'string' }, list: { type: 'boolean' }, minutes: { type: 'string', default: '2' } } });
const minutes = Number(options.minutes);
if (!(minutes > 0)) throw new Error('--minutes must be a number above 0');
const group = screenRows(minutes);
const wanted = new Set(options.only?.split(',').map((key) => key.trim()) ?? group.rows.map((row) => row.key));

const run = async (): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  await ensureBuilt(process.execPath, { wanted: ['screen'] });
  const results: Result[] = [];
  const failed: string[] = [];
  try {
    await group.run({
      folder,
      wants: (key) => wanted.has(key),
      report: (key, measured) => {
        const row = group.rows.find((each) => each.key === key);
        if (!row || !wanted.has(key)) return;
        const result = { ...row, ...measured, load: loadavg()[0] ?? Number.NaN };
        results.push(result);
        say(printed(result).filter(Boolean).join('  '));
      },
    });
  } catch (error) {
    failed.push((error as Error).message);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const browser = await chromium.launch({ executablePath: process.env.VITRINE_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  const version = `Chromium ${browser.version()}`;
  await browser.close();
  printAll(results, failed, [version]);
  return failed.length > 0 ? 1 : 0;
};

if (options.list) for (const row of group.rows) say(`${row.key.padEnd(12)} ${row.what} (${row.unit})`);
else process.exitCode = await run();

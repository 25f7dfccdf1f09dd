/**
 * The server's rows of the budget (design.md), each beside the bare parts in the same run.
 * `npm run bench` takes five minutes; `-- --only start,rss,devices` some rows, `-- --list` their names, `-- --all` also what takes minutes by itself.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printAll, printed, say } from './print.ts';
import type { Group, Result } from './row.ts';
import { adminRows } from './rows-admin.ts';
import { allRows } from './rows-all.ts';
import { fileRows } from './rows-files.ts';
import { listRows, startRows } from './rows-lists.ts';
import { playerRows } from './rows-players.ts';
import { manyPlaysRows, reportRows } from './rows-reports.ts';

const GROUPS: readonly Group[] = [startRows, listRows, reportRows, playerRows, fileRows, adminRows, allRows, manyPlaysRows];
/** Storing ten million plays takes three minutes and 5 GB. */
const SLOW = new Set(['summary10m']);

const { values: options } = parseArgs({ options: { only: { type: 'string' }, list: { type: 'boolean' }, all: { type: 'boolean' } } });
const rows = GROUPS.flatMap((group) => group.rows);
const wanted = new Set(options.only?.split(',').map((key) => key.trim()) ?? rows.map((row) => row.key).filter((key) => options.all || !SLOW.has(key)));

const run = async (): Promise<number> => {
  const unknown = [...wanted].filter((key) => !rows.some((row) => row.key === key));
  if (unknown.length > 0) throw new Error(`There is no row ${unknown.join(', ')}. Try --list.`);
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  const results: Result[] = [];
  const failed: string[] = [];
  try {
    for (const group of GROUPS) {
      const keys = group.rows.map((row) => row.key).filter((key) => wanted.has(key));
      if (keys.length === 0) continue;
      try {
        await group.run({
          folder,
          wants: (key) => wanted.has(key),
          report: (key, measured) => {
            const row = group.rows.find((each) => each.key === key)!;
            const result = { ...row, ...measured, load: loadavg()[0]! };
            results.push(result);
            say(printed(result).filter(Boolean).join('  '));
          },
        });
      } catch (error) {
        failed.push(`${keys.join(', ')}: ${(error as Error).message}`);
        say(`✗ ${failed.at(-1)}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  printAll(results, failed);
  return failed.length > 0 ? 1 : 0;
};

if (options.list) for (const row of rows) say(`${row.key.padEnd(12)} ${row.what}`);
else process.exitCode = await run();

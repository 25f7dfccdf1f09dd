/**
 * The server's rows of the budget (design.md), each beside the bare parts in the same run.
 * `npm run bench` takes five minutes; `-- --only start,rss,devices` some rows, `-- --list` their names, `-- --all` also what takes minutes by itself.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { budgetHere, type Group, type Result, verdict } from './row.ts';
import { allRows } from './rows-all.ts';
import { fileRows } from './rows-files.ts';
import { listRows, startRows } from './rows-lists.ts';
import { playerRows } from './rows-players.ts';
import { manyPlaysRows, reportRows } from './rows-reports.ts';

const GROUPS: readonly Group[] = [startRows, listRows, reportRows, playerRows, fileRows, allRows, manyPlaysRows];
/** Storing ten million plays takes three minutes and 5 GB. */
const SLOW = new Set(['summary10m']);

const { values: options } = parseArgs({ options: { only: { type: 'string' }, list: { type: 'boolean' }, all: { type: 'boolean' } } });
const rows = GROUPS.flatMap((group) => group.rows);
const wanted = new Set(options.only?.split(',').map((key) => key.trim()) ?? rows.map((row) => row.key).filter((key) => options.all || !SLOW.has(key)));

const say = (line = '') => void process.stdout.write(`${line}\n`);
const amount = (n: number): string => (Number.isNaN(n) ? '?' : n >= 1000 ? Math.round(n).toLocaleString('en') : n >= 100 ? String(Math.round(n)) : n.toFixed(1));

const printed = (result: Result): string[] => {
  const { what, unit, value, bare, budget, better, note = '', load } = result;
  const ratio = bare === undefined ? '' : `${(value / bare).toFixed(2)} ×`;
  const here = budgetHere(result);
  return [
    verdict(result),
    what,
    `${amount(value)} ${unit}`,
    `${better === 'more' ? '≥' : '≤'} ${amount(budget)}`,
    here === undefined ? '' : amount(here),
    bare === undefined ? '' : amount(bare),
    ratio,
    load.toFixed(1),
    note,
  ];
};

const table = (lines: readonly string[][]): void => {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  for (const line of lines)
    say(
      line
        .map((cell, column) => (column === line.length - 1 ? cell : column >= 2 && column <= 7 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
        .join('  ')
        .trimEnd(),
    );
};

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
  const [cpu] = cpus();
  say();
  say(`${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 1024 ** 3)} GB, ${type()}, Node ${process.version}`);
  say();
  table([['', 'what', 'Vitrine', 'budget', 'here', 'bare', 'ratio', 'load', ''], ...results.map(printed)]);
  say('\n✓ met  ≈ met for a machine on which the bare parts are as slow as here (column here)  ✗ missed');
  if (failed.length > 0) say(`\nNot measured: ${failed.join('; ')}`);
  return failed.length > 0 ? 1 : 0;
};

if (options.list) for (const row of rows) say(`${row.key.padEnd(12)} ${row.what}`);
else process.exitCode = await run();

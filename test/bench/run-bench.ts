/** Common code of the benches: their options, and running groups of rows. */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printAll, printed, say } from './print.ts';
import type { Group, Measured, Result } from './row.ts';

const OPTIONS = {
  only: { type: 'string' },
  list: { type: 'boolean' },
  all: { type: 'boolean' },
  minutes: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the command line. Prints the help for `--help`, or the error, and exits. */
export const benchOptions = (help: string) => {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (values.help) {
      say(help);
      process.exit(0);
    }
    if (values.minutes !== undefined && !(Number(values.minutes) > 0))
      throw new Error('--minutes must be a number above 0');
    return { ...values, minutes: values.minutes === undefined ? undefined : Number(values.minutes) };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`);
    return process.exit(2);
  }
};

/**
 * Measures the wanted rows and prints them. Resolves to the exit code: 0 when every wanted row was measured, whatever
 * its value.
 * @param bench.slow group that only `--all` or `--only` measures
 * @param bench.with further lines about the test machine
 */
export const runBench = async (
  bench: {
    readonly groups: readonly Group[];
    readonly slow?: Group;
    readonly with?: () => Promise<string[]>;
  },
  {
    only,
    list = false,
    all = false,
  }: { only?: string | undefined; list?: boolean | undefined; all?: boolean | undefined },
): Promise<number> => {
  const rows = bench.groups.flatMap((group) => group.rows);
  if (list) {
    for (const row of rows) say(`${row.key.padEnd(14)} ${row.what} (${row.unit})`);
    return 0;
  }
  const wanted = new Set(
    only?.split(',').map((key) => key.trim()) ??
      rows.filter((row) => all || !bench.slow?.rows.includes(row)).map((row) => row.key),
  );
  const unknown = [...wanted].filter((key) => !rows.some((row) => row.key === key));
  if (unknown.length > 0) {
    console.error(`There is no row ${unknown.join(', ')}. Try --list.`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  // Exits on these signals. While a browser runs, Playwright handles them, too, but ends only the browser.
  for (const [signal, code] of Object.entries({ SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }))
    process.once(signal, () => process.exit(code));
  // Deletes the folder, after child.ts has killed the child processes.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const results: Result[] = [];
  const failed: string[] = [];
  const report = (group: Group) => (key: string, measured: Measured) => {
    const row = group.rows.find((each) => each.key === key);
    if (!row || !wanted.has(key)) return;
    const result = { ...row, ...measured, load: loadavg()[0] ?? Number.NaN };
    results.push(result);
    say(printed(result).filter(Boolean).join('  '));
  };
  for (const group of bench.groups) {
    const keys = group.rows.map((row) => row.key).filter((key) => wanted.has(key));
    if (keys.length === 0) continue;
    try {
      await group.run({ folder, wants: (key) => wanted.has(key), report: report(group) });
    } catch (error) {
      failed.push(`${keys.join(', ')}: ${(error as Error).message}`);
      say(`✗ ${failed.at(-1)}`);
    }
  }
  printAll(results, failed, await bench.with?.());
  return failed.length > 0 ? 1 : 0;
};

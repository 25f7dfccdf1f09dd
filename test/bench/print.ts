/** Prints benchmark tables: each measured row beside its budget, and facts about the machine. */
import { cpus, totalmem, type } from 'node:os';
import { budgetHere, type Result, verdict } from './row.ts';

export const say = (line = '') => void process.stdout.write(`${line}\n`);
const amount = (n: number): string =>
  Number.isNaN(n)
    ? '?'
    : n >= 1000
      ? Math.round(n).toLocaleString('en')
      : n >= 100
        ? String(Math.round(n))
        : n.toFixed(1);

export const printed = (result: Result): string[] => {
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
        .map((cell, column) =>
          column === line.length - 1
            ? cell
            : column >= 2 && column <= 7
              ? cell.padStart(widths[column]!)
              : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    );
};

/** @param machine further facts about the machine @param failed a sentence per row that could not be measured */
export const printAll = (
  results: readonly Result[],
  failed: readonly string[],
  machine: readonly string[] = [],
): void => {
  const [cpu] = cpus();
  const facts = [
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}`,
    `${Math.round(totalmem() / 1024 ** 3)} GB`,
    type(),
    `Node ${process.version}`,
    ...machine,
  ];
  say();
  say(facts.join(', '));
  say();
  table([['', 'what', 'Vitrine', 'budget', 'here', 'bare', 'ratio', 'load', ''], ...results.map(printed)]);
  say('\n✓ met  ≈ met for a machine on which the bare parts are as slow as here (column here)  ✗ missed');
  if (failed.length > 0) say(`\nNot measured: ${failed.join('; ')}`);
};

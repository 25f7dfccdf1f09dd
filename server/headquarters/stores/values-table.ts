/** Values of stores as a table for spreadsheets: writes, parses and compares it with current values. Pure. */
import {
  MAX_VALUE_CHARS,
  MAX_VALUE_NAME,
  MAX_VALUES,
  ValueName,
  type Values,
  ValueText,
} from '../../../shared/chain/values.ts';
import { badRequest } from '../../../shared/contract/errors.ts';
import { MAX_LISTED, type ValuesTable } from '../../../shared/contract/headquarters/store-values.ts';
import { FORMULA_SIGNS } from '../../features/reports/proof/csv.ts';
import type { StoreNow } from './store-registry.ts';

/** Maximum number of columns with values. */
const MAX_COLUMNS = 500;
/** Byte order mark. This mark tells spreadsheets that the text is UTF-8. */
const BOM = '\ufeff';

/**
 * Matches the start of a formula, as in reports (csv.ts). Apostrophes that the text already contains are captured
 * separately.
 */
const FORMULA = new RegExp(String.raw`(^|;)(\s*)('*)(?=${FORMULA_SIGNS})`, 'g');
const GUARDED = new RegExp(String.raw`(^|;)(\s*)'('*)(?=${FORMULA_SIGNS})`, 'g');

/** Returns a cell that spreadsheets show but never run, and that is read back unchanged. */
const written = (text: string): string => {
  const safe = text.replace(FORMULA, "$1$2'$3");
  return /[",;\s]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const lineOf = (cells: readonly string[]): string => `${cells.map(written).join(',')}\r\n`;

export const tableHead = (names: readonly string[]): string => BOM + lineOf(['Store', ...names]);
export const tableLine = ({ name, values }: Pick<StoreNow, 'name' | 'values'>, names: readonly string[]): string =>
  lineOf([name, ...names.map((one) => (Object.hasOwn(values, one) ? values[one]! : ''))]);

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Returns the column separator, found among the unquoted characters of the first line. */
const markOf = (text: string): string => {
  const head =
    text
      .slice(0, 100_000)
      .replace(/"[^"]*"/g, '')
      .split(/[\r\n]/, 1)[0] ?? '';
  return ['\t', ';', ','].find((mark) => head.includes(mark)) ?? ',';
};

/** Yields the rows; empty lines are skipped. @throws ApiError 400 for quotes that do not end */
export function* rowsOf(table: string): Generator<Row> {
  const text = table.startsWith(BOM) ? table.slice(1) : table;
  const mark = markOf(text);
  const end = new RegExp(`${mark === '\t' ? '\\t' : mark}|\\r\\n?|\\n`, 'g');
  let [at, line] = [0, 1];
  while (at < text.length) {
    const cells: string[] = [];
    const first = line;
    for (let isOver = false; !isOver; ) {
      let quoted = '';
      if (text[at] === '"') {
        const close = closeOf(text, at);
        if (close === -1) throw badRequest(`table: line ${line} has an opening quote without a closing quote`);
        quoted = text.slice(at + 1, close).replaceAll('""', '"');
        line += quoted.split('\n').length - 1;
        at = close + 1;
      }
      end.lastIndex = at;
      const found = end.exec(text);
      const until = found?.index ?? text.length;
      cells.push((quoted + text.slice(at, until)).trim().replace(GUARDED, '$1$2$3'));
      at = until + (found?.[0].length ?? 0);
      isOver = found?.[0] !== mark;
    }
    line++;
    if (cells.some((cell) => cell !== '')) yield { line: first, cells };
  }
}

/** Returns the index of the closing quote; -1: there is none. Doubled quotes are part of the text. */
const closeOf = (text: string, from: number): number => {
  let at = text.indexOf('"', from + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
};

interface Change {
  readonly store: StoreNow;
  readonly values: Values;
}

/** Collects the changes of a table, row by row. */
export class TablePlan {
  readonly #stores: ReadonlyMap<string, StoreNow>;
  /** Value name of each column; undefined: the column has no valid name. */
  #names: readonly (string | undefined)[] | undefined;
  /** Line number of each store in the table. */
  readonly #lines = new Map<StoreNow, number>();
  readonly #changes: Change[] = [];
  readonly #listed: ValuesTable['changes'] = [];
  readonly #mistakes: ValuesTable['mistakes'] = [];
  #changed = 0;
  #wrong = 0;

  /** @param stores stores that the table may name */
  constructor(stores: readonly StoreNow[]) {
    this.#stores = new Map([
      ...stores.map((store) => [store.name, store] as const),
      ...stores.map((store) => [store.ref, store] as const),
    ]);
  }

  add({ line, cells }: Row): void {
    if (this.#names === undefined) this.#head(line, cells);
    else this.#row(line, cells, this.#names);
  }

  get changes(): readonly Change[] {
    return this.#changes;
  }

  /**
   * Sum of the revisions of all stores in the table. The sum changes whenever a store changes, because revisions only
   * grow.
   */
  get revision(): number {
    return [...this.#lines.keys()].reduce((sum, { revision }) => sum + revision, 0);
  }

  view(applied: boolean): ValuesTable {
    return {
      applied,
      stores: this.#lines.size,
      changed_stores: this.#changes.length,
      changed: this.#changed,
      changes: [...this.#listed],
      wrong: this.#wrong,
      mistakes: [...this.#mistakes],
    };
  }

  #head(line: number, [, ...cells]: readonly string[]): void {
    if (cells.length > MAX_COLUMNS)
      throw badRequest(`table: must have at most ${MAX_COLUMNS} columns of values, not ${cells.length}`);
    const known = new Set<string>();
    this.#names = cells.map((cell, i) => {
      const parsed = ValueName.safeParse(cell);
      // Skips empty columns without a name, because spreadsheets often leave such columns behind.
      if (cell === '') return undefined;
      if (!parsed.success)
        this.#fail(
          line,
          i + 2,
          `${cell.slice(0, MAX_VALUE_NAME)} is not a valid name of a value: use at most ${MAX_VALUE_NAME} letters, digits and _`,
        );
      else if (known.has(parsed.data))
        this.#fail(line, i + 2, `The value ${parsed.data} has two columns: remove one column`);
      else known.add(parsed.data);
      return parsed.data;
    });
    if (known.size === 0 && this.#wrong === 0)
      this.#fail(line, 2, 'The first line has no name of a value: give each value a column');
  }

  #row(line: number, [named = '', ...cells]: readonly string[], names: readonly (string | undefined)[]): void {
    const store = this.#stores.get(named);
    if (!store) return this.#fail(line, 1, `There is no store with the name or id “${named.slice(0, 200)}”`);
    const before = this.#lines.get(store);
    if (before !== undefined)
      return this.#fail(line, 1, `The store ${store.name} is already in line ${before}: remove one of the two lines`);
    this.#lines.set(store, line);
    const values: Record<string, string> = { ...store.values };
    const found: ValuesTable['changes'] = [];
    for (const [i, cell] of cells.entries()) {
      const name = names[i];
      if (name === undefined) {
        if (cell !== '' && i >= names.length) this.#fail(line, i + 2, 'This column has no name in the first line');
        continue;
      }
      const had = Object.hasOwn(values, name) ? values[name]! : null;
      const said = this.#valueIn(cell, line, i + 2);
      if (said === undefined || said === had) continue;
      if (said === null) delete values[name];
      else values[name] = said;
      found.push({ store_id: store.ref, store_name: store.name, name, before: had, after: said });
    }
    if (Object.keys(values).length > MAX_VALUES)
      this.#fail(line, 1, `The store ${store.name} would have more than ${MAX_VALUES} values`);
    if (found.length === 0) return;
    this.#changed += found.length;
    this.#changes.push({ store, values });
    this.#listed.push(...found.slice(0, MAX_LISTED - this.#listed.length));
  }

  /** Returns the value of a cell; null: no value; undefined: invalid. */
  #valueIn(cell: string, line: number, column: number): string | null | undefined {
    if (cell === '') return null;
    const parsed = ValueText.safeParse(cell);
    if (parsed.success) return parsed.data;
    this.#fail(
      line,
      column,
      cell.length > MAX_VALUE_CHARS
        ? `The cell has more than ${MAX_VALUE_CHARS} characters`
        : 'The cell contains control characters: remove these characters',
    );
    return undefined;
  }

  #fail(line: number, column: number, error: string): void {
    this.#wrong++;
    if (this.#mistakes.length < MAX_LISTED) this.#mistakes.push({ line, column, error });
  }
}

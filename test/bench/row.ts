/** A row of the performance budget: its name, its limit, and its measurement. */
export interface Measured {
  /** The measured value of Vitrine. */
  readonly value: number;
  /** Value that a minimal server of the same libraries reached in the same run; undefined if there is no comparison. */
  readonly bare?: number | undefined;
  /** Further information about the result. */
  readonly note?: string;
}

export interface Row {
  /** Name of the row for the option `--only`. */
  readonly key: string;
  readonly what: string;
  readonly unit: string;
  readonly budget: number;
  /** Whether a higher (`more`) or a lower value (`less`) is better. */
  readonly better: 'more' | 'less';
  /** Value of the minimal server on the machine for which the budget was written (design.md). */
  readonly bareThere?: number;
}

export type Result = Row & Measured & { readonly load: number };

const holds = ({ value, better }: Result, budget: number): boolean =>
  better === 'more' ? value >= budget : value <= budget;

/**
 * Returns the budget for this machine: scaled by the speed of the minimal server here, but never stricter than the
 * budget itself. Undefined if there is no comparison.
 */
export const budgetHere = ({ budget, better, bare, bareThere }: Result): number | undefined => {
  if (bare === undefined || bareThere === undefined) return undefined;
  const scaled = (budget * bare) / bareThere;
  return better === 'more' ? Math.min(budget, scaled) : Math.max(budget, scaled);
};

/** Returns ✓ if the value meets the budget, ≈ if it meets only the budget scaled for this machine, otherwise ✗. */
export const verdict = (result: Result): '✓' | '≈' | '✗' => {
  if (holds(result, result.budget)) return '✓';
  return holds(result, budgetHere(result) ?? result.budget) ? '≈' : '✗';
};

/** A group of rows that share their preparation. */
export interface Group {
  readonly rows: readonly Row[];
  /** Measures the rows in `wanted`, and calls `report` once for each of them, in any order. */
  run(context: {
    readonly folder: string;
    wants(key: string): boolean;
    report(key: string, measured: Measured): void;
  }): Promise<void>;
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const times = async <T>(count: number, measure: (n: number) => Promise<T> | T): Promise<T[]> => {
  const all: T[] = [];
  for (let n = 0; n < count; n++) all.push(await measure(n));
  return all;
};

export const must = (condition: boolean, sentence: string): void => {
  if (!condition) throw new Error(sentence);
};

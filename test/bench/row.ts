/** A budget row: its name, its limit, and its measurement. */
export interface Measured {
  /** The measured value of Vitrine. */
  readonly value: number;
  /** Value of the bare libraries in the same run; undefined if there is no comparison. */
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
  /** Whether higher or lower values are better. */
  readonly better: 'more' | 'less';
  /** Value of the bare libraries on the machine for which the budget was written (design.md). */
  readonly bareThere?: number;
}

export type Result = Row & Measured & { readonly load: number };

const holds = ({ value, better }: Result, budget: number): boolean =>
  better === 'more' ? value >= budget : value <= budget;

/**
 * Returns the budget for this machine, scaled by the bare libraries' speed here. Never stricter than the budget itself;
 * undefined if there is no comparison.
 */
export const budgetHere = ({ budget, better, bare, bareThere }: Result): number | undefined => {
  if (bare === undefined || bareThere === undefined) return undefined;
  const scaled = (budget * bare) / bareThere;
  return better === 'more' ? Math.min(budget, scaled) : Math.max(budget, scaled);
};

/** ✓ the budget is met; ≈ the scaled budget for this machine is met; ✗ it is missed. */
export const verdict = (result: Result): '✓' | '≈' | '✗' => {
  if (holds(result, result.budget)) return '✓';
  return holds(result, budgetHere(result) ?? result.budget) ? '≈' : '✗';
};

/** A group of rows that share their preparation. */
export interface Group {
  readonly rows: readonly Row[];
  /** Calls `report` once for each of `wanted`, in any order. */
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

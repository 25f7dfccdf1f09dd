/** A row of the budget: what it is called, what is allowed, and how it is measured. */
export interface Measured {
  /** Ours. */
  readonly value: number;
  /** Of the bare parts, in the same run; undefined where there is nothing to compare. */
  readonly bare?: number | undefined;
  /** What else is worth knowing. */
  readonly note?: string;
}

export interface Row {
  /** For `--only`. */
  readonly key: string;
  readonly what: string;
  readonly unit: string;
  readonly budget: number;
  /** Whether more is better. */
  readonly better: 'more' | 'less';
  /** What the bare parts did on the machine for which the budget was written (design.md). */
  readonly bareThere?: number;
}

export type Result = Row & Measured & { readonly load: number };

const holds = ({ value, better }: Result, budget: number): boolean =>
  better === 'more' ? value >= budget : value <= budget;

/**
 * The budget as it is for this machine: as much slower as the bare parts are here. Never stricter than the budget
 * itself; undefined where there is nothing to compare.
 */
export const budgetHere = ({ budget, better, bare, bareThere }: Result): number | undefined => {
  if (bare === undefined || bareThere === undefined) return undefined;
  const scaled = (budget * bare) / bareThere;
  return better === 'more' ? Math.min(budget, scaled) : Math.max(budget, scaled);
};

/** ✓ the budget is met; ≈ it is met for a machine as slow as this one; ✗ it is missed. */
export const verdict = (result: Result): '✓' | '≈' | '✗' => {
  if (holds(result, result.budget)) return '✓';
  return holds(result, budgetHere(result) ?? result.budget) ? '≈' : '✗';
};

/** A group of rows that share their preparations. */
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

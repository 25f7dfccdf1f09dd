/**
 * Sums of plays within one transaction. Adds up the plays, and writes each sum once at the end of the transaction.
 */
import type { Whose } from './play-numbers.ts';
import { QUARTER_MS, QUARTERS_A_DAY, Series } from './sums.ts';

export interface Sum {
  readonly scope: number;
  readonly series: Series;
  readonly bucket: number;
  readonly subject: number;
  plays: number;
  ms: number;
}

export class PlaySums {
  readonly #sums = new Map<string, Sum>();

  add({ workspace, device }: Whose, shown: number, startedMs: number, ms: number): void {
    const quarter = Math.floor(startedMs / QUARTER_MS);
    const day = Math.floor(quarter / QUARTERS_A_DAY);
    this.#add(workspace, Series.totalByQuarter, quarter, 0, ms);
    this.#add(device, Series.totalByQuarter, quarter, 0, ms);
    this.#add(workspace, Series.contentByQuarter, quarter, shown, ms);
    this.#add(workspace, Series.contentByDay, day, shown, ms);
    this.#add(device, Series.contentByDay, day, shown, ms);
    this.#add(workspace, Series.deviceByDay, day, device, ms);
  }

  save(write: (sum: Sum) => void): void {
    for (const sum of this.#sums.values()) write(sum);
  }

  #add(scope: number, series: Series, bucket: number, subject: number, ms: number): void {
    const key = `${scope} ${series} ${bucket} ${subject}`;
    const sum = this.#sums.get(key);
    if (sum) {
      sum.plays++;
      sum.ms += ms;
    } else this.#sums.set(key, { scope, series, bucket, subject, plays: 1, ms });
  }
}

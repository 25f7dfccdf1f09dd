import type { Database } from '../../../db/database.ts';
import type { CountedWindow } from './delivery-reader.ts';

/** Saves counts of planned plays, for later reports with the same time windows. */
export class PlannedCacheStore {
  readonly #window;
  readonly #sum;

  constructor(db: Database) {
    const { raw } = db;
    // Skips counts of a program that was deleted from the archive meanwhile, because no report needs them.
    this.#window = raw.prepare(
      `INSERT INTO planned_windows (program, timezone, since, until)
       SELECT @program, @timezone, @since, @until WHERE EXISTS (SELECT 1 FROM program_archive WHERE id = @program)
       ON CONFLICT DO NOTHING`,
    );
    this.#sum = raw.prepare(
      'INSERT INTO planned_sums (window, kind, ref, playlist_id, plan_id, plays, ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
  }

  store(windows: readonly CountedWindow[]): void {
    for (const { sums, ...window } of windows) {
      const { changes, lastInsertRowid } = this.#window.run(window);
      if (changes === 0) continue;
      for (const { kind, ref, playlist_id, plan_id, plays, ms } of sums)
        this.#sum.run(lastInsertRowid, kind, ref, playlist_id, plan_id, plays, ms);
    }
  }
}

/** Records which test files needed a second attempt in the last runs on this machine. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const RUNS_KEPT = 30;
const TRIES_ALLOWED = 2;

/**
 * Adds a run and returns the last thirty runs, the oldest first.
 * @param path JSON file with the runs
 * @param files files
 * that passed only at the second attempt in this run
 */
export const addRun = (path, files) => {
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).runs : [];
  const runs = [...before, { at: new Date().toISOString(), files }].slice(-RUNS_KEPT);
  writeFileSync(path, `${JSON.stringify({ runs }, null, 1)}\n`);
  return runs;
};

/**
 * Returns the files that needed a second attempt in the last run, and more than two in all of these runs. A file that
 * passed at once in the last run is not returned, because people may have repaired the file since.
 */
export const tooUnsteady = (runs) => {
  const last = new Set(runs.at(-1)?.files);
  const times = new Map();
  for (const file of runs.flatMap((run) => [...new Set(run.files)])) times.set(file, (times.get(file) ?? 0) + 1);
  return [...times]
    .filter(([file, count]) => last.has(file) && count > TRIES_ALLOWED)
    .map(([file, count]) => ({ file, times: count, of: runs.length }));
};

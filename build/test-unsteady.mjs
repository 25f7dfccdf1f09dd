/** Records which test files needed a second attempt in the last runs on this machine. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const RUNS_KEPT = 30;
const TRIES_ALLOWED = 2;

/**
 * Adds a run and returns the last thirty runs, the oldest first. @param path JSON file with the runs @param files files
 * that passed only at the second attempt in this run
 */
export const addRun = (path, files) => {
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).runs : [];
  const runs = [...before, { at: new Date().toISOString(), files }].slice(-RUNS_KEPT);
  writeFileSync(path, `${JSON.stringify({ runs }, null, 1)}\n`);
  return runs;
};

/** Returns the files that needed more than two second attempts in these runs. */
export const tooUnsteady = (runs) => {
  const times = new Map();
  for (const file of runs.flatMap((run) => [...new Set(run.files)])) times.set(file, (times.get(file) ?? 0) + 1);
  return [...times]
    .filter(([, count]) => count > TRIES_ALLOWED)
    .map(([file, count]) => ({ file, times: count, of: runs.length }));
};

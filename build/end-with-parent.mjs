/**
 * Ends this process gracefully (SIGTERM) when its parent is gone. `kill` of `npm start` reaches only npm and its shell;
 * the shell ends without forwarding the signal, and the server would continue to run invisibly.
 */
import { isMainThread } from 'node:worker_threads';

const LOOK_EVERY_MS = 500;

if (isMainThread) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  timer.unref();
  // Clears the Node options of this process. Otherwise child processes would inherit them and load this file, too.
  process.execArgv.length = 0;
}

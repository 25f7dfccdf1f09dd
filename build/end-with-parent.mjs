/**
 * Ends this process (SIGTERM: in order) when its parent has gone. `kill` of an `npm start` reaches npm and its shell
 * only; the shell dies without passing it on, and would leave a server behind that nobody sees.
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
  // What this process starts must not inherit the watch.
  process.execArgv.length = 0;
}

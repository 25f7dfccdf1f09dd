/** Hands this process over to another program: same terminal, same signals, same exit code. */
import { spawn } from 'node:child_process';

/** Under npm on a system with a POSIX shell; see end-with-parent.mjs. */
const shellMayVanish = Boolean(process.env.npm_lifecycle_event) && process.platform !== 'win32';

/**
 * Where Node can replace itself (22.15 and newer, not on Windows) it does: no second process stays in memory.
 * Elsewhere a child runs, and this process passes signals on and ends as it ends.
 * @param node the Node to run with
 */
export const become = async (node, args) => {
  const watch = new URL('./end-with-parent.mjs', import.meta.url).href;
  const nodeArgs = shellMayVanish ? ['--import', watch, ...args] : args;
  if (process.execve && process.platform !== 'win32') {
    // The note that execve is experimental would be the first thing a user reads.
    process.removeAllListeners('warning');
    process.execve(node, [node, ...nodeArgs], process.env);
  }
  // In a group of its own: what is sent to ours (Ctrl-C, `timeout`) would arrive twice, and the second one means "at
  // once".
  const ownGroup = process.platform !== 'win32';
  const child = spawn(node, args, { stdio: 'inherit', detached: ownGroup });
  const signals = ownGroup ? ['SIGTERM', 'SIGHUP', 'SIGINT'] : ['SIGTERM'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  // On Windows Ctrl-C reaches every program of the console: waited for here.
  if (!ownGroup) process.on('SIGINT', () => {});
  child.on('error', (error) => {
    process.stderr.write(`${node} cannot be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  if (shellMayVanish) await import(watch);
};

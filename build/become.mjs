/** Replaces this process by another program with the same terminal, signals and exit code. */
import { spawn } from 'node:child_process';

/** Whether npm started the process on a system with a POSIX shell; see end-with-parent.mjs. */
const shellMayVanish = Boolean(process.env.npm_lifecycle_event) && process.platform !== 'win32';

/**
 * Runs a program in place of this process. Where Node can replace itself (22.15 and newer, not on Windows), no second
 * process stays in memory. Elsewhere a child runs; this process passes on signals and exits with the child's code.
 * @param node path of the Node to use
 */
export const become = async (node, args) => {
  const watch = new URL('./end-with-parent.mjs', import.meta.url).href;
  const nodeArgs = shellMayVanish ? ['--import', watch, ...args] : args;
  if (process.execve && process.platform !== 'win32') {
    // Suppresses the warning that execve is experimental, which would be the first output.
    process.removeAllListeners('warning');
    process.execve(node, [node, ...nodeArgs], process.env);
  }
  // The child is in a separate process group: signals to our group (Ctrl-C, `timeout`) would otherwise arrive twice,
  // and the second signal means "stop at once".
  const ownGroup = process.platform !== 'win32';
  const child = spawn(node, args, { stdio: 'inherit', detached: ownGroup });
  const signals = ownGroup ? ['SIGTERM', 'SIGHUP', 'SIGINT'] : ['SIGTERM'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  // On Windows Ctrl-C reaches every program of the console, so this process only waits.
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

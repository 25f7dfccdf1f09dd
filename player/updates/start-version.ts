/**
 * Starts a version's program, and ends it with all that it has started: a hung one takes its agents and its graphics
 * process with it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { type LauncherSays, WindowsSay } from '../../shared/protocol/launcher.ts';
import { windowsProgram } from '../agent/windows-programs.ts';
import type { StartVersion } from './launcher.ts';

const isWindows = process.platform === 'win32';

export const startVersion: StartVersion = ({ program, args, env, hear }) => {
  // A process group of its own, which can be killed as a whole; Windows has trees instead, and would open a console for
  // a detached one.
  const child = spawn(program, [...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
    detached: !isWindows,
    windowsHide: true,
  });
  child.on('message', (data: unknown) => {
    const message = WindowsSay.safeParse(data);
    if (message.success) hear(message.data);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      // What it leaves behind would keep the screens' data to itself.
      killTree(child);
      resolve(code === null ? `by ${signal}` : `with ${code}`);
    });
    child.once('error', (error) => child.pid === undefined && resolve(`before it began: ${error.message}`));
  });
  return {
    say: (message: LauncherSays) => void (child.connected && child.send(message, () => {})),
    kill: () => killTree(child),
    ended,
  };
};

const killTree = (child: ChildProcess): void => {
  const { pid } = child;
  if (pid === undefined) return;
  if (isWindows) {
    // By the tree: `kill` would leave its children. Of one that has ended nothing is found, and its number may be
    // another's by now.
    if (child.exitCode === null && child.signalCode === null)
      spawn(windowsProgram('taskkill', process.env), ['/PID', String(pid), '/T', '/F'], {
        stdio: 'ignore',
        windowsHide: true,
      }).once('error', () => child.kill());
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left of it.
  }
};

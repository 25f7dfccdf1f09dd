/**
 * Starts the program of a version, and kills it with all its child processes, including agents and the graphics
 * process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { type LauncherSays, WindowsSay } from '../../shared/protocol/releases/launcher.ts';
import { windowsProgram } from '../agent/machine/windows-programs.ts';
import type { StartVersion } from './launcher.ts';

const isWindows = process.platform === 'win32';

export const startVersion: StartVersion = ({ program, args, env, hear }) => {
  // On Linux and macOS, the program gets a process group, which can be killed as a whole. Windows has process trees
  // instead, and would open a console for a detached process.
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
      // Kills the child processes that remain, because they would keep the data of the screens locked.
      killTree(child);
      resolve(code === null ? `by ${signal}` : `with ${code}`);
    });
    child.once('error', (error) => child.pid === undefined && resolve(`before it began: ${error.message}`));
  });
  return {
    send: (message: LauncherSays) => void (child.connected && child.send(message, () => {})),
    kill: () => killTree(child),
    ended,
  };
};

const killTree = (child: ChildProcess): void => {
  const { pid } = child;
  if (pid === undefined) return;
  if (isWindows) {
    // Kills the process tree, because `kill` would leave its children. After the end of the process its id may belong
    // to another process.
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
    // The kill fails if all processes of the group have already ended. The error is ignored.
  }
};

/**
 * Starts the programs behind the windows in plain Node, which is packaged beside Electron. So the server can be a
 * service without display and Chromium, a crashing decoder affects no window, and the code that runs is the code that
 * is tested.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Program, ProgramOptions, StartProgram } from '../../shared/desktop/program.ts';
import { ProgramSays } from '../../shared/protocol/shell.ts';

export interface Places {
  /** Path of the executable file of Node. */
  readonly node: string;
  /** Folder with server/, player/ and their dependencies. */
  readonly programs: string;
}

/** Returns paths in an installed program. @param resources Electron's `process.resourcesPath` */
export const placesIn = (resources: string, platform: NodeJS.Platform = process.platform): Places => ({
  node: join(resources, 'node', platform === 'win32' ? 'node.exe' : 'node'),
  programs: join(resources, 'vitrine'),
});

export const startIn =
  ({ node, programs }: Places): StartProgram =>
  ({ script, args, env, hear, complains }: ProgramOptions): Program => {
    const child = spawn(node, [join(programs, script), ...args], {
      stdio: ['ignore', complains ? 'ignore' : 'inherit', complains ? 'pipe' : 'inherit', 'ipc'],
      env: { ...process.env, ...env },
      windowsHide: true,
    });
    child.on('message', (data: unknown) => {
      const message = ProgramSays.safeParse(data);
      if (message.success) hear(message.data);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => complains?.(text));
    const ended = new Promise<number | null>((resolve) => {
      child.once('exit', (code) => resolve(code));
      child.once('error', (error) => {
        complains?.(error.message);
        if (child.pid === undefined) resolve(null);
      });
    });
    return {
      // The child may have ended although its `exit` event has not arrived yet, so errors of sending are ignored.
      send: (message) => void (child.connected && child.send(message, () => {})),
      kill: () => void child.kill('SIGKILL'),
      ended,
    };
  };

/**
 * Starts a program without visible output, which continues to run when this program ends. Resolves when it has started;
 * undefined: it could not be started.
 * @param command program and arguments
 */
export const startDetached = ([program = '', ...args]: readonly string[]): Promise<ChildProcess | undefined> =>
  new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true });
    child.once('spawn', () => {
      child.unref();
      resolve(child);
    });
    child.once('error', () => resolve(undefined));
  });

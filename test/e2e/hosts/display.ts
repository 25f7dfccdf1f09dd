/**
 * A display of its own for programs with windows, where this machine has none (or, for keys, none that anybody sits
 * at). Linux.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Ending } from '../../harness.ts';

const SIZE = '1280x720x24';

/** With a window manager: without one no window is active, or fills its display. @returns for DISPLAY */
export const virtualDisplay = async (t: Ending, size = SIZE): Promise<string> => {
  const keep = (child: ChildProcess) => {
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  const server = keep(
    spawn('Xvfb', ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    }),
  );
  const [number] = (await once(server.stdio[3]!, 'data')) as [Buffer];
  const display = `:${number.toString().trim()}`;
  keep(spawn('openbox', [], { env: { ...process.env, DISPLAY: display }, stdio: 'ignore' }));
  return display;
};

/** What a program with windows needs in its environment to have a display here. */
export const displayEnv = async (t: Ending): Promise<Readonly<Record<string, string>>> => {
  const { platform, env } = process;
  return platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? {} : { DISPLAY: await virtualDisplay(t) };
};

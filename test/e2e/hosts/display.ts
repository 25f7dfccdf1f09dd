/**
 * Starts a virtual display for programs with windows. Used on Linux machines without a display, and for keyboard tests,
 * which must not use the display of a person.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Ending } from '../../harness.ts';

const SIZE = '1280x720x24';

/**
 * Starts a virtual display and a window manager: without a window manager, no window is active or fills the display.
 * @returns the value for DISPLAY
 */
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

/** Environment variables with which a program with windows has a display on this machine. */
export const displayEnv = async (t: Ending): Promise<Readonly<Record<string, string>>> => {
  const { platform, env } = process;
  return platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? {} : { DISPLAY: await virtualDisplay(t) };
};

/**
 * Switches the panel and the machine: lists the programs for each platform. The first available program that succeeds
 * is enough.
 */
import type { Outcome } from '../../core/ports.ts';
import type { Run } from './run.ts';
import { windowsProgram } from './windows-programs.ts';

interface Step {
  readonly program: string;
  readonly args: readonly string[];
  readonly input?: string;
}

export interface Platform {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * HDMI-CEC switches the television itself. DPMS only removes the signal, after which many televisions show "no signal"
 * for a while.
 */
export function panelSteps(on: boolean, { platform, env }: Platform): Step[] {
  if (platform === 'win32') return [monitorOnWindows(on, env)];
  if (platform === 'darwin')
    return [on ? { program: 'caffeinate', args: ['-u', '-t', '2'] } : { program: 'pmset', args: ['displaysleepnow'] }];
  const cec: Step[] = [
    { program: 'cec-ctl', args: ['--playback', '--to', '0', on ? '--image-view-on' : '--standby'] },
    { program: 'cec-client', args: ['-s', '-d', '1'], input: on ? 'on 0\n' : 'standby 0\n' },
  ];
  const wayland: Step[] = [
    { program: 'wlopm', args: [on ? '--on' : '--off', '*'] },
    { program: 'swaymsg', args: ['output', '*', 'power', on ? 'on' : 'off'] },
  ];
  const x11: Step[] = [{ program: 'xset', args: ['dpms', 'force', on ? 'on' : 'off'] }];
  const pi: Step[] = [{ program: 'vcgencmd', args: ['display_power', on ? '1' : '0'] }];
  return [...cec, ...(env.WAYLAND_DISPLAY ? wayland : []), ...(env.DISPLAY ? x11 : []), ...pi];
}

/**
 * SC_MONITORPOWER to every window: −1 on, 2 off. Turning on also needs a mouse movement, or some drivers sleep again at
 * once.
 */
function monitorOnWindows(on: boolean, env: Platform['env']): Step {
  const declare =
    'Add-Type -Namespace V -Name P -MemberDefinition \'[DllImport("user32.dll")] public static extern IntPtr SendMessageTimeout(IntPtr h,uint m,IntPtr w,IntPtr l,uint f,uint t,out IntPtr r);[DllImport("user32.dll")] public static extern void mouse_event(uint f,int x,int y,uint d,IntPtr e);\'';
  const send = `$r=[IntPtr]::Zero;[void][V.P]::SendMessageTimeout([IntPtr]0xffff,0x112,[IntPtr]0xf170,[IntPtr]${on ? -1 : 2},2,1000,[ref]$r)`;
  const move = on ? ';[V.P]::mouse_event(1,0,1,0,[IntPtr]::Zero)' : '';
  return {
    program: windowsProgram('powershell', env),
    args: ['-NoProfile', '-NonInteractive', '-Command', `${declare};${send}${move}`],
  };
}

export function machineSteps(what: 'reboot' | 'shutdown', { platform, env }: Platform): Step[] {
  if (platform === 'win32')
    return [{ program: windowsProgram('shutdown', env), args: [what === 'reboot' ? '/r' : '/s', '/t', '2'] }];
  if (platform === 'darwin')
    return [
      {
        program: 'osascript',
        args: ['-e', `tell application "System Events" to ${what === 'reboot' ? 'restart' : 'shut down'}`],
      },
    ];
  const args = [what === 'reboot' ? 'reboot' : 'poweroff'];
  return [
    { program: 'systemctl', args },
    { program: 'loginctl', args },
    { program: 'shutdown', args: [what === 'reboot' ? '-r' : '-h', 'now'] },
  ];
}

/** Runs the programs until one succeeds. Returns `unsupported` if none of them exists on this machine. */
export async function firstThatWorks(steps: readonly Step[], run: Run): Promise<Outcome> {
  let error: string | undefined;
  for (const { program, args, input } of steps) {
    const { ok, missing, output } = await run(program, args, input);
    if (ok) return { status: 'done' };
    if (!missing) error ??= `${program}: ${output || 'failed'}`;
  }
  return error === undefined ? { status: 'unsupported' } : { status: 'failed', error };
}

/** What the tray of the store server says, from how the server is: without Electron, so that it can be tested. */

export interface ServerState {
  /** paused: the operator stopped it; failed: it ended by itself and is started again in a moment. */
  readonly phase: 'starting' | 'running' | 'pausing' | 'paused' | 'failed';
  readonly addresses: readonly string[];
  readonly screens: { readonly online: number; readonly total: number } | undefined;
  readonly startsAtLogin: boolean;
}

export type TrayAction = 'open' | 'address' | 'pause' | 'resume' | 'login' | 'quit';

export interface TrayItem {
  readonly label: string;
  /** Absent: only says something. */
  readonly action?: TrayAction;
  readonly checked?: boolean;
}

/** `separator` stands for a line. */
export const trayMenu = (state: ServerState): readonly (TrayItem | 'separator')[] => {
  const { phase, addresses, startsAtLogin } = state;
  const isPaused = phase === 'paused';
  return [
    { label: trayTip(state) },
    'separator',
    { label: isPaused ? 'Resume and open Vitrine' : 'Open Vitrine', action: 'open' },
    ...(addresses[0] && phase === 'running' ? [{ label: `Address: ${addresses[0]}`, action: 'address' } as const] : []),
    'separator',
    ...(isPaused ? [{ label: 'Resume', action: 'resume' } as const] : phase === 'pausing' ? [] : [{ label: 'Pause', action: 'pause' } as const]),
    { label: 'Start at login', action: 'login', checked: startsAtLogin },
    'separator',
    { label: 'Quit', action: 'quit' },
  ];
};

/** One line: what the server is doing. */
export const trayTip = ({ phase, screens }: ServerState): string => {
  switch (phase) {
    case 'starting':
      return 'Vitrine is starting';
    case 'pausing':
      return 'Vitrine is stopping';
    case 'paused':
      return 'Vitrine is paused; screens go on with what they have';
    case 'failed':
      return 'Vitrine ended and is started again';
    case 'running':
      return !screens || screens.total === 0 ? 'Vitrine is running' : `${screens.online} of ${screens.total} screens online`;
    default:
      return phase satisfies never;
  }
};

/** Builds the tray menu of the store server from the server's state. Independent of Electron, for tests. */
import { ROLES, type Role } from '../../shared/desktop/install-values.ts';
import type { DesktopWords } from '../../shared/desktop/words.ts';

export interface ServerState {
  /** Says whether the server runs as a service of this machine or as a child process of this program. */
  readonly by: 'service' | 'child';
  /**
   * State of the server. `paused`: stopped by the operator; `failed`: exited by itself and restarts in a moment;
   * `waiting`: the service does not answer; `stranger`: another program answers at its port.
   */
  readonly phase: 'starting' | 'running' | 'pausing' | 'paused' | 'failed' | 'waiting' | 'stranger';
  /** Sentence that says what a person must do to complete an action of the tray menu. */
  readonly hint: string | undefined;
  readonly addresses: readonly string[];
  readonly screens: { readonly online: number; readonly total: number } | undefined;
  readonly startsAtLogin: boolean;
  /** Role of this computer, if it can be changed here. */
  readonly role: Role | undefined;
}

export type TrayAction = 'open' | 'address' | 'pause' | 'resume' | 'login' | 'quit' | `become-${Role}`;

interface TrayChoice {
  readonly label: string;
  readonly action: TrayAction;
  readonly checked: boolean;
}

interface TrayItem {
  readonly label: string;
  /** Action of the item. Absent for items that only show text. */
  readonly action?: TrayAction;
  readonly checked?: boolean;
  /** Alternatives of which a person chooses one. Exactly one alternative is marked as the current choice. */
  readonly choices?: readonly TrayChoice[];
}

export const trayMenu = (state: ServerState, words: DesktopWords): readonly (TrayItem | 'separator')[] => {
  const { tray } = words;
  const { phase, addresses, startsAtLogin, hint, role } = state;
  const isPaused = phase === 'paused' || phase === 'waiting';
  // The menu has no actions when another program answers at the port, because the tray cannot control that program.
  const turns: readonly TrayItem[] =
    phase === 'pausing' || phase === 'stranger'
      ? []
      : [
          isPaused
            ? { label: phase === 'waiting' ? tray.start : tray.resume, action: 'resume' }
            : { label: tray.pause, action: 'pause' },
        ];
  return [
    { label: trayTip(state, words) },
    ...(hint === undefined ? [] : [{ label: hint }]),
    'separator',
    { label: phase === 'paused' ? tray.resumeAndOpen : tray.open, action: 'open' },
    ...(addresses[0] && phase === 'running' ? [{ label: tray.address(addresses[0]), action: 'address' } as const] : []),
    'separator',
    ...turns,
    { label: tray.atLogin, action: 'login', checked: startsAtLogin },
    ...(role
      ? [
          {
            label: tray.is,
            choices: ROLES.map((each) => ({
              label: words.roles[each],
              action: `become-${each}` as const,
              checked: each === role,
            })),
          },
        ]
      : []),
    'separator',
    { label: state.by === 'service' ? tray.close : tray.quit, action: 'quit' },
  ];
};

export const trayTip = (
  { phase, screens }: Pick<ServerState, 'phase' | 'screens'>,
  { tray }: Pick<DesktopWords, 'tray'>,
): string =>
  phase === 'running' && screens && screens.total > 0 ? tray.online(screens.online, screens.total) : tray[phase];

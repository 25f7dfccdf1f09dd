/**
 * Makes what the tray of the store server says, from how the server is. It does without Electron, so that it can be
 * tested.
 */
import { ROLE_NAMES, ROLES, type Role } from '../../shared/desktop/install-values.ts';

export interface ServerState {
  /** Tells a service of this machine from a child of this program. */
  readonly by: 'service' | 'child';
  /**
   * `paused` means that the operator stopped it, `failed` that it ended by itself and is started again in a moment,
   * `waiting` that the service does not answer, and `stranger` that somebody else answers in its place.
   */
  readonly phase: 'starting' | 'running' | 'pausing' | 'paused' | 'failed' | 'waiting' | 'stranger';
  /** Says what a person has to do for what was asked of the tray. */
  readonly hint: string | undefined;
  readonly addresses: readonly string[];
  readonly screens: { readonly online: number; readonly total: number } | undefined;
  readonly startsAtLogin: boolean;
  /** What this computer is, where that can be changed from here. */
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
  /** Absent where the item only says something. */
  readonly action?: TrayAction;
  readonly checked?: boolean;
  /** Lists choices of which one is so, and the others would be instead. */
  readonly choices?: readonly TrayChoice[];
}

export const trayMenu = (state: ServerState): readonly (TrayItem | 'separator')[] => {
  const { phase, addresses, startsAtLogin, hint, role } = state;
  const isPaused = phase === 'paused' || phase === 'waiting';
  // The tray has no say over what a stranger has at the port.
  const turns: readonly TrayItem[] =
    phase === 'pausing' || phase === 'stranger'
      ? []
      : [
          isPaused
            ? { label: phase === 'waiting' ? 'Start' : 'Resume', action: 'resume' }
            : { label: 'Pause', action: 'pause' },
        ];
  return [
    { label: trayTip(state) },
    ...(hint === undefined ? [] : [{ label: hint }]),
    'separator',
    { label: phase === 'paused' ? 'Resume and open Vitrine' : 'Open Vitrine', action: 'open' },
    ...(addresses[0] && phase === 'running' ? [{ label: `Address: ${addresses[0]}`, action: 'address' } as const] : []),
    'separator',
    ...turns,
    { label: 'Start at login', action: 'login', checked: startsAtLogin },
    ...(role
      ? [
          {
            label: 'This computer is',
            choices: ROLES.map((each) => ({
              label: ROLE_NAMES[each],
              action: `become-${each}` as const,
              checked: each === role,
            })),
          },
        ]
      : []),
    'separator',
    { label: state.by === 'service' ? 'Close this window’s program' : 'Quit', action: 'quit' },
  ];
};

export const trayTip = ({ phase, screens }: Pick<ServerState, 'phase' | 'screens'>): string => {
  switch (phase) {
    case 'starting':
      return 'Vitrine is starting';
    case 'pausing':
      return 'Vitrine is stopping';
    case 'paused':
      return 'Vitrine is paused; screens go on with what they have';
    case 'failed':
      return 'Vitrine ended and is started again';
    case 'waiting':
      return 'The Vitrine service does not answer';
    case 'stranger':
      return 'Another program answers in the place of the Vitrine service';
    case 'running':
      return !screens || screens.total === 0
        ? 'Vitrine is running'
        : `${screens.online} of ${screens.total} screens online`;
    default:
      return phase satisfies never;
  }
};

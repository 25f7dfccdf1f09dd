/**
 * Makes what the tray of the store server says, from how the server is. It does without Electron, so that it can be
 * tested.
 */
import { ROLES, type Role } from '../../shared/desktop/install-values.ts';
import type { DesktopWords } from '../../shared/desktop/words.ts';

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

export const trayMenu = (state: ServerState, words: DesktopWords): readonly (TrayItem | 'separator')[] => {
  const { tray } = words;
  const { phase, addresses, startsAtLogin, hint, role } = state;
  const isPaused = phase === 'paused' || phase === 'waiting';
  // The tray has no say over what a stranger has at the port.
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

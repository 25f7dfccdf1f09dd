/** Computes the state that the screen shows, from the states of the player's parts. */
import type { ScreenState } from '../screen/host/host.ts';
import type { Commands } from './commands.ts';
import type { Paired } from './connection/identity.ts';
import type { Waiting } from './connection/session.ts';
import type { Panel } from './panel.ts';
import type { SeenServer } from './ports.ts';
import type { Identify } from './program/identify.ts';
import type { Overlay } from './program/overlay.ts';
import type { ProgramStore } from './program/program-store.ts';

type Playing = Extract<ScreenState, { phase: 'playing' }>;

export interface Known {
  readonly paired: Paired | null;
  readonly waiting: Waiting | null;
  /** Set while the player shows its own code and waits to be claimed. */
  readonly choosing: { readonly code: string; readonly servers: readonly SeenServer[] } | null;
  readonly servers: readonly SeenServer[];
  readonly deviceName: string;
  readonly playing: Omit<Playing, 'phase' | 'device_name'>;
}

export function screenState({ paired, waiting, choosing, servers, deviceName, playing }: Known): ScreenState {
  if (paired) return { phase: 'playing', device_name: paired.name, ...playing };
  if (choosing) {
    const seen = choosing.servers.map(({ name, origin, server }) => ({
      name,
      url: origin,
      fingerprint: server?.fingerprint ?? '',
    }));
    return { phase: 'choosing', code: choosing.code, servers: seen, device_name: deviceName };
  }
  if (waiting) {
    const { code, server } = waiting;
    // The address that was found on the network is preferred: a phone that reads the QR code cannot use an address that
    // means this machine.
    const origin = servers.find((seen) => seen.server?.id === server.id)?.origin ?? waiting.origin;
    return {
      phase: 'pairing',
      code,
      server_name: server.name,
      fingerprint: server.fingerprint,
      claim_url: claimUrl(origin, code),
      device_name: deviceName,
    };
  }
  return {
    phase: 'searching',
    servers: servers.map(({ name, origin }) => ({ name, url: origin })),
    setup_url: servers.find((server) => server.setup)?.origin ?? null,
  };
}

/** Parts whose state is shown while the player is paired. */
interface Shown {
  readonly programs: Pick<ProgramStore, 'id' | 'program' | 'placement' | 'placementId' | 'repairs'>;
  readonly overlay: Pick<Overlay, 'current'>;
  readonly panel: Pick<Panel, 'on'>;
  readonly commands: Pick<Commands, 'launchUrl'>;
  readonly identify: Pick<Identify, 'current'>;
}

export const playingState = ({ programs, overlay, panel, commands, identify }: Shown): Known['playing'] => ({
  program_id: programs.id,
  program: programs.program,
  placement: programs.placement,
  placement_id: programs.placementId,
  overlay: overlay.current,
  screen_on: panel.on,
  launch_url: commands.launchUrl,
  identify_until: identify.current?.until ?? null,
  identify_groups: [...(identify.current?.groups ?? [])],
  repairs: programs.repairs,
});

/** Returns the address that opens the screens page of the admin window with the code filled in. */
const claimUrl = (origin: string, code: string): string => `${origin}/#/screens?claim=${encodeURIComponent(code)}`;

import type { Device } from '../../../shared/contract/devices.ts';
import type { Capability, CommandName } from '../../../shared/protocol/messages.ts';

export const commandNames = ['screen_on', 'screen_off', 'launch', 'update', 'reboot', 'shutdown'] as const satisfies readonly CommandName[];

/** What a player must be able to do for it, and whether a person is asked before. */
export const needOf: Readonly<Record<CommandName, { readonly capability: Capability; readonly asks: boolean }>> = {
  screen_on: { capability: 'screen', asks: false },
  screen_off: { capability: 'screen', asks: false },
  launch: { capability: 'launch', asks: true },
  update: { capability: 'update', asks: true },
  reboot: { capability: 'reboot', asks: true },
  shutdown: { capability: 'shutdown', asks: true },
};

/** Why it cannot be done now; undefined: it can. An update waits a day for a screen that is away, everything else a minute. */
export const whyNot = (screen: Pick<Device, 'status' | 'capabilities'>, type: CommandName): 'cannot' | 'offline' | undefined => {
  if (!screen.capabilities.includes(needOf[type].capability)) return 'cannot';
  return screen.status !== 'online' && type !== 'update' ? 'offline' : undefined;
};

/** Rules for offering commands, the same for one screen, for many screens and for a group. */
import { AppWindow, Download, type LucideIcon, Monitor, MonitorOff, Power, RotateCcw } from 'lucide-react';
import type { Device } from '../../../shared/contract/screens/devices.ts';
import { COMMANDS, type CommandName } from '../../../shared/protocol/commands.ts';

const ICONS: Readonly<Record<CommandName, LucideIcon>> = {
  screen_on: Monitor,
  screen_off: MonitorOff,
  launch: AppWindow,
  update: Download,
  reboot: RotateCcw,
  shutdown: Power,
};
export const iconOf = (name: CommandName): LucideIcon => ICONS[name];

/** Milliseconds. Commands that stay valid for this time or longer can also be sent to offline screens. */
const SHORTLY_MS = 3_600_000;

/** @param count number of receiving screens */
export const needsConfirmation = (name: CommandName, count: number): boolean =>
  COMMANDS[name].asksFirst === 'always' || (COMMANDS[name].asksFirst === 'many' && count > 1);

/** Returns why none of the screens can execute the command now; undefined if one can. */
export const whyNot = (
  screens: readonly Pick<Device, 'status' | 'capabilities'>[],
  name: CommandName,
): 'cannot' | 'offline' | undefined => {
  const { capability, expiresAfterMs } = COMMANDS[name];
  const able = screens.filter((screen) => screen.capabilities.includes(capability));
  if (able.length === 0) return 'cannot';
  return expiresAfterMs < SHORTLY_MS && able.every((screen) => screen.status !== 'online') ? 'offline' : undefined;
};

/** Description of this device for the hello: name, platform, version, abilities and screen. */
import type { Capability } from '../../shared/protocol/commands.ts';
import type { DeviceInfo } from '../../shared/protocol/messages.ts';
import type { PlayerDeps } from './player-deps.ts';
import type { ScreenSize } from './screen-size.ts';

export const deviceInfo = (
  { device, machine }: Pick<PlayerDeps, 'device' | 'machine'>,
  size: ScreenSize,
): DeviceInfo => {
  const { touch, ...screen } = size.get();
  const capabilities = new Set<Capability>([
    ...machine.capabilities(),
    ...(touch ? (['touch'] as const) : []),
    'identify',
  ]);
  return { ...device, name: device.name.slice(0, 200), capabilities: [...capabilities], screen };
};

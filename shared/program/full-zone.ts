import type { ProgramZone } from './program.ts';

/** Id of the zone that stands for the whole screen when there is no current layout. */
export const FULL_ZONE_ID = 'full';

/**
 * The whole screen as one zone. Separate from program.ts, because that file imports zod, which would add more bytes to
 * the player's screen than the whole engine.
 */
export const FULL_ZONE: ProgramZone = {
  id: FULL_ZONE_ID,
  name: '',
  x: 0,
  y: 0,
  width: 100,
  height: 100,
  z_index: 0,
  zone_type: 'content',
  fit: 'contain',
  background: '#000000',
};

import type { ProgramZone } from './program.ts';

/** The id of the zone that stands for the whole screen when no layout is in force. */
export const FULL_ZONE_ID = 'full';

/**
 * The whole screen as one zone. Here and not in program.ts, because that file brings zod along, which would cost the
 * player's screen more bytes than the whole engine.
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

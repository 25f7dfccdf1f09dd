import type { ServerResponse } from 'node:http';

/**
 * Of what costs the server something as long as it lasts: an export, an archive. The system takes megabytes for a
 * client before anything is noticed of its reading, and the next only when half of them are read: at 40 kB a second a
 * minute passes between two.
 */
const STALLED_MS = 60_000;

/** Cuts off a client that takes nothing of its answer for so long: what is kept for it is others'. */
export const cutWhenStalled = (res: ServerResponse, ms = STALLED_MS): void =>
  void res.setTimeout(ms, () => res.destroy());

import type { ServerResponse } from 'node:http';

/**
 * Bounds the silence of a client to which an export or an archive is sent. The system takes megabytes for a client
 * before anything is noticed of its reading, and the next only when half of them are read: at 40 kB a second a minute
 * passes between two.
 */
const STALLED_MS = 60_000;

/**
 * Cuts off a client that takes nothing of its answer for this long, because what is kept for it costs the server
 * something all the time.
 */
export const cutWhenStalled = (res: ServerResponse, ms = STALLED_MS): void =>
  void res.setTimeout(ms, () => res.destroy());

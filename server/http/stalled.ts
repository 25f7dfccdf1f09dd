import type { ServerResponse } from 'node:http';

/**
 * Time limit for a client that does not read an export or archive. The system buffers megabytes for a client and asks
 * for more only when half of them are read: at 40 kB/s a minute passes between two writes.
 */
const STALLED_MS = 60_000;

/**
 * Cuts off a client that reads nothing of its answer for this long, because an open answer occupies resources of the
 * server.
 */
export const cutWhenStalled = (res: ServerResponse, ms = STALLED_MS): void =>
  void res.setTimeout(ms, () => res.destroy());

import type { ServerResponse } from 'node:http';

/**
 * Time limit in milliseconds for a client that does not read an export or archive. The operating system buffers
 * megabytes for a client and accepts more only when half of them are read: at 40 kB/s a minute passes between two
 * writes.
 */
const STALLED_MS = 60_000;

/**
 * Disconnects a client that reads nothing of its answer for this time, because an open answer occupies resources of the
 * server.
 */
export const cutWhenStalled = (res: ServerResponse, ms = STALLED_MS): void =>
  void res.setTimeout(ms, () => res.destroy());

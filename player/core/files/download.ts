/**
 * Downloads from the server. A small body is read as a whole; an asset is written into the store, and an interrupted
 * asset continues at the last received byte.
 */
import type { Asset } from '../../../shared/program/program.ts';
import { AssetCorrupt, DownloadFailed } from '../errors.ts';
import type { Get, Reply, Time } from '../ports.ts';
import type { AssetStore } from './asset-store.ts';

/** Time without any received byte after which the connection counts as dead. */
const STALL_MS = 30_000;
/** Number of received bytes after which an interrupted download continues at once. */
const PROGRESS_BYTES = 256 * 1024;

export interface Fetching {
  readonly get: Get;
  readonly time: Time;
  /** Credential of this player for the server; undefined while unpaired. */
  readonly authorization: () => string | undefined;
  readonly signal: AbortSignal;
}

export async function fetchWhole(
  path: string,
  { most, ...fetching }: Fetching & { most: number },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  await request(path, {}, fetching, async (reply, alive) => {
    if (reply.status !== 200) throw new DownloadFailed(path, reply.status);
    for await (const chunk of reply.body) {
      alive();
      size += chunk.length;
      if (size > most) throw new DownloadFailed(`${path} is larger than ${most} bytes`);
      parts.push(chunk);
    }
  });
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function fetchAsset(
  asset: Asset,
  { store, ...fetching }: Fetching & { store: AssetStore },
): Promise<void> {
  const partial = await store.partial(asset.sha256);
  const held = partial && partial.bytes <= asset.size ? partial : { bytes: 0, etag: null };
  if (held.bytes === asset.size)
    return finish(asset, await store.open(asset.sha256, { at: held.bytes, etag: held.etag }));
  const headers: Record<string, string> = {};
  // If-Range prevents that the rest of a changed file is appended to the old part. The hash would detect this only
  // after all bytes were downloaded.
  if (held.bytes > 0)
    Object.assign(headers, { Range: `bytes=${held.bytes}-`, ...(held.etag && { 'If-Range': held.etag }) });
  await request(`/api/player/assets/${asset.sha256}`, headers, fetching, async (reply, alive) => {
    const at = startOf(reply, held.bytes);
    if (at === undefined) {
      if (reply.status === 416 || reply.status === 206) await store.remove(asset.sha256);
      throw new DownloadFailed(`asset ${asset.sha256}`, reply.status);
    }
    const writer = await store.open(asset.sha256, { at, etag: reply.header('etag') });
    await receive(reply, writer, { left: asset.size - at, alive, sha256: asset.sha256 });
    await finish(asset, writer);
  });
}

async function finish(asset: Asset, writer: { finish(): Promise<boolean> }): Promise<void> {
  if (!(await writer.finish())) throw new AssetCorrupt(asset.sha256);
}

async function receive(
  reply: Reply,
  writer: { write(chunk: Uint8Array): Promise<void>; suspend(): Promise<void> },
  { left, alive, sha256 }: { left: number; alive: () => void; sha256: string },
): Promise<void> {
  let received = 0;
  try {
    for await (const chunk of reply.body) {
      alive();
      received += chunk.length;
      left -= chunk.length;
      // Stops writing when the file is too long: the checksum will fail anyway, so the disk need not fill up.
      if (left < 0) return;
      await writer.write(chunk);
    }
    if (left > 0) throw new DownloadFailed(`asset ${sha256} broke off ${left} bytes before its end`);
  } catch (error) {
    await writer.suspend();
    throw received >= PROGRESS_BYTES ? Object.assign(error as Error, { progressed: true }) : error;
  }
}

/** Returns the offset at which the body begins; undefined if the response is unusable. */
function startOf(reply: Reply, asked: number): number | undefined {
  if (reply.status === 200) return 0;
  if (reply.status !== 206) return undefined;
  const start = /^bytes (\d+)-/.exec(reply.header('content-range') ?? '')?.[1];
  return start !== undefined && Number(start) === asked ? asked : undefined;
}

async function request(
  path: string,
  headers: Record<string, string>,
  { get, time, authorization, signal }: Fetching,
  use: (reply: Reply, alive: () => void) => Promise<void>,
): Promise<void> {
  const credential = authorization();
  if (!credential) throw new DownloadFailed('not paired');
  const stalled = new AbortController();
  const stop = () => stalled.abort(signal.reason);
  signal.addEventListener('abort', stop);
  let cancel = () => {};
  const alive = () => {
    cancel();
    cancel = time.after(STALL_MS, () => stalled.abort(new DownloadFailed(`${path}: nothing came for 30 s`)));
  };
  alive();
  try {
    signal.throwIfAborted();
    await use(await get(path, { ...headers, Authorization: credential }, stalled.signal), alive);
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}

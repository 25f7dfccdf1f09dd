/**
 * Takes in a new version when the server says so: fetches what this screen is offered, checks it, lays it ready, and has the
 * program started anew. In the new version it reports when all is well; until it has, the launcher may go back.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UpdateOffer } from '../../shared/contract/updates.ts';
import type { Log, Outcome, Reply, Time, Undo } from '../core/ports.ts';
import { unpack } from './unpack.ts';
import { UpdateFiles } from './update-files.ts';
import { compareVersions, healthy, staged, type UpdateState } from './update-state.ts';

/** The command's result goes out before the program ends. */
const RESTART_AFTER_MS = 2_000;
const LOOK_EVERY_MS = 3_000;
const ASK_LIMIT_MS = 15_000;
/** Of the whole download; one that is broken off begins anew with the next command. */
const FETCH_LIMIT_MS = 3_600_000;

interface Needs {
  readonly folder: string;
  /** Of this program. */
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** From the server, with this screen's credential. */
  readonly get: (path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Reply>;
  /** Ends this program so that the launcher starts the version that lies ready. */
  readonly restart: () => void;
  readonly time: Time;
  readonly log: Log;
  /** @default unpack */
  readonly unpack?: (file: string, kind: string, into: string) => Promise<void>;
}

const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { linux: 'linux', win32: 'win', darwin: 'mac' };

export class Updater {
  readonly #needs: Needs;
  readonly #files: UpdateFiles;
  #undo: Undo | undefined;
  #running: Promise<Outcome> | undefined;
  #isShowing = false;
  #stopped = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#files = new UpdateFiles(needs.folder);
  }

  /** While this very version is on trial, looks whether all is well. */
  start(): void {
    if (this.#files.read().trial?.version === this.#needs.version) this.#lookLater();
  }

  stop(): void {
    this.#stopped = true;
    this.#undo?.();
  }

  /** The page of the screen paints. */
  showing(): void {
    this.#isShowing = true;
  }

  /** The `update` command. @param version null: whatever is offered */
  update(version: string | null): Promise<Outcome> {
    this.#running ??= this.#update(version)
      .catch((error): Outcome => ({ status: 'failed', error: plain(error) }))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #update(version: string | null): Promise<Outcome> {
    const { version: own, log } = this.#needs;
    if (version === own) return { status: 'done' };
    const { update } = await this.#offer();
    if (!update) return { status: 'failed', error: 'the server offers no version for this machine' };
    if (version !== null && update.version !== version) return { status: 'failed', error: `the server offers ${update.version}, not ${version}` };
    if (update.version === own) return { status: 'done' };
    if (compareVersions(update.version, own) < 0) return { status: 'failed', error: `this screen runs ${own}, which is newer than ${update.version}` };
    log.info(`fetching version ${update.version}`);
    const file = await this.#fetch(update.file);
    const fresh = join(this.#files.downloads, `${update.version}.unpacked`);
    await rm(fresh, { recursive: true, force: true });
    await (this.#needs.unpack ?? unpack)(file, update.file.kind, fresh);
    await rm(file, { force: true });
    await this.#files.place(update.version, fresh);
    if (!this.#files.program(update.version, this.#needs.platform)) return { status: 'failed', error: `version ${update.version} holds no program for this machine` };
    await this.#files.write(staged(this.#files.read(), update.version));
    log.info(`version ${update.version} lies ready: starting anew`);
    this.#undo = this.#needs.time.after(RESTART_AFTER_MS, () => this.#needs.restart());
    return { status: 'done' };
  }

  async #offer(): Promise<UpdateOffer> {
    const { platform, arch, get } = this.#needs;
    const reply = await get(`/api/updates/offer?platform=${PLATFORMS[platform] ?? ''}&arch=${arch}`, {}, AbortSignal.timeout(ASK_LIMIT_MS));
    const chunks: Uint8Array[] = [];
    for await (const chunk of reply.body) chunks.push(chunk);
    if (reply.status !== 200) throw new Error(`the server answered ${reply.status}`);
    return UpdateOffer.parse(JSON.parse(Buffer.concat(chunks).toString()));
  }

  /** Every byte on the disk and as the server has it, or an error and no file. */
  async #fetch({ sha256, size }: { sha256: string; size: number }): Promise<string> {
    await mkdir(this.#files.downloads, { recursive: true });
    const path = join(this.#files.downloads, sha256);
    const reply = await this.#needs.get(`/api/updates/files/${sha256}`, {}, AbortSignal.timeout(FETCH_LIMIT_MS));
    if (reply.status !== 200) throw new Error(`the server answered ${reply.status}`);
    const file = await open(path, 'w', 0o600);
    const hash = createHash('sha256');
    let taken = 0;
    try {
      for await (const chunk of reply.body) {
        taken += chunk.length;
        if (taken > size) break;
        hash.update(chunk);
        await file.write(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (taken === size && hash.digest('hex') === sha256) return path;
    await rm(path, { force: true });
    throw new Error('the new version did not arrive as a whole');
  }

  #lookLater(): void {
    this.#undo = this.#needs.time.after(LOOK_EVERY_MS, () => void this.#look());
  }

  /** Well is: the page paints, and the server knows this screen. */
  async #look(): Promise<void> {
    const { version, log } = this.#needs;
    try {
      if (this.#isShowing && (await this.#offer())) {
        const state: UpdateState = healthy(this.#files.read(), version);
        await this.#files.write(state);
        await this.#files.clean(state);
        log.info(`version ${version} has come up and stays`);
        return;
      }
    } catch {
      // Not connected yet.
    }
    if (!this.#stopped) this.#lookLater();
  }
}

const plain = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'ENOSPC' ? 'the disk is full' : (message ?? String(error)).slice(0, 500);
};

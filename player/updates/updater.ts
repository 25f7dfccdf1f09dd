/**
 * Installs a new version on command: downloads the offered file if its publisher has signed it, checks it, prepares it,
 * and restarts the program. The new version reports when it is healthy; until then the launcher may return to the
 * previous version.
 */
import { mkdir, open, rm } from 'node:fs/promises';
import { UpdateOffer } from '../../shared/contract/server/updates.ts';
import { compareVersions, healthy, staged, type UpdateState } from '../../shared/desktop/update-state.ts';
import type { ReleaseKind, ReleasePlatform, VerifyText } from '../../shared/protocol/releases/release-signature.ts';
import { jsonOrUndefined } from '../core/files/documents.ts';
import type { Log, Outcome, Updater as Port, Reply, Time, Undo } from '../core/ports.ts';
import { measure } from './manifest.ts';
import { type Offered, whyNot } from './offer-check.ts';
import { unpack } from './unpack.ts';
import { UpdateFiles } from './update-files.ts';

/** Delay of the restart, so that the result of the command is sent before the program ends. */
const RESTART_AFTER_MS = 2_000;
const LOOK_EVERY_MS = 3_000;
const ASK_LIMIT_MS = 15_000;
/** Size limit of an offer. An offer describes one file. */
const MAX_OFFER_BYTES = 64 * 1024;
/** Time limit of the whole download. An interrupted download starts again with the next command. */
const FETCH_LIMIT_MS = 3_600_000;
/** Maximum number of characters of a requested version that are shown in an error message. */
const SHOWN_VERSION = 64;

const DEVELOPMENT =
  'this player is a development build, which no publisher has signed: it takes no updates and is installed anew';

/** Size and hash of a file, both confirmed by the publisher's signature. */
type Measures = Pick<Offered['file'], 'size' | 'sha256'>;

interface Deps {
  readonly folder: string;
  /** Version of this program. */
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Public keys of the publisher, built into this program; empty: a development build. */
  readonly keys: readonly string[];
  readonly verify: VerifyText;
  /** GET from the server with the credential of this screen. */
  readonly get: (path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Reply>;
  /** Ends this program so that the launcher starts the prepared version. */
  readonly restart: () => void;
  readonly time: Time;
  readonly log: Log;
  /** @default unpack */
  readonly unpack?: (file: string, kind: ReleaseKind, into: string) => Promise<void>;
}

const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, ReleasePlatform>>> = {
  linux: 'linux',
  win32: 'win',
  darwin: 'mac',
};

export class Updater implements Port {
  readonly #deps: Deps;
  readonly #files: UpdateFiles;
  #undo: Undo | undefined;
  #running: Promise<Outcome> | undefined;
  #isShowing = false;
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#files = new UpdateFiles(deps.folder, deps.log);
  }

  get refusal(): string | null {
    return this.#deps.keys.length > 0 ? null : DEVELOPMENT;
  }

  /** Starts the health checks if this version is on trial. */
  start(): void {
    void this.#files.read().then(({ trial }) => {
      if (trial?.version === this.#deps.version && !this.#stopped) this.#lookLater();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#undo?.();
  }

  /** Called when the page of the screen paints. */
  showing(): void {
    this.#isShowing = true;
  }

  /** Carries out the `update` command. @param version null: any offered version */
  update(version: string | null): Promise<Outcome> {
    this.#running ??= this.#update(version)
      .catch((error): Outcome => ({ status: 'failed', error: plain(error) }))
      .finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #update(version: string | null): Promise<Outcome> {
    const { version: own, log } = this.#deps;
    if (version === own) return { status: 'done' };
    const { refusal } = this;
    if (refusal !== null) return { status: 'unsupported', error: refusal };
    const { update } = await this.#offer();
    if (!update) return { status: 'failed', error: 'the server offers no version for this machine' };
    if (version !== null && update.version !== version)
      return { status: 'failed', error: `the server offers ${update.version}, not ${version.slice(0, SHOWN_VERSION)}` };
    if (update.version === own) return { status: 'done' };
    if (compareVersions(update.version, own) < 0)
      return { status: 'failed', error: `this screen runs ${own}, which is newer than ${update.version}` };
    const unsigned = this.#whyNot(update);
    if (unsigned !== undefined) return { status: 'failed', error: unsigned };
    log.info(`taking in version ${update.version}`);
    if (!(await this.#files.isPlaced(update.version, update.file.sha256))) await this.#layReady(update);
    if (!this.#files.program(update.version, this.#deps.platform))
      return { status: 'failed', error: `version ${update.version} holds no program for this machine` };
    await this.#files.write(staged(await this.#files.read(), update.version));
    log.info(`version ${update.version} lies ready: starting anew`);
    this.#undo = this.#deps.time.after(RESTART_AFTER_MS, () => this.#deps.restart());
    return { status: 'done' };
  }

  #whyNot(update: Offered): string | undefined {
    const { platform, arch, keys, verify } = this.#deps;
    return whyNot(update, { platform: PLATFORMS[platform], arch, keys, verify });
  }

  async #offer(): Promise<UpdateOffer> {
    const { platform, arch, get } = this.#deps;
    const reply = await get(
      `/api/updates/offer?platform=${PLATFORMS[platform] ?? ''}&arch=${arch}`,
      {},
      AbortSignal.timeout(ASK_LIMIT_MS),
    );
    const chunks: Uint8Array[] = [];
    let taken = 0;
    for await (const chunk of reply.body) {
      taken += chunk.length;
      if (taken > MAX_OFFER_BYTES) throw new Error('the server’s offer is longer than an offer can be');
      chunks.push(chunk);
    }
    if (reply.status !== 200) throw new Error(`the server answered ${reply.status}`);
    const offer = UpdateOffer.safeParse(jsonOrUndefined(Buffer.concat(chunks).toString()));
    if (offer.success) return offer.data;
    const [issue] = offer.error.issues;
    throw new Error(
      `the server’s offer is none that can be taken: ${issue?.path.join('.') || 'it'} ${issue?.message ?? ''}`,
    );
  }

  /** Unpacks the version into its final folder. If this fails, throws and leaves no files behind. */
  async #layReady(update: Offered): Promise<void> {
    const file = this.#files.download(update.file.sha256);
    const fresh = this.#files.unpacked(update.version);
    try {
      await this.#fetch(update.file, file);
      // The check proves that the unpacked bytes are exactly the signed bytes.
      const { size, sha256 } = await measure(file);
      if (size !== update.file.size || sha256 !== update.file.sha256)
        throw new Error('the new version did not arrive as a whole');
      await rm(fresh, { recursive: true, force: true });
      await (this.#deps.unpack ?? unpack)(file, update.file.kind, fresh);
      await this.#files.place(update.version, fresh, update.file.sha256);
    } finally {
      await rm(file, { force: true });
      await rm(fresh, { recursive: true, force: true });
    }
  }

  /** Writes the received bytes to disk, limited to about the announced size. */
  async #fetch({ sha256, size }: Measures, path: string): Promise<void> {
    await mkdir(this.#files.downloads, { recursive: true });
    const reply = await this.#deps.get(`/api/updates/files/${sha256}`, {}, AbortSignal.timeout(FETCH_LIMIT_MS));
    if (reply.status !== 200) throw new Error(`the server answered ${reply.status}`);
    const file = await open(path, 'w', 0o600);
    let taken = 0;
    try {
      for await (const chunk of reply.body) {
        taken += chunk.length;
        if (taken > size) break;
        await file.writeFile(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
  }

  #lookLater(): void {
    this.#undo = this.#deps.time.after(LOOK_EVERY_MS, () => void this.#look());
  }

  /** Confirms the version once the page paints and the server accepts this screen. */
  async #look(): Promise<void> {
    const { version, log } = this.#deps;
    try {
      if (this.#isShowing && (await this.#offer())) {
        const state: UpdateState = healthy(await this.#files.read(), version);
        await this.#files.write(state);
        await this.#files.clean(state);
        log.info(`version ${version} has come up and stays`);
        return;
      }
    } catch {
      // The server is not connected yet.
    }
    if (!this.#stopped) this.#lookLater();
  }
}

const plain = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'ENOSPC' ? 'the disk is full' : (message ?? String(error)).slice(0, 500);
};

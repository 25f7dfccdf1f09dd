/**
 * The updates' folder: `state.json` and its copy, `downloads/`, and `versions/<version>/` with each version's program.
 * A cut of the power at any instant leaves it so that a whole version runs: whatever gets a name is on the disk before,
 * and the name is before anything counts on it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { NOTHING_YET, needed, UpdateState } from '../../shared/desktop/update-state.ts';
import { FileDocuments, syncFolder } from '../agent/files.ts';
import { jsonOrUndefined } from '../core/documents.ts';
import type { Log } from '../core/ports.ts';
import { TwoCopies } from '../core/two-copies.ts';
import { damageOf, isWholeOf, seal } from './manifest.ts';

/**
 * What path functions take for a part of a name, and Windows does not: drives and streams, its own separator, an end
 * that it cuts off.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const NOT_A_NAME = /[:\\\u0000-\u001f]|[. ]$/;

/** To put a version where another screen of this computer puts the same one. */
const MAX_TRIES = 5;
/** A folder cannot get a name that another has, in the words of each system. */
const IS_TAKEN: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES']);

const isState = (text: string): boolean => UpdateState.safeParse(jsonOrUndefined(text)).success;
const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} };

export class UpdateFiles {
  readonly folder: string;
  readonly #documents: TwoCopies;
  /** Two screens of one computer may be told to take the same version in at once. */
  readonly #run = randomBytes(4).toString('hex');

  constructor(folder: string, log: Log = SILENT) {
    this.folder = folder;
    const crypto = { sha256: (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex') };
    // Nothing is looked after by time: launcher and agents both write here.
    this.#documents = new TwoCopies({
      documents: new FileDocuments(folder, this.#run),
      crypto,
      time: { after: () => () => {} },
      log,
    });
  }

  get downloads(): string {
    return this.#path('downloads');
  }

  /** Where a release's file is fetched to. @param sha256 of the offer */
  download(sha256: string): string {
    return this.#path('downloads', `${this.#named(sha256)}.${this.#run}`);
  }

  /** Where a version is unpacked, before it is put in its place. */
  unpacked(version: string): string {
    return this.#path('downloads', `${this.#named(version)}.${this.#run}.unpacked`);
  }

  versionFolder(version: string): string {
    return this.#path('versions', version);
  }

  /** What cannot be read is as if there were none: the installed program runs. */
  async read(): Promise<UpdateState> {
    try {
      const text = await this.#documents.read('state', isState);
      return text === undefined ? NOTHING_YET : UpdateState.parse(JSON.parse(text));
    } catch {
      return NOTHING_YET;
    }
  }

  async write(state: UpdateState): Promise<void> {
    await this.#makeFolder();
    await this.#documents.write('state', JSON.stringify(state));
  }

  /** The program of a version; undefined: there is none. */
  program(version: string, platform: NodeJS.Platform = process.platform): string | undefined {
    const top = this.versionFolder(version);
    if (!existsSync(top)) return undefined;
    const inner = readdirSync(top, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !entry.name.endsWith('.app'),
    );
    const names =
      platform === 'win32'
        ? ['Vitrine.exe']
        : platform === 'darwin'
          ? ['Vitrine.app/Contents/MacOS/Vitrine']
          : ['vitrine', 'Vitrine.AppImage'];
    // An archive may hold one folder with everything in it.
    return [top, ...inner.map((entry) => join(top, entry.name))]
      .flatMap((folder) => names.map((name) => join(folder, name)))
      .find((path) => existsSync(path));
  }

  /** Puts an unpacked version in its place, whole. @param release SHA-256 of the file that it was unpacked from */
  async place(version: string, unpacked: string, release: string): Promise<void> {
    const target = this.versionFolder(version);
    await seal(unpacked, release);
    await this.#makeFolder('versions');
    for (let tries = 1; ; tries++) {
      // By another screen of this computer, which may be about to start it.
      if (await this.isPlaced(version, release)) return;
      try {
        await rename(unpacked, target);
        break;
      } catch (error) {
        if (tries === MAX_TRIES || !IS_TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        // Something damaged, or the other screen was quicker by less than a step.
        if (!(await this.isPlaced(version, release))) await this.#moveAside(version);
      }
    }
    // The last: of the updates' folder itself, which may be as new as the rest.
    for (const folder of [dirname(target), dirname(unpacked), this.folder, dirname(this.folder)])
      await syncFolder(folder);
  }

  /** Renames the folder before it is removed, so that another screen cannot put its own there meanwhile. */
  async #moveAside(version: string): Promise<void> {
    const aside = this.#path('downloads', `${this.#named(version)}.${this.#run}.old`);
    await rm(aside, { recursive: true, force: true });
    const isMoved = await rename(this.versionFolder(version), aside).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false;
        throw error;
      },
    );
    if (isMoved) await rm(aside, { recursive: true, force: true });
  }

  /**
   * Whether the version lies there, of this very release: another screen of this computer has laid it, or this one
   * before it was cut off.
   */
  isPlaced(version: string, release: string): Promise<boolean> {
    return isWholeOf(this.versionFolder(version), release);
  }

  /** Why a version cannot be started; undefined: it can. */
  damage(version: string, how: { readonly byBytes: boolean }): Promise<string | undefined> {
    return damageOf(this.versionFolder(version), how);
  }

  /** Removes what neither runs nor may have to. Best effort: Windows keeps a program that runs. */
  async clean(state: UpdateState): Promise<void> {
    const wanted = needed(state);
    // Of programs that were cut off.
    for (const name of await readdir(this.folder).catch(() => []))
      if (name.endsWith('.tmp')) await rm(this.#path(name), { force: true }).catch(() => {});
    await rm(this.downloads, { recursive: true, force: true }).catch(() => {});
    const versions = await readdir(this.#path('versions')).catch(() => []);
    const remove = async (version: string) => rm(this.versionFolder(version), { recursive: true, force: true });
    for (const version of versions) if (!wanted.has(version)) await remove(version).catch(() => {});
  }

  /** With its name on the disk, and those of the folders above it that were made. */
  async #makeFolder(...names: readonly string[]): Promise<void> {
    const first = await mkdir(join(this.folder, ...names), { recursive: true });
    if (first === undefined) return;
    for (
      let path = join(this.folder, ...names);
      path !== dirname(first) && path !== dirname(path);
      path = dirname(path)
    )
      await syncFolder(dirname(path));
  }

  /** Checks a name before something is added to it. */
  #named(name: string): string {
    return basename(this.#path('downloads', name));
  }

  /**
   * The one place where paths are made of versions and hashes, which come from a server and from a file. Their formats
   * know no path; should one be let through all the same, this is where it ends.
   * @throws Error when the last name would be elsewhere than right below the others
   */
  #path(...names: readonly string[]): string {
    const path = resolve(this.folder, ...names);
    const [folder, name] = [resolve(this.folder, ...names.slice(0, -1)), names.at(-1)!];
    if (dirname(path) !== folder || basename(path) !== name || NOT_A_NAME.test(name))
      throw new Error('that would lie outside of the updates’ folder');
    return path;
  }
}

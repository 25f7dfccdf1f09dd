/**
 * The folder of updates: `state.json` and its copy, `downloads/`, and `versions/<version>/` with the program of each
 * version. After a power cut at any instant a complete version runs: content is on disk before it gets its name, and
 * the name is on disk before anything depends on it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { NOTHING_YET, needed, UpdateState } from '../../shared/desktop/update-state.ts';
import { FileDocuments, syncFolder } from '../agent/files/files.ts';
import { TwoCopies } from '../core/connection/two-copies.ts';
import { jsonOrUndefined } from '../core/files/documents.ts';
import type { Log } from '../core/ports.ts';
import { damageOf, isWholeOf, seal } from './manifest.ts';

/**
 * Pattern of parts of names that Node's path functions accept but that are special on Windows: drives and streams, its
 * own separator, trailing characters that Windows cuts off.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const NOT_A_NAME = /[:\\\u0000-\u001f]|[. ]$/;

/**
 * Maximum number of attempts to move a version to its final folder, while another screen of this computer does the
 * same.
 */
const MAX_TRIES = 5;
/** Error codes of the operating systems for renaming a folder to the name of an existing folder. */
const IS_TAKEN: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES']);

const isState = (text: string): boolean => UpdateState.safeParse(jsonOrUndefined(text)).success;
const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} };

export class UpdateFiles {
  readonly folder: string;
  readonly #documents: TwoCopies;
  /**
   * Random id of this run for names of temporary files, because two screens of one computer may install the same
   * version at once.
   */
  readonly #run = randomBytes(4).toString('hex');

  constructor(folder: string, log: Log = SILENT) {
    this.folder = folder;
    const crypto = { sha256: (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex') };
    // The copies of the state are not checked periodically, because launcher and agents both write here.
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

  /** Returns the path for the download of a release. @param sha256 of the offer */
  download(sha256: string): string {
    return this.#path('downloads', `${this.#named(sha256)}.${this.#run}`);
  }

  /** Returns the folder in which a version is unpacked before it is moved to its final place. */
  unpacked(version: string): string {
    return this.#path('downloads', `${this.#named(version)}.${this.#run}.unpacked`);
  }

  versionFolder(version: string): string {
    return this.#path('versions', version);
  }

  /** Reads the state. An unreadable state counts as empty: the installed program runs. */
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

  /** Returns the path of the program of a version; undefined if there is no program. */
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
    // If an archive contains a single folder with everything in it, the program is in that folder.
    return [top, ...inner.map((entry) => join(top, entry.name))]
      .flatMap((folder) => names.map((name) => join(folder, name)))
      .find((path) => existsSync(path));
  }

  /** Moves an unpacked version to its final folder in one step. @param release SHA-256 of its file */
  async place(version: string, unpacked: string, release: string): Promise<void> {
    const target = this.versionFolder(version);
    await seal(unpacked, release);
    await this.#makeFolder('versions');
    for (let tries = 1; ; tries++) {
      // Another screen of this computer may have placed the same version, and may be about to start it, so that folder
      // stays.
      if (await this.isPlaced(version, release)) return;
      try {
        await rename(unpacked, target);
        break;
      } catch (error) {
        if (tries === MAX_TRIES || !IS_TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        // The final folder exists: it is damaged, or another screen has placed this version a moment earlier.
        if (!(await this.isPlaced(version, release))) await this.#moveAside(version);
      }
    }
    // Syncs the updates folder itself last, because it may be new as well.
    for (const folder of [dirname(target), dirname(unpacked), this.folder, dirname(this.folder)])
      await syncFolder(folder);
  }

  /**
   * Renames the folder before removing it, so that another screen cannot place its own version there in the meantime.
   */
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
   * Returns whether the version of this release is already in its final folder. Another screen of this computer, or
   * this screen before an interruption, may have placed it there.
   */
  isPlaced(version: string, release: string): Promise<boolean> {
    return isWholeOf(this.versionFolder(version), release);
  }

  /** Returns the reason why a version cannot be started; undefined if it can be started. */
  damage(version: string, how: { readonly byBytes: boolean }): Promise<string | undefined> {
    return damageOf(this.versionFolder(version), how);
  }

  /** Removes files that are neither in use nor needed later. Best effort: Windows does not delete a running program. */
  async clean(state: UpdateState): Promise<void> {
    const wanted = needed(state);
    // Files that interrupted programs left behind.
    for (const name of await readdir(this.folder).catch(() => []))
      if (name.endsWith('.tmp')) await rm(this.#path(name), { force: true }).catch(() => {});
    await rm(this.downloads, { recursive: true, force: true }).catch(() => {});
    const versions = await readdir(this.#path('versions')).catch(() => []);
    const remove = async (version: string) => rm(this.versionFolder(version), { recursive: true, force: true });
    for (const version of versions) if (!wanted.has(version)) await remove(version).catch(() => {});
  }

  /** Creates a folder, and syncs its name and the names of all created parent folders to disk. */
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

  /** Checks the name before a suffix is added to it. */
  #named(name: string): string {
    return basename(this.#path('downloads', name));
  }

  /**
   * The only place that makes paths from versions and hashes, which come from a server or a file. Their formats exclude
   * paths; this check is the last protection.
   * @throws Error if the last name would not be directly below the other names
   */
  #path(...names: readonly string[]): string {
    const path = resolve(this.folder, ...names);
    const [folder, name] = [resolve(this.folder, ...names.slice(0, -1)), names.at(-1)!];
    if (dirname(path) !== folder || basename(path) !== name || NOT_A_NAME.test(name))
      throw new Error('that would lie outside of the updates’ folder');
    return path;
  }
}

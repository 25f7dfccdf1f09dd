/** The updates' folder: `state.json`, `downloads/`, and `versions/<version>/` with each version's program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { writeAtomically } from '../agent/files.ts';
import { NOTHING_YET, needed, UpdateState } from './update-state.ts';

/** What path functions take for a part of a name, and Windows does not: drives and streams, its own separator, an end that it cuts off. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const NOT_A_NAME = /[:\\\u0000-\u001f]|[. ]$/;

export class UpdateFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  get downloads(): string {
    return this.#path('downloads');
  }

  /** Where a release's file is fetched to. @param sha256 of the offer */
  download(sha256: string): string {
    return this.#path('downloads', sha256);
  }

  /** Where a version is unpacked, before it is put in its place. */
  unpacked(version: string): string {
    return this.#path('downloads', `${version}.unpacked`);
  }

  versionFolder(version: string): string {
    return this.#path('versions', version);
  }

  /** What cannot be read is as if there were none: the installed program runs. */
  read(): UpdateState {
    try {
      return UpdateState.parse(JSON.parse(readFileSync(this.#path('state.json'), 'utf8')));
    } catch {
      return NOTHING_YET;
    }
  }

  async write(state: UpdateState): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await writeAtomically(this.#path('state.json'), `${JSON.stringify(state)}\n`);
  }

  /** The program of a version; undefined: there is none. */
  program(version: string, platform: NodeJS.Platform = process.platform): string | undefined {
    const top = this.versionFolder(version);
    if (!existsSync(top)) return undefined;
    const inner = readdirSync(top, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !entry.name.endsWith('.app'));
    const names = platform === 'win32' ? ['Vitrine.exe'] : platform === 'darwin' ? ['Vitrine.app/Contents/MacOS/Vitrine'] : ['vitrine', 'Vitrine.AppImage'];
    // An archive may hold one folder with everything in it.
    return [top, ...inner.map((entry) => join(top, entry.name))].flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  }

  /** Puts an unpacked version in its place, whole. */
  async place(version: string, unpacked: string): Promise<void> {
    const target = this.versionFolder(version);
    await rm(target, { recursive: true, force: true });
    await mkdir(this.#path('versions'), { recursive: true });
    await rename(unpacked, target);
  }

  /** Removes what neither runs nor may have to. Best effort: Windows keeps a program that runs. */
  async clean(state: UpdateState): Promise<void> {
    const wanted = needed(state);
    await rm(this.downloads, { recursive: true, force: true }).catch(() => {});
    const versions = await readdir(this.#path('versions')).catch(() => []);
    const remove = async (version: string) => rm(this.versionFolder(version), { recursive: true, force: true });
    for (const version of versions) if (!wanted.has(version)) await remove(version).catch(() => {});
  }

  /**
   * The one place where paths are made of versions and hashes, which come from a server and from a file. Their formats know no
   * path; should one be let through all the same, this is where it ends.
   * @throws Error when the last name would be elsewhere than right below the others
   */
  #path(...names: readonly string[]): string {
    const path = resolve(this.folder, ...names);
    const [folder, name] = [resolve(this.folder, ...names.slice(0, -1)), names.at(-1)!];
    if (dirname(path) !== folder || basename(path) !== name || NOT_A_NAME.test(name)) throw new Error('that would lie outside of the updates’ folder');
    return path;
  }
}

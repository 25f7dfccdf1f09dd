/** The updates' folder: `state.json`, `downloads/`, and `versions/<version>/` with each version's program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../agent/files.ts';
import { NOTHING_YET, needed, UpdateState } from './update-state.ts';

export class UpdateFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  get downloads(): string {
    return join(this.folder, 'downloads');
  }

  /** @param version from a parsed state or offer: never a path */
  versionFolder(version: string): string {
    return join(this.folder, 'versions', version);
  }

  /** What cannot be read is as if there were none: the installed program runs. */
  read(): UpdateState {
    try {
      return UpdateState.parse(JSON.parse(readFileSync(join(this.folder, 'state.json'), 'utf8')));
    } catch {
      return NOTHING_YET;
    }
  }

  async write(state: UpdateState): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await writeAtomically(join(this.folder, 'state.json'), `${JSON.stringify(state)}\n`);
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
    await mkdir(join(this.folder, 'versions'), { recursive: true });
    await rename(unpacked, target);
  }

  /** Removes what neither runs nor may have to. Best effort: Windows keeps a program that runs. */
  async clean(state: UpdateState): Promise<void> {
    const wanted = needed(state);
    await rm(this.downloads, { recursive: true, force: true }).catch(() => {});
    const versions = await readdir(join(this.folder, 'versions')).catch(() => []);
    for (const version of versions) if (!wanted.has(version)) await rm(this.versionFolder(version), { recursive: true, force: true }).catch(() => {});
  }
}

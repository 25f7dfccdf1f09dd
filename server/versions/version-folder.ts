/**
 * Stores versions newer than the installed one in `programs/` of the data folder: `state.json` says which version runs,
 * `update.json` the result of the last update, and `versions/<version>/` contains the programs. A power cut at any
 * moment leaves a complete version to run: contents are synced before they get their final name, and names are synced
 * before anything depends on them.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { lstat, open, readdir, readlink, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { NOTHING_YET, needed, UpdateState } from '../../shared/desktop/update-state.ts';
import { damageIn, SEAL, VersionSeal } from '../../shared/desktop/version-seal.ts';
import { ReleaseVersion } from '../../shared/protocol/releases/release-signature.ts';
import { readStored, syncFolder, writeWhole } from '../kernel/disk/durable.ts';
import { programsFolder } from './programs-folder.ts';

/** Result of the newest update. */
const UpdateRecord = z.object({
  version: ReleaseVersion,
  /** The version that ran before the update. */
  from: z.string(),
  /** Time of the update request in epoch milliseconds, and the person who requested it. */
  at: z.number(),
  by: z.string(),
  /** Full path of the backup from before the update. */
  backup: z.string(),
  /**
   * State of the update. `trying`: on trial. `failed`: the previous version runs again. `returning`: a person wants the
   * previous version, which has not started yet.
   */
  status: z.enum(['trying', 'done', 'failed', 'returning', 'returned']),
  /** Reason of a failure, as a sentence. */
  reason: z.string().nullable(),
  /** Whether the backup was restored, because the previous version could not read the newer database. */
  restored: z.boolean(),
});
export type UpdateRecord = z.infer<typeof UpdateRecord>;

/** Paths of a version's program. */
export interface VersionProgram {
  readonly node: string;
  readonly main: string;
  /** Folder with package.json, server/ and dist/. */
  readonly root: string;
}

/**
 * Time in milliseconds for which a person can return to the previous version, and for which the backup from before the
 * update is kept.
 */
export const UPDATE_WAY_BACK_MS = 30 * 86_400_000;

const STATE = 'state.json';
const RECORD = 'update.json';
const UNPACKING = 'unpacking';

/** Returns the result of the newest update; undefined when there was none. */
export const updateRecordOf = (data: string): UpdateRecord | undefined =>
  readStored(join(programsFolder(data), RECORD), UpdateRecord);

export class VersionFolder {
  readonly folder: string;

  constructor(data: string) {
    this.folder = programsFolder(data);
  }

  /** Folder in which a release is unpacked before it is moved to its final folder. */
  get unpacking(): string {
    return join(this.folder, UNPACKING);
  }

  /** Returns the state. An unreadable file counts as missing; then the installed version runs. */
  read(): UpdateState {
    return readStored(join(this.folder, STATE), UpdateState) ?? NOTHING_YET;
  }

  write(state: UpdateState): void {
    this.#make();
    writeWhole(join(this.folder, STATE), JSON.stringify(UpdateState.parse(state)));
  }

  record(): UpdateRecord | undefined {
    return updateRecordOf(dirname(this.folder));
  }

  writeRecord(record: UpdateRecord): void {
    this.#make();
    writeWhole(join(this.folder, RECORD), JSON.stringify(UpdateRecord.parse(record)));
  }

  #make(): void {
    if (mkdirSync(this.folder, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dirname(this.folder));
  }

  /** @throws ZodError for an invalid version; the only place that builds a path from a version */
  versionFolder(version: string): string {
    return join(this.folder, 'versions', ReleaseVersion.parse(version));
  }

  /** Returns the program of a version; undefined when the version does not exist. */
  program(version: string): VersionProgram | undefined {
    return programIn(this.versionFolder(version));
  }

  /** Moves an unpacked version to its final folder, atomically. @param release SHA-256 of the release file */
  async place(version: string, unpacked: string, release: string): Promise<void> {
    const found = await syncTree(unpacked, '');
    writeWhole(join(unpacked, SEAL), `${JSON.stringify({ format: 1, release, ...found } satisfies VersionSeal)}\n`);
    const target = this.versionFolder(version);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    await rm(target, { recursive: true, force: true });
    await rename(unpacked, target);
    for (const folder of [dirname(target), dirname(unpacked), this.folder, dirname(this.folder)]) syncFolder(folder);
  }

  /** Returns whether the version is in its final folder, byte for byte as unpacked from this release. */
  async isPlaced(version: string, release: string): Promise<boolean> {
    const folder = this.versionFolder(version);
    return (
      readStored(join(folder, SEAL), VersionSeal)?.release === release &&
      (await this.damage(version, { byBytes: true })) === undefined
    );
  }

  /** Returns the damage of a version, as a sentence for people; undefined when the version is intact. Never rejects. */
  damage(version: string, how: { readonly byBytes: boolean }): Promise<string | undefined> {
    const folder = this.versionFolder(version);
    return damageIn(
      readStored(join(folder, SEAL), VersionSeal),
      {
        sizeOf: async (path) => {
          const found = await lstat(join(folder, path));
          return found.isFile() ? found.size : undefined;
        },
        sha256Of: async (path) => (await measure(join(folder, path))).sha256,
        linkOf: (path) => readlink(join(folder, path)),
      },
      how,
    );
  }

  /** Removes versions that are no longer needed, as far as possible: Windows does not delete a running program. */
  async clean(): Promise<void> {
    const wanted = needed(this.read());
    const versions = join(this.folder, 'versions');
    const old = existsSync(versions) ? readdirSync(versions).filter((name) => !wanted.has(name)) : [];
    for (const path of [this.unpacking, join(this.folder, 'files'), ...old.map((name) => join(versions, name))])
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }

  /** Removes a partially unpacked release. */
  clearUnpacking(): void {
    rmSync(this.unpacking, { recursive: true, force: true });
  }
}

/** Returns the program of a version, in any layout of a package (Linux, Windows, macOS). */
export const programIn = (top: string): VersionProgram | undefined => {
  if (!existsSync(top)) return undefined;
  const inner = readdirSync(top, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(top, entry.name)] : [],
  );
  const resources = [top, ...inner]
    .flatMap((folder) => [join(folder, 'resources'), join(folder, 'Contents', 'Resources')])
    .find((folder) => existsSync(join(folder, 'vitrine', 'server', 'main.js')));
  if (resources === undefined) return undefined;
  const root = join(resources, 'vitrine');
  const node = join(resources, 'node', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(node) ? { root, node, main: join(root, 'server', 'main.js') } : undefined;
};

const Package = z.object({ version: z.string() });
export const versionIn = ({ root }: Pick<VersionProgram, 'root'>): string | undefined =>
  readStored(join(root, 'package.json'), Package)?.version;

const Journal = z.object({ entries: z.array(z.object({ when: z.number() })) });
/** Returns the newest migration of a version, in epoch milliseconds; undefined when it cannot be read. */
export const schemaIn = (root: string): number | undefined => {
  const journal = readStored(join(root, 'server', 'db', 'migrations', 'meta', '_journal.json'), Journal);
  return journal && Math.max(0, ...journal.entries.map(({ when }) => when));
};

/** Returns size and hash of a file on the disk. @param passed called with the number of bytes read */
export const measure = async (
  path: string,
  passed: (bytes: number) => void = () => {},
): Promise<{ readonly size: number; readonly sha256: string }> => {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    hash.update(chunk);
    passed(chunk.length);
  }
  return { size, sha256: hash.digest('hex') };
};

/** Syncs everything in a folder to the disk, each folder after its contents. */
const syncTree = async (top: string, inner: string): Promise<Pick<VersionSeal, 'files' | 'links'>> => {
  const [files, links]: [VersionSeal['files'], VersionSeal['links']] = [[], []];
  for (const entry of await readdir(join(top, inner), { withFileTypes: true })) {
    const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
    const whole = join(top, path);
    if (entry.isSymbolicLink()) links.push({ path, to: await readlink(whole) });
    else if (entry.isDirectory()) {
      const below = await syncTree(top, path);
      files.push(...below.files);
      links.push(...below.links);
    } else {
      // Opens the file for writing, because Windows syncs only such files.
      const file = await open(whole, process.platform === 'win32' ? 'r+' : 'r');
      await file.sync().finally(() => file.close());
      files.push({ path, ...(await measure(whole)) });
    }
  }
  syncFolder(join(top, inner));
  return { files, links };
};

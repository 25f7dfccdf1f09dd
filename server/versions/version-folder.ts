/**
 * Versions of the server that came after the installed one, `programs/` of the data folder: `state.json` says which
 * runs, `update.json` what became of the newest update, and `versions/<version>/` has each version's program. A cut of
 * the power at any instant leaves it so that a whole version runs: whatever gets a name is on the disk before, and the
 * name is before anything counts on it.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { lstat, open, readdir, readlink, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { NOTHING_YET, needed, UpdateState } from '../../shared/desktop/update-state.ts';
import { damageIn, SEAL, VersionSeal } from '../../shared/desktop/version-seal.ts';
import { ReleaseVersion } from '../../shared/protocol/release-signature.ts';
import { readStored, syncFolder, writeWhole } from '../kernel/durable.ts';
import { programsFolder } from './programs-folder.ts';

/** What became of the newest update that somebody asked for. */
const UpdateRecord = z.object({
  version: ReleaseVersion,
  /** That which ran before. */
  from: z.string(),
  /** When it was asked for, in epoch milliseconds, and by whom. */
  at: z.number(),
  by: z.string(),
  /** The whole path of the backup that was made before. */
  backup: z.string(),
  /**
   * `trying`: it is on trial. `failed`: the version before runs again. `returning`: somebody wants the one before, which
   * has not started yet.
   */
  status: z.enum(['trying', 'done', 'failed', 'returning', 'returned']),
  /** Why it failed, in a sentence. */
  reason: z.string().nullable(),
  /** Says that the backup was put in place again, since the version before does not understand what it left. */
  restored: z.boolean(),
});
export type UpdateRecord = z.infer<typeof UpdateRecord>;

/** What is started of a version. */
export interface VersionProgram {
  readonly node: string;
  readonly main: string;
  /** The folder with package.json, server/ and dist/. */
  readonly root: string;
}

/** For so long one can go back to the version before, and the backup from before the update is kept. */
export const UPDATE_WAY_BACK_MS = 30 * 86_400_000;

const STATE = 'state.json';
const RECORD = 'update.json';
const UNPACKING = 'unpacking';

/** Returns what became of the newest update; undefined: there was none. */
export const updateRecordOf = (data: string): UpdateRecord | undefined =>
  readStored(join(programsFolder(data), RECORD), UpdateRecord);

export class VersionFolder {
  readonly folder: string;

  constructor(data: string) {
    this.folder = programsFolder(data);
  }

  /** Where a release is unpacked before it gets its place. */
  get unpacking(): string {
    return join(this.folder, UNPACKING);
  }

  /** What cannot be read is as if there were none: the installed version runs. */
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

  /** @throws ZodError for what is no version: the one place where a path is made of one */
  versionFolder(version: string): string {
    return join(this.folder, 'versions', ReleaseVersion.parse(version));
  }

  /** Returns what is started of a version; undefined: there is nothing. */
  program(version: string): VersionProgram | undefined {
    return programIn(this.versionFolder(version));
  }

  /** Puts an unpacked version in its place, whole. @param release SHA-256 of the file that it was unpacked from */
  async place(version: string, unpacked: string, release: string): Promise<void> {
    const found = await syncTree(unpacked, '');
    writeWhole(join(unpacked, SEAL), `${JSON.stringify({ format: 1, release, ...found } satisfies VersionSeal)}\n`);
    const target = this.versionFolder(version);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    await rm(target, { recursive: true, force: true });
    await rename(unpacked, target);
    for (const folder of [dirname(target), dirname(unpacked), this.folder, dirname(this.folder)]) syncFolder(folder);
  }

  /** Says whether the version lies there as it was made of this release, every byte. */
  async isPlaced(version: string, release: string): Promise<boolean> {
    const folder = this.versionFolder(version);
    return (
      readStored(join(folder, SEAL), VersionSeal)?.release === release &&
      (await this.damage(version, { byBytes: true })) === undefined
    );
  }

  /** Returns what is wrong with a version, for people; undefined: nothing. Never rejects. */
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

  /** Removes what neither runs nor may have to. Best effort: Windows keeps a program that runs. */
  async clean(): Promise<void> {
    const wanted = needed(this.read());
    const versions = join(this.folder, 'versions');
    const old = existsSync(versions) ? readdirSync(versions).filter((name) => !wanted.has(name)) : [];
    for (const path of [this.unpacking, join(this.folder, 'files'), ...old.map((name) => join(versions, name))])
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }

  /** Removes half of an unpacked release at once. */
  clearUnpacking(): void {
    rmSync(this.unpacking, { recursive: true, force: true });
  }
}

/** Returns what is started of a version, wherever its package has it: on Linux and Windows, and on macOS. */
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
/** Returns that of a version's newest migration, in epoch milliseconds; undefined where it cannot be read. */
export const schemaIn = (root: string): number | undefined => {
  const journal = readStored(join(root, 'server', 'db', 'migrations', 'meta', '_journal.json'), Journal);
  return journal && Math.max(0, ...journal.entries.map(({ when }) => when));
};

/** Measures a file as it lies on the disk. @param passed hears of bytes that were read */
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

/** Brings all that is in a folder to the disk, a folder after what is in it. */
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
      // Windows brings to the disk only what may be written.
      const file = await open(whole, process.platform === 'win32' ? 'r+' : 'r');
      await file.sync().finally(() => file.close());
      files.push({ path, ...(await measure(whole)) });
    }
  }
  syncFolder(join(top, inner));
  return { files, links };
};

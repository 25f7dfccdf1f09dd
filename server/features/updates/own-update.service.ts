/**
 * Updates of the server itself: finds newer releases, unpacks them beside the running version, and offers the return to
 * the previous version. The launcher starts and watches a version (server/versions).
 */
import { existsSync, linkSync, mkdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ApiError, badRequest, conflict, notFound } from '../../../shared/contract/errors.ts';
import type { LastServerUpdate, Release, ServerUpdate, UpdateFile } from '../../../shared/contract/server/updates.ts';
import { broken, compareVersions, returned, staged } from '../../../shared/desktop/update-state.ts';
import { artefactOf } from '../../../shared/protocol/releases/release-format.ts';
import { isSignedBy } from '../../../shared/protocol/releases/release-signature.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import type { Actor, Doer } from '../../kernel/trust/actor.ts';
import { nodeVersionOf } from '../../versions/node-version.ts';
import type { Launcher } from '../../versions/programs-folder.ts';
import { unpack } from '../../versions/unpack.ts';
import {
  measure,
  programIn,
  schemaIn,
  UPDATE_WAY_BACK_MS,
  type UpdateRecord,
  VersionFolder,
  versionIn,
} from '../../versions/version-folder.ts';
import { commandFor, fileFor, type Installed, nodeFor, type Way, wayOf } from '../../versions/way.ts';
import type { ReleaseFiles } from './release-files.ts';
import { verifyText } from './signatures.ts';
import type { UpdatesService } from './updates.service.ts';

/** Maximum unpacked size of a release file, as a multiple of its size. */
const UNPACKED_TIMES = 4;
const NOT_STARTED = 'the version was not started';
/** Delay before the restart, so that the answer reaches the client first. */
const ANSWER_FIRST_MS = 300;

interface Backups {
  /** Makes a backup now. @throws ApiError */
  make(actor: Doer, how: { complete: boolean }): Promise<{ readonly name: string }>;
  /** Returns the full path of a backup. */
  pathOf(name: string): string;
}

interface Deps extends Pick<Parts, 'db' | 'clock' | 'log' | 'activity'> {
  readonly data: string;
  /** Running version. */
  readonly version: string;
  readonly installed: Installed;
  /** Launcher of the installed version, if it has started the running version. */
  readonly launcher: Launcher | undefined;
  readonly releases: Pick<UpdatesService, 'list'>;
  readonly files: Pick<ReleaseFiles, 'pathOf'>;
  readonly backups: Backups;
  readonly proof: {
    proofOf(actor: Actor): ServerUpdate['proof'];
    /** @throws ApiError 400, 401, 429 */
    requireProof(actor: Actor, password: string | undefined): Promise<void>;
  };
  /** Stops this server and starts the chosen version; undefined if no launcher would restart the server. */
  readonly relaunch: (() => void) | undefined;
}

/** A file of a release. The file itself may be missing on this server. */
export type HandedFile = Pick<UpdateFile, 'name' | 'size' | 'sha256' | 'signature'>;

type Work = NonNullable<ServerUpdate['work']>;

export class OwnUpdateService implements Lifecycle {
  readonly name = 'own-update';
  readonly #deps: Deps;
  readonly #folder: VersionFolder;
  readonly #way: Way;
  #work: Work | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#folder = new VersionFolder(deps.data);
    this.#way = wayOf(deps.installed);
  }

  /** Records the outcome of an interrupted update, and deletes files that are no longer needed. */
  start(): void {
    const { log, version } = this.#deps;
    try {
      const record = this.#folder.record();
      if (!record) return;
      const hasCome = record.version === version;
      if (record.status === 'returning' && !hasCome) this.#folder.writeRecord({ ...record, status: 'returned' });
      if (record.status === 'trying' && !hasCome) {
        // The program that started this server chooses no version, so the new version never ran. Records the update as
        // failed.
        this.#folder.write(broken(this.#folder.read(), record.version, NOT_STARTED));
        this.#folder.writeRecord({ ...record, status: 'failed', reason: NOT_STARTED });
      }
      if (!hasCome || record.status === 'done') void this.#folder.clean();
    } catch (error) {
      log.warn('What became of the last update could not be written down', { error });
    }
  }

  stop(): void {}

  state(actor: Actor): ServerUpdate {
    const { version, proof } = this.#deps;
    const way = this.#way;
    return {
      version,
      how: way.how,
      why: way.how === 'trial' ? null : way.why,
      command: way.how === 'none' ? way.command : null,
      offer: this.#offer(),
      work: this.#work ?? null,
      last: viewOf(this.#folder.record()),
      back: this.#back(),
      proof: proof.proofOf(actor),
    };
  }

  /**
   * Prepares a release and starts it. Returns the name of the backup that was made first.
   * @throws ApiError 400, 401, 404, 409, 507
   */
  async install(actor: Actor, releaseId: string, password: string | undefined): Promise<string> {
    const release = this.#deps.releases.list().find(({ id }) => id === releaseId);
    if (!release) throw notFound('Release');
    await this.#deps.proof.requireProof(actor, password);
    return this.#install(actor, release, this.fileOf(release));
  }

  /**
   * Does the same as `install`, for a person without a password on this server, if the people of this server have
   * allowed such updates.
   * @throws ApiError 400, 404, 409, 507
   */
  async installFor(actor: Doer, version: string): Promise<void> {
    const release = this.#deps.releases.list().find((one) => one.version === version);
    if (!release) throw notFound('Release');
    await this.#install(actor, release, this.fileOf(release));
  }

  /**
   * Returns the file of a release from which this server would be installed. The file itself may still be missing here.
   * @throws ApiError 409 if the release cannot be installed, or only with a command that a person types
   */
  fileOf<F extends HandedFile>(release: { readonly version: string; readonly files: readonly F[] }): F {
    const { version, relaunch, installed } = this.#deps;
    const way = this.#way;
    if (way.how === 'none') throw conflict(way.why);
    if (compareVersions(release.version, version) <= 0)
      throw conflict(`Version ${release.version} is not newer than the running version ${version}.`);
    const file = fileFor(release.files, way.kind, installed);
    if (way.how === 'command') {
      const typed = file && commandFor(way.kind, `./${file.name}`, installed);
      throw conflict(
        typed
          ? `${way.why} Download ${file.name} to the computer of the server, then enter this command there: ${typed}`
          : way.why,
      );
    }
    if (!relaunch)
      throw conflict(
        'This server was not started by a launcher, so nothing would restart it after the update. Start it with npm start or as a service.',
      );
    if (!file)
      throw conflict(`Version ${release.version} has no signed file for this server: ${this.#wanted(release)}.`);
    if (this.#work) throw conflict('Another version is being installed. Wait until the installation is finished.');
    return file;
  }

  /** Returns whether the publisher of this server has signed this file with this size and hash. */
  isSigned({ name, size, sha256, signature }: HandedFile): boolean {
    const artefact = artefactOf(name);
    return (
      artefact !== undefined &&
      isSignedBy(verifyText, this.#deps.installed.keys, { ...artefact, size, sha256 }, signature ?? '')
    );
  }

  /** @throws ApiError 507 without space to unpack the file, plus `more` bytes */
  async requireRoom({ size }: Pick<HandedFile, 'size'>, more = 0): Promise<void> {
    const { bavail, bsize } = await statfs(this.#deps.data);
    const needed = size * UNPACKED_TIMES + more;
    if (bavail * bsize < needed)
      throw new ApiError(
        507,
        `The disk has too little free space for unpacking: ${megabytes(needed)} MB are needed, ${megabytes(bavail * bsize)} MB are free.`,
      );
  }

  /** Returns the outcome of the last update; undefined: there was no update. */
  outcome(): UpdateRecord | undefined {
    return this.#folder.record();
  }

  async #install(actor: Doer, release: Release, file: UpdateFile): Promise<string> {
    const { version, backups, clock, log, db } = this.#deps;
    const relaunch = this.#deps.relaunch!;
    this.#work = { step: 'checking', done_bytes: 0, total_bytes: file.size };
    try {
      await this.#check(file);
      this.#work = { step: 'backup', done_bytes: 0, total_bytes: 0 };
      const { name } = await backups.make(actor, { complete: false });
      await this.#lay(release, file);
      this.#folder.writeRecord({
        version: release.version,
        from: version,
        at: clock.now(),
        by: actor.email,
        backup: backups.pathOf(name),
        status: 'trying',
        reason: null,
        restored: false,
      });
      this.#folder.write(staged(this.#folder.read(), release.version));
      this.#note(actor, 'server.update_begun', release.version);
      await db.durable();
      this.#work = { step: 'starting', done_bytes: 0, total_bytes: 0 };
      log.warn('another version of the server is started', { version: release.version, by: actor.email });
      setTimeout(relaunch, ANSWER_FIRST_MS);
      return name;
    } catch (error) {
      this.#work = undefined;
      throw error;
    }
  }

  /**
   * Starts the version from before the last update. Returns the name of the backup made now.
   * @throws ApiError 400, 401, 409
   */
  async goBack(actor: Actor, password: string | undefined): Promise<string> {
    const { proof, relaunch, backups, log, db } = this.#deps;
    await proof.requireProof(actor, password);
    const [back, record] = [this.#back(), this.#folder.record()];
    if (!back || !record || !relaunch) throw conflict('This server has no earlier version to return to.');
    if (back.backup !== null && !existsSync(record.backup))
      throw conflict(
        'The backup from before the update no longer exists. Without that backup the server cannot return to the earlier version, because the earlier version cannot read the current data.',
      );
    if (this.#work) throw conflict('Another version is being installed. Wait until the installation is finished.');
    this.#work = { step: 'backup', done_bytes: 0, total_bytes: 0 };
    try {
      const { name } = await backups.make(actor, { complete: false });
      this.#folder.writeRecord({ ...record, status: 'returning', by: actor.email });
      this.#folder.write(returned(this.#folder.read()));
      this.#note(actor, 'server.update_undone', back.version);
      await db.durable();
      this.#work = { step: 'starting', done_bytes: 0, total_bytes: 0 };
      log.warn('the version of the server from before is started', { version: back.version, by: actor.email });
      setTimeout(relaunch, ANSWER_FIRST_MS);
      return name;
    } catch (error) {
      this.#work = undefined;
      throw error;
    }
  }

  #offer(): ServerUpdate['offer'] {
    const { releases, version, installed } = this.#deps;
    const way = this.#way;
    if (way.how === 'none') return null;
    const [newest] = releases
      .list()
      .filter((release) => compareVersions(release.version, version) > 0)
      .toSorted((a, b) => compareVersions(b.version, a.version));
    if (!newest) return null;
    const file = fileFor(newest.files, way.kind, installed);
    return {
      release_id: newest.id,
      version: newest.version,
      notes: newest.notes,
      file: file?.name ?? null,
      wanted: this.#wanted(newest),
      command: way.how === 'command' && file ? commandFor(way.kind, this.#named(file), installed) : null,
    };
  }

  #wanted({ version }: Pick<Release, 'version'>): string {
    const { platform, arch } = this.#deps.installed;
    const kind = this.#way.how === 'none' ? 'zip' : this.#way.kind;
    const os = { linux: 'linux', win32: 'win', darwin: 'mac' }[platform as string] ?? platform;
    return `Vitrine-${version}-${os}-${kind === 'deb' && arch === 'x64' ? 'amd64' : arch}.${kind}`;
  }

  /**
   * Makes a link to a file of a release under the file's own name, because system programs recognise the type by the
   * name. Returns the path of the link.
   */
  #named({ name, sha256 }: UpdateFile): string {
    const folder = join(this.#folder.folder, 'files', sha256);
    const path = join(folder, name);
    if (existsSync(path)) return path;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      linkSync(this.#deps.files.pathOf(sha256), path);
    } catch (error) {
      this.#deps.log.warn('A file of a release could not be given its name', { file: name, error });
    }
    return path;
  }

  /** Verifies the file on disk against its signature, because the file will run with the rights of this server. */
  async #check(file: UpdateFile): Promise<void> {
    let done = 0;
    const { size, sha256 } = await measure(this.#deps.files.pathOf(file.sha256), (bytes) => {
      done += bytes;
      this.#work = { step: 'checking', done_bytes: done, total_bytes: file.size };
    });
    if (!this.isSigned({ ...file, size, sha256 }))
      throw badRequest(`${file.name} does not match the signature of this server’s publisher. Upload the file again.`);
    await this.requireRoom({ size });
  }

  async #lay({ version }: Release, file: UpdateFile): Promise<void> {
    const folder = this.#folder;
    if (await folder.isPlaced(version, file.sha256)) return;
    this.#work = { step: 'unpacking', done_bytes: 0, total_bytes: 0 };
    folder.clearUnpacking();
    try {
      await unpack(this.#deps.files.pathOf(file.sha256), folder.unpacking);
      await this.#requireFit(folder.unpacking, version);
      this.#work = { step: 'laying', done_bytes: 0, total_bytes: 0 };
      await folder.place(version, folder.unpacking, file.sha256);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new ApiError(500, `Version ${version} could not be unpacked: ${(error as Error).message}`);
    } finally {
      folder.clearUnpacking();
    }
  }

  /** @throws ApiError 409 if the version cannot be started here */
  async #requireFit(top: string, version: string): Promise<void> {
    const program = programIn(top);
    if (!program || versionIn(program) !== version)
      throw conflict(`Version ${version} contains no server for this computer.`);
    const its = { path: program.node, version: await nodeVersionOf(program.node) };
    const { platform } = this.#deps.installed;
    if (its.version === '') throw conflict(`Version ${version} does not run on this computer.`);
    if (nodeFor(platform, { path: process.execPath, version: process.version }, its) === undefined)
      throw conflict(
        `Version ${version} contains another Node, which the firewall of this computer does not allow yet. Install this version with its installer.`,
      );
  }

  #back(): ServerUpdate['back'] {
    const { version, clock, relaunch } = this.#deps;
    const record = this.#folder.record();
    const { current, previous } = this.#folder.read();
    if (!relaunch || record?.status !== 'done' || current !== version || record.version !== version) return null;
    const until = record.at + UPDATE_WAY_BACK_MS;
    if (clock.now() >= until) return null;
    const before = previous === null ? this.#deps.launcher?.root : this.#folder.program(previous)?.root;
    const [known, now] = [before, this.#folder.program(version)?.root].map((root) => root && schemaIn(root));
    if (known === undefined || now === undefined) return null;
    return {
      version: previous ?? this.#deps.launcher?.version ?? record.from,
      backup: now > known ? basename(record.backup) : null,
      until: Math.floor(until / 1000),
    };
  }

  #note(actor: Doer, action: 'server.update_begun' | 'server.update_undone', details: string): void {
    if (actor.workspaceId !== null) this.#deps.activity.add({ workspaceId: actor.workspaceId, actor, action, details });
  }
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024);

const viewOf = (record: UpdateRecord | undefined): LastServerUpdate | null =>
  record
    ? {
        version: record.version,
        from: record.from,
        at: Math.floor(record.at / 1000),
        by: record.by,
        status: record.status === 'returning' ? 'done' : record.status,
        reason: record.reason,
        backup: basename(record.backup),
        restored: record.restored ? 1 : 0,
      }
    : null;

/** Releases: taking them in, and what a screen is offered of them. */
import type { ActivityAction } from '../../../shared/contract/activity.ts';
import { badRequest, conflict, notFound } from '../../../shared/contract/errors.ts';
import type { Release, UpdateFile, UpdateOffer } from '../../../shared/contract/updates.ts';
import type { Database } from '../../db/database.ts';
import type { ActivityLog } from '../../kernel/activity.ts';
import type { Actor } from '../../kernel/actor.ts';
import { type Clock, seconds } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import { artefactOf, fileFor, updaterList } from './artefact.ts';
import type { ReleaseFiles, ReleaseWriter } from './release-files.ts';
import type { ReleaseRow, UpdatesStore } from './updates.store.ts';

/** The release that a screen's turn has come for (rollouts). */
export interface Turns {
  releaseFor(deviceId: string): string | undefined;
}

export class UpdatesService implements Lifecycle {
  readonly name = 'releases';
  readonly #db: Database;
  readonly #store: UpdatesStore;
  readonly #files: ReleaseFiles;
  readonly #clock: Clock;
  readonly #activity: ActivityLog;
  readonly #turns: Turns;

  constructor(deps: { db: Database; store: UpdatesStore; files: ReleaseFiles; clock: Clock; activity: ActivityLog; turns: Turns }) {
    this.#db = deps.db;
    this.#store = deps.store;
    this.#files = deps.files;
    this.#clock = deps.clock;
    this.#activity = deps.activity;
    this.#turns = deps.turns;
  }

  /** Files whose row is gone go; so do rows whose file is, as after the restore of a backup, which holds no releases. */
  start(): void {
    const hashes = this.#store.hashes();
    this.#files.sweep(new Set(hashes));
    const missing = hashes.filter((sha256) => !this.#files.has(sha256));
    if (missing.length > 0) this.#db.write(() => this.#store.dropFiles(missing));
  }

  stop(): void {}

  list(): Release[] {
    const screens = this.#store.screensByVersion();
    return this.#store.listReleases().map((row) => this.#view(row, screens.get(row.version) ?? 0));
  }

  openFile(expected: number): Promise<ReleaseWriter> {
    return this.#files.open(expected);
  }

  /** @param label what the client calls the file */
  async add(actor: Actor, label: string, writer: ReleaseWriter): Promise<Release> {
    const name = label.split(/[\\/]/).at(-1) ?? '';
    const artefact = artefactOf(name);
    if (!artefact) {
      await writer.abort();
      throw badRequest(`file: the name ${JSON.stringify(name.slice(0, 100))} does not say what it is; it must be as the build made it, like Vitrine-1.2.0-linux-x64.tar.gz`);
    }
    const { path, ...facts } = await writer.finish();
    const { version, ...rest } = artefact;
    const file: UpdateFile = { name, ...rest, ...facts };
    const known = this.#store.findVersion(version);
    const same = known && this.#store.files(known.id).find((each) => each.name === name);
    if (same && same.sha256 !== file.sha256 && this.#isInUse(known.id)) {
      this.#files.discard(path);
      throw conflict(`A rollout of ${version} is under way: its files cannot be changed`);
    }
    await this.#files.keep(path, file.sha256);
    const row: ReleaseRow = known ?? { id: newId(), version, created_at: seconds(this.#clock) };
    this.#db.write(() => {
      // Meanwhile somebody may have made or deleted it.
      const now = this.#store.findVersion(version);
      if (!now) this.#store.insertRelease(row);
      this.#store.putFile(now?.id ?? row.id, file);
      this.#record(actor, 'release.uploaded', `${version} ${name}`);
      if (same) this.#forget([same.sha256]);
    });
    const saved = this.#store.findVersion(version)!;
    return this.#view(saved, this.#store.screensByVersion().get(version) ?? 0);
  }

  delete(actor: Actor, id: string): void {
    const row = this.#store.findRelease(id);
    if (!row) throw notFound('Release');
    if (this.#isInUse(row.id)) throw conflict(`A rollout of ${row.version} is under way: abort it first`);
    this.#db.write(() => {
      const hashes = this.#store.files(row.id).map(({ sha256 }) => sha256);
      this.#store.deleteRelease(row.id);
      this.#record(actor, 'release.deleted', row.version);
      this.#forget(hashes);
    });
  }

  offer(deviceId: string, platform: string | undefined, arch: string | undefined): UpdateOffer {
    const release = this.#releaseFor(deviceId);
    const file = release && fileFor(this.#store.files(release.id), platform, arch);
    return { update: release && file ? { version: release.version, file } : null };
  }

  /** A file of the release that this screen may have. */
  fileFor(deviceId: string, is: (file: UpdateFile) => boolean): { readonly path: string; readonly file: UpdateFile } {
    const release = this.#releaseFor(deviceId);
    const file = release && this.#store.files(release.id).find(is);
    if (!file) throw notFound('File');
    return { path: this.#files.pathOf(file.sha256), file };
  }

  /** `latest*.yml`, as electron-updater reads it. */
  listFor(deviceId: string, list: string): string | undefined {
    const release = this.#releaseFor(deviceId);
    return release && updaterList(list, { ...release, files: this.#store.files(release.id) });
  }

  #releaseFor(deviceId: string): ReleaseRow | undefined {
    const id = this.#turns.releaseFor(deviceId);
    return id === undefined ? undefined : this.#store.findRelease(id);
  }

  #isInUse(releaseId: string): boolean {
    return this.#store.openRollout()?.release_id === releaseId;
  }

  /** Files go once no row has named them for good. */
  #forget(hashes: readonly string[]): void {
    this.#db.afterCommit(() => {
      const wanted = new Set(this.#store.hashes());
      for (const sha256 of hashes) if (!wanted.has(sha256)) this.#files.discard(this.#files.pathOf(sha256));
    });
  }

  #record(actor: Actor, action: ActivityAction, details: string): void {
    if (actor.workspaceId !== null) this.#activity.add({ workspaceId: actor.workspaceId, actor, action, details });
  }

  #view(row: ReleaseRow, screens: number): Release {
    return { ...row, files: this.#store.files(row.id), screens };
  }
}

/** Stores releases, and offers their files to screens. */

import { badRequest, conflict, notFound } from '../../../shared/contract/errors.ts';
import type { ActivityAction } from '../../../shared/contract/server/activity.ts';
import type { Release, UpdateFile, UpdateOffer } from '../../../shared/contract/server/updates.ts';
import {
  artefactOf,
  notesName,
  notesVersionOf,
  SIGNATURE_ENDING,
  UNSIGNED_MARK,
} from '../../../shared/protocol/releases/release-format.ts';
import {
  areNotesSignedBy,
  filesForScreens,
  isSignedBy,
  type ReleaseNotes,
} from '../../../shared/protocol/releases/release-signature.ts';
import { newId } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Parts } from '../../kernel/parts.ts';
import { seconds } from '../../kernel/time/clock.ts';
import type { Actor, Doer } from '../../kernel/trust/actor.ts';
import type { Aside } from '../../media/aside.ts';
import type { ReleaseFiles, ReleaseWriter } from './release-files.ts';
import type { RolloutsService } from './rollouts.service.ts';
import { NotesSink, parsedNotes, SignatureSink, signedName, verifyText } from './signatures.ts';
import type { ReleaseRow, UpdatesStore } from './updates.store.ts';

const LOOK_EVERY_MS = 3_600_000;

interface Deps extends Pick<Parts, 'db' | 'clock' | 'log' | 'activity'> {
  readonly store: UpdatesStore;
  readonly files: ReleaseFiles;
  readonly aside: Aside;
  readonly rollouts: Pick<RolloutsService, 'releaseFor'>;
  readonly keys: readonly string[];
}

export class UpdatesService implements Lifecycle {
  readonly name = 'releases';
  readonly #deps: Deps;
  #timer: NodeJS.Timeout | undefined;
  #needs: (version: string) => boolean = () => false;

  /**
   * @param deps.keys public keys of the publisher, built into the package of this server; empty on a development
   * server, which checks no signatures
   */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Checks files and rows at the start. Deletes nothing for good: files without a row are put aside. Rows are hidden
   * when their files are missing (a backup has no releases), or when their signatures are not of this server's
   * publisher (a server without keys accepts any signature).
   */
  start(): void {
    const { files, store } = this.#deps;
    this.#attempt(() => files.clearParts());
    this.#attempt(() => this.#bringBack());
    this.#attempt(() => this.#putAside());
    const named = store.named();
    const away = named.filter(({ sha256 }) => !files.has(sha256)).map(({ sha256 }) => sha256);
    store.hide({
      files: away,
      signatures: named.flatMap((file) =>
        file.signature === null || this.#isSigned(file, file.signature) ? [] : file.signature,
      ),
    });
    this.#timer = setInterval(() => void this.runDue(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#attempt(() => this.#deps.aside.count());
  }

  /**
   * Brings back files that were put aside and have a row again, and deletes files whose time limit is over. Never
   * rejects.
   */
  async runDue(): Promise<void> {
    this.#attempt(() => this.#bringBack());
    await this.#deps.aside.discard().catch((error: unknown) => this.#failed(error));
  }

  #bringBack(): void {
    const { store, aside, files, log } = this.#deps;
    const named = new Set(store.hashes());
    const count = aside.bringBack((sha256) => named.has(sha256));
    for (const sha256 of named) if (files.has(sha256)) store.show(sha256);
    if (count > 0) log.warn(`${count} release files that had been put aside came back: the database names them.`);
  }

  #putAside(): void {
    const named = new Set(this.#deps.store.hashes());
    const count = this.#deps.files
      .stored()
      .filter((sha256) => !named.has(sha256) && this.#deps.aside.put(sha256)).length;
    if (count > 0)
      this.#deps.log.warn(
        `${count} release files that no release names were put aside (updates-aside). They come back when they are named again, and go after a week.`,
      );
  }

  /**
   * Runs a step. Logs its error instead of throwing it, because the server and its screens must not wait for releases.
   */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#deps.log.warn('The files of releases could not be looked after', { error });
  }

  list(): Release[] {
    const screens = this.#deps.store.screensByVersion();
    return this.#deps.store.listReleases().map((row) => this.#view(row, screens.get(row.version) ?? 0));
  }

  /** @param label name that the client sends; @param expected bytes */
  async open(label: string, expected: number): Promise<ReleaseWriter | SignatureSink | NotesSink> {
    const name = nameIn(label);
    if (notesVersionOf(name) !== undefined) return new NotesSink();
    return signedName(name) === undefined ? this.#deps.files.open(expected) : new SignatureSink();
  }

  /** Adds a file that was completely written with the writer from {@link open}. */
  async add(actor: Doer, label: string, sink: ReleaseWriter | SignatureSink | NotesSink): Promise<Release> {
    const name = nameIn(label);
    if (sink instanceof NotesSink) return this.#note(actor, sink.notes());
    return sink instanceof SignatureSink
      ? this.#sign(actor, signedName(name) ?? name, sink.signature())
      : this.#add(actor, name, sink);
  }

  /**
   * Adds a file and its signature that did not come through the admin window, as if they had been uploaded.
   * @throws ApiError 400, 409, 507
   */
  async bring(
    actor: Doer,
    { name, size, signature }: { readonly name: string; readonly size: number; readonly signature: string },
    bytes: AsyncIterable<Buffer>,
  ): Promise<void> {
    const sink = await this.#deps.files.open(size);
    try {
      for await (const chunk of bytes) await sink.write(chunk);
    } catch (error) {
      await sink.abort();
      throw error;
    }
    await this.#add(actor, name, sink);
    this.#sign(actor, name, signature);
  }

  /** Adds the notes of a version. @throws ApiError 400, 409 */
  bringNotes(actor: Doer, notes: ReleaseNotes): void {
    this.#note(actor, notes);
  }

  /** Returns the notes that the publisher has signed; null: there are none. */
  signedNotes(version: string): ReleaseNotes | null {
    const found = parsedNotes(this.#deps.files.notes(version) ?? '');
    return found?.version === version && this.#areSigned(found) ? found : null;
  }

  /** Returns whether the file is on this server, under this name and signed. */
  has(version: string, { name, sha256 }: Pick<UpdateFile, 'name' | 'sha256'>): boolean {
    const { store, files } = this.#deps;
    const release = store.findVersion(version);
    const file = release && store.findFile(release.id, name);
    return file?.sha256 === sha256 && file.signature !== null && files.has(sha256);
  }

  /** Returns the path of a file. */
  pathOf(sha256: string): string {
    return this.#deps.files.pathOf(sha256);
  }

  /**
   * Prevents changes and deletion of releases that another feature needs. @param needs returns whether a version is
   * needed
   */
  protectFor(needs: (version: string) => boolean): void {
    this.#needs = needs;
  }

  async #add(actor: Doer, name: string, writer: ReleaseWriter): Promise<Release> {
    const { store, files, clock, db } = this.#deps;
    const artefact = artefactOf(name);
    if (!artefact) {
      await writer.abort();
      throw noArtefact(name);
    }
    const { path, ...facts } = await writer.finish();
    const { version, platform, arch, kind } = artefact;
    const file: UpdateFile = { name, platform, arch, kind, ...facts, signature: null };
    await files.store(path, file.sha256);
    // The release is checked only after the upload, because it may have been created, deleted or rolled out meanwhile.
    store.show(file.sha256);
    const known = store.findVersion(version);
    const before = known && store.findFile(known.id, name);
    if (before && before.sha256 !== file.sha256 && this.#isInUse(known)) {
      this.#discard([file.sha256]);
      throw conflict(
        `A rollout of ${version} is running, so the files of this version cannot be changed. Finish or abort the rollout first.`,
      );
    }
    const row: ReleaseRow = known ?? { id: newId(), version, created_at: seconds(clock) };
    db.write(() => {
      if (!known) store.insertRelease(row);
      // A signature belongs to certain bytes, so other bytes under the same name have no signature.
      store.putFile(row.id, before?.sha256 === file.sha256 ? { ...file, signature: before.signature } : file);
      this.#record(actor, 'release.uploaded', `${version} ${name}`);
      if (before) this.#forget([before.sha256]);
    });
    return this.#shown(version);
  }

  /** @param name of the file that the signature belongs to */
  #sign(actor: Doer, name: string, signature: string): Release {
    const { store, db } = this.#deps;
    const artefact = artefactOf(name);
    if (!artefact) throw noArtefact(name);
    const release = store.findVersion(artefact.version);
    const file = release && store.findFile(release.id, name);
    if (!file) throw conflict(`${name} is not on this server. Upload that file first, then its signature.`);
    if (!this.#isSigned(file, signature)) {
      throw badRequest(
        `file: this signature does not belong to the uploaded file ${name} and the publisher of this server; build the file and its signature again, then upload both unchanged`,
      );
    }
    db.write(() => {
      store.putFile(release.id, { ...file, signature });
      this.#record(actor, 'release.uploaded', `${release.version} ${name}${SIGNATURE_ENDING}`);
    });
    return this.#shown(release.version);
  }

  #note(actor: Doer, notes: ReleaseNotes): Release {
    const { store, db, files } = this.#deps;
    const release = store.findVersion(notes.version);
    if (!release)
      throw conflict(`Version ${notes.version} is not on this server. Upload the files of this version first.`);
    if (!this.#areSigned(notes))
      throw badRequest(
        'file: these release notes have no valid signature of this server’s publisher; send the unchanged file from the build',
      );
    files.storeNotes(notes.version, JSON.stringify(notes));
    db.write(() => this.#record(actor, 'release.uploaded', `${notes.version} ${notesName(notes.version)}`));
    return this.#shown(notes.version);
  }

  #areSigned(notes: ReleaseNotes): boolean {
    const { keys } = this.#deps;
    return keys.length === 0 || areNotesSignedBy(verifyText, keys, notes);
  }

  /** Returns the notes of a version that the publisher has signed; null: there are none. */
  #notesOf(version: string): string | null {
    return this.signedNotes(version)?.notes ?? null;
  }

  /** Returns whether the publisher signed the file, as far as this server can check. */
  #isSigned({ name, size, sha256 }: UpdateFile, signature: string): boolean {
    const artefact = artefactOf(name);
    return (
      artefact !== undefined &&
      (this.#deps.keys.length === 0 ||
        isSignedBy(verifyText, this.#deps.keys, { ...artefact, size, sha256 }, signature))
    );
  }

  #shown(version: string): Release {
    return this.#view(this.#deps.store.findVersion(version)!, this.#deps.store.screensByVersion().get(version) ?? 0);
  }

  delete(actor: Actor, id: string): void {
    const { store, db } = this.#deps;
    const row = store.findRelease(id);
    if (!row) throw notFound('Release');
    if (this.#isInUse(row)) throw conflict(`A rollout of ${row.version} is running. Abort the rollout first.`);
    db.write(() => {
      const hashes = store.files(row.id).map(({ sha256 }) => sha256);
      store.deleteRelease(row.id);
      db.afterCommit(() => this.#deps.files.forgetNotes(row.version));
      this.#record(actor, 'release.deleted', row.version);
      this.#forget(hashes);
    });
  }

  offer(deviceId: string, platform: string | undefined, arch: string | undefined): UpdateOffer {
    const release = this.#releaseFor(deviceId);
    const file =
      release &&
      filesForScreens(this.#deps.store.files(release.id)).find(
        (each) => each.platform === platform && each.arch === arch,
      );
    return { update: release && file ? { version: release.version, file } : null };
  }

  /** Returns a signed file of the release in rollout, if the release is offered to this screen. */
  fileFor(deviceId: string, sha256: string): { readonly path: string; readonly file: UpdateFile } {
    const release = this.#releaseFor(deviceId);
    const file =
      release && this.#deps.store.files(release.id).find((each) => each.sha256 === sha256 && each.signature !== null);
    if (!file) throw notFound('File');
    return { path: this.#deps.files.pathOf(file.sha256), file };
  }

  #releaseFor(deviceId: string): ReleaseRow | undefined {
    const id = this.#deps.rollouts.releaseFor(deviceId);
    return id === undefined ? undefined : this.#deps.store.findRelease(id);
  }

  #isInUse({ id, version }: ReleaseRow): boolean {
    return this.#deps.store.openRollout()?.release_id === id || this.#needs(version);
  }

  /** Deletes the files that no row names any more, after the commit of the current write transaction. */
  #forget(hashes: readonly string[]): void {
    this.#deps.db.afterCommit(() => this.#discard(hashes));
  }

  /** Deletes those of the given files that no row names. */
  #discard(hashes: readonly string[]): void {
    const { store, files } = this.#deps;
    const wanted = new Set(store.hashes());
    for (const sha256 of hashes) if (!wanted.has(sha256)) files.discard(files.pathOf(sha256));
  }

  #record(actor: Doer, action: ActivityAction, details: string): void {
    if (actor.workspaceId !== null) this.#deps.activity.add({ workspaceId: actor.workspaceId, actor, action, details });
  }

  #view(row: ReleaseRow, screens: number): Release {
    return {
      ...row,
      files: this.#deps.store.files(row.id),
      notes: this.#notesOf(row.version),
      signatures_checked: this.#deps.keys.length > 0,
      screens,
    };
  }
}

const nameIn = (label: string): string => label.replace(/^.*[\\/]/s, '');

const noArtefact = (name: string) =>
  badRequest(
    name.includes(UNSIGNED_MARK)
      ? `file: ${JSON.stringify(name.slice(0, 100))} is an unsigned development build; screens install only releases, which are packaged with a release key`
      : `file: the name ${JSON.stringify(name.slice(0, 100))} is not the name of a release file; keep the name from the build, like Vitrine-1.2.0-linux-x64.tar.gz`,
  );

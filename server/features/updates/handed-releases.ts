/**
 * Releases that headquarters sends to this server: selects the needed files for the server and its screens, adds these
 * files like uploaded files, and installs the release.
 */
import { createReadStream } from 'node:fs';
import { badRequest } from '../../../shared/contract/errors.ts';
import type { UpdateFile } from '../../../shared/contract/server/updates.ts';
import { artefactOf } from '../../../shared/protocol/releases/release-format.ts';
import {
  filesForScreens,
  type ReleaseNotes,
  type ReleasePlatform,
} from '../../../shared/protocol/releases/release-signature.ts';
import type { Doer } from '../../kernel/trust/actor.ts';
import type { OwnUpdateService } from './own-update.service.ts';
import type { UpdatesService } from './updates.service.ts';
import type { UpdatesStore } from './updates.store.ts';

type Signed = Pick<UpdateFile, 'name' | 'size' | 'sha256'> & { readonly signature: string };

interface Deps {
  readonly releases: Pick<UpdatesService, 'bring' | 'bringNotes' | 'has'>;
  readonly own: Pick<OwnUpdateService, 'fileOf' | 'installFor' | 'isSigned' | 'outcome' | 'requireRoom'>;
  readonly store: Pick<UpdatesStore, 'screensByPlatform'>;
}

export class HandedReleases {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Returns the files of a release that this server and its screens need.
   * @throws ApiError 400, 409, 507 if this server refuses the version
   */
  async needed<F extends Signed>(version: string, files: readonly F[]): Promise<F[]> {
    const { own, store } = this.#deps;
    const foreign = files.find((file) => artefactOf(file.name)?.version !== version || !own.isSigned(file));
    const file = own.fileOf({ version, files });
    if (foreign) throw badRequest(`${foreign.name} does not match the signature of this server’s publisher.`);
    const needed = [file];
    for (const platform of new Set(store.screensByPlatform().flatMap((said) => platformOf(said) ?? []))) {
      const [best] = filesForScreens(files.map(asKept).filter((one) => `${one.platform} ${one.arch}` === platform));
      if (best && !needed.includes(best.file)) needed.push(best.file);
    }
    const missing = needed.filter((one) => !this.has(version, one));
    await own.requireRoom(
      file,
      missing.reduce((sum, { size }) => sum + size, 0),
    );
    return needed;
  }

  has(version: string, file: Signed): boolean {
    return this.#deps.releases.has(version, file);
  }

  /** @param path of the complete file @throws ApiError 400, 409, 507 */
  storeRelease(doer: Doer, file: Signed, path: string): Promise<void> {
    return this.#deps.releases.bring(doer, file, createReadStream(path) as AsyncIterable<Buffer>);
  }

  /** @throws ApiError 400, 409 */
  storeNotes(doer: Doer, notes: ReleaseNotes): void {
    this.#deps.releases.bringNotes(doer, notes);
  }

  /**
   * Installs and starts a version in place of the running version.
   * @throws ApiError 400, 404, 409, 507
   */
  install(doer: Doer, version: string): Promise<void> {
    return this.#deps.own.installFor(doer, version);
  }

  outcome(): ReturnType<OwnUpdateService['outcome']> {
    return this.#deps.own.outcome();
  }
}

const asKept = <F extends Signed>(file: F) => {
  const { platform, arch, kind } = artefactOf(file.name)!;
  return { name: file.name, signature: file.signature, platform, arch, kind, file };
};

const SYSTEMS: readonly [RegExp, ReleasePlatform][] = [
  [/^Linux /, 'linux'],
  [/^Windows/, 'win'],
  [/^Darwin /, 'mac'],
];

/**
 * Reads the platform that a player reports, for example `Linux 6.12.9 x64`. Undefined: the player is not our program,
 * for example a browser.
 */
const platformOf = (said: string): string | undefined => {
  const system = SYSTEMS.find(([words]) => words.test(said))?.[1];
  const arch = / (x64|arm64)$/.exec(said)?.[1];
  return system && arch && `${system} ${arch}`;
};

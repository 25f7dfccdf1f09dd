/** What a release's file is, read from the name that the build gave it; and the lists of files that electron-updater reads. */
import type { UpdateArch, UpdateFile, UpdatePlatform } from '../../../shared/contract/updates.ts';

export interface Artefact {
  readonly version: string;
  readonly platform: UpdatePlatform;
  readonly arch: UpdateArch;
  readonly kind: string;
}

/** `Vitrine-1.2.0-linux-x64.AppImage`, `Vitrine-player-1.2.0-win-arm64.zip` (electron-builder.yml, artifactName). */
const NAME = /^[\w.]+(?:-(?:server|player|both))?-(\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?)-(linux|win|mac)-(x64|x86_64|amd64|arm64|aarch64)\.(AppImage|tar\.gz|deb|zip|exe|dmg)$/;
const ARCHES: Readonly<Record<string, UpdateArch>> = { x64: 'x64', x86_64: 'x64', amd64: 'x64', arm64: 'arm64', aarch64: 'arm64' };

/** Undefined: the name does not say. */
export const artefactOf = (name: string): Artefact | undefined => {
  const [, version, platform, arch, kind] = NAME.exec(name) ?? [];
  const known = arch === undefined ? undefined : ARCHES[arch];
  return version && platform && known && kind ? { version, platform: platform as UpdatePlatform, arch: known, kind } : undefined;
};

/** What a screen can start beside the version that it runs, the best first. */
const FOR_SCREENS: Readonly<Record<UpdatePlatform, readonly string[]>> = { linux: ['tar.gz', 'AppImage'], win: ['zip'], mac: ['zip'] };

/** The file for a screen of this kind. */
export const fileFor = (files: readonly UpdateFile[], platform: string | undefined, arch: string | undefined): UpdateFile | undefined => {
  const kinds = FOR_SCREENS[platform as UpdatePlatform] ?? [];
  return kinds.flatMap((kind) => files.filter((file) => file.platform === platform && file.arch === arch && file.kind === kind))[0];
};

/** What electron-updater asks for, by the name of the list. */
const LISTS: Readonly<Record<string, { readonly platform: UpdatePlatform; readonly arch: readonly UpdateArch[]; readonly kinds: readonly string[] }>> = {
  'latest.yml': { platform: 'win', arch: ['x64', 'arm64'], kinds: ['exe'] },
  'latest-mac.yml': { platform: 'mac', arch: ['x64', 'arm64'], kinds: ['zip', 'dmg'] },
  'latest-linux.yml': { platform: 'linux', arch: ['x64'], kinds: ['AppImage', 'deb'] },
  'latest-linux-arm64.yml': { platform: 'linux', arch: ['arm64'], kinds: ['AppImage', 'deb'] },
};

/** A list of electron-updater's generic provider as YAML; undefined: no such list, or nothing to be in it. */
export const updaterList = (list: string, release: { readonly version: string; readonly created_at: number; readonly files: readonly UpdateFile[] }): string | undefined => {
  const wanted = Object.hasOwn(LISTS, list) ? LISTS[list] : undefined;
  const files = wanted
    ? wanted.kinds.flatMap((kind) => release.files.filter((file) => file.platform === wanted.platform && wanted.arch.includes(file.arch) && file.kind === kind))
    : [];
  const first = files[0];
  if (!first) return undefined;
  const text = (value: string) => JSON.stringify(value);
  const entries = files.map(({ name, sha512, size }) => `  - url: ${text(name)}\n    sha512: ${text(sha512)}\n    size: ${size}\n`);
  const at = text(new Date(release.created_at * 1000).toISOString());
  return `version: ${text(release.version)}\nfiles:\n${entries.join('')}path: ${text(first.name)}\nsha512: ${text(first.sha512)}\nreleaseDate: ${at}\n`;
};

/**
 * Names, patterns and signed texts of release files. Loads no package, so that the signing job (build/sign.mjs) runs
 * nothing but Node and this repository's own code. release-signature.ts makes the schemas from it.
 */

/** Semantic version of numbers, and a pre-release of words and numbers. Such a text cannot be a path on any system. */
const VERSION = String.raw`(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*)?`;
export const VERSION_FORMAT = new RegExp(`^${VERSION}$`);
/** Maximum number of characters of a version, which is also used as a folder name. */
export const MAX_VERSION = 64;
export const isReleaseVersion = (text: string): boolean => text.length <= MAX_VERSION && VERSION_FORMAT.test(text);

/** An Ed25519 public key as SubjectPublicKeyInfo, hex. */
export const KEY_FORMAT = /^302a300506032b6570032100[0-9a-f]{64}$/;
/** Maximum number of trusted keys. A package trusts the signing key and keys that replace the signing key later. */
export const MAX_RELEASE_KEYS = 10;

/** Maximum number of characters of the release notes: plain text of some pages. */
export const MAX_NOTES = 20_000;
/** Format of the release notes: no control characters except line ends. */
export const NOTES_FORMAT = /^[^\p{Cc}\n]*(\n[^\p{Cc}\n]*)*$/u;

/** Platform names of electron-builder. */
export const RELEASE_PLATFORMS = ['linux', 'win', 'mac'] as const;
export const RELEASE_ARCHES = ['x64', 'arm64'] as const;
/** Possible endings of the file names of a release. */
export const RELEASE_KINDS = ['AppImage', 'tar.gz', 'deb', 'zip', 'exe', 'dmg'] as const;

/** Facts that the name of a release file contains. */
export interface Artefact {
  readonly version: string;
  readonly platform: (typeof RELEASE_PLATFORMS)[number];
  readonly arch: (typeof RELEASE_ARCHES)[number];
  readonly kind: (typeof RELEASE_KINDS)[number];
  /** Role of the installed program; null: the program asks for its role at its first start. */
  readonly part: 'server' | 'player' | 'both' | null;
}

/**
 * Format of the names, for example `Vitrine-1.2.0-linux-x64.AppImage` or `Vitrine-player-1.2.0-win-arm64.zip`
 * (build/release-signing.ts, artifactName).
 */
const NAME = new RegExp(
  String.raw`^[\w.]+(?:-(server|player|both))?-(${VERSION})-(linux|win|mac)-(x64|x86_64|amd64|arm64|aarch64)\.(${RELEASE_KINDS.map((kind) => kind.replace('.', '\\.')).join('|')})$`,
);
const MAX_NAME = 200;
const ARCHES: Readonly<Record<string, Artefact['arch']>> = {
  x64: 'x64',
  x86_64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  aarch64: 'arm64',
};

/** Returns the facts of a file name. Undefined if the name is not valid. */
export const artefactOf = (name: string): Artefact | undefined => {
  if (name.length > MAX_NAME) return undefined;
  const [, part, version, platform, arch, kind] = NAME.exec(name) ?? [];
  if (version === undefined || !isReleaseVersion(version)) return undefined;
  return {
    version,
    platform: platform as Artefact['platform'],
    arch: ARCHES[arch!]!,
    kind: kind as Artefact['kind'],
    part: (part as Artefact['part'] | undefined) ?? null,
  };
};
/** Part of the file names of unsigned builds. {@link artefactOf} refuses such names. */
export const UNSIGNED_MARK = 'dev-unsigned';
/** Ending of the file with an artefact's signature and a line end. */
export const SIGNATURE_ENDING = '.sig';

export interface ReleaseFacts extends Artefact {
  /** Size of the file in bytes. */
  readonly size: number;
  readonly sha256: string;
}

/**
 * Returns the signed text. Each fact has its own line, and the formats above contain no line ends, so two releases
 * never have the same text.
 */
export const releaseText = ({ version, platform, arch, kind, part, size, sha256 }: ReleaseFacts): string =>
  `vitrine release\n${version}\n${platform}\n${arch}\n${kind}\n${part ?? 'any'}\n${size}\n${sha256}`;

/** Name of the file with the release notes: `Vitrine-1.2.0-notes.json`. */
export const notesName = (version: string): string => `Vitrine-${version}-notes.json`;
const NOTES_NAME = new RegExp(`^[\\w.]+-(${VERSION})-notes\\.json$`);
/** Returns the version of a release notes file; undefined: the name is not valid. */
export const notesVersionOf = (name: string): string | undefined =>
  name.length > MAX_NAME ? undefined : NOTES_NAME.exec(name)?.[1];

/**
 * Returns the signed text of release notes. It begins differently from the text of a file, so one signature is never
 * valid for the other.
 */
export const notesText = (of: { readonly version: string; readonly notes: string }): string =>
  `vitrine release notes\n${of.version}\n${of.notes}`;

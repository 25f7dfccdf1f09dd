/**
 * What a publisher signs of a release's file, and the strict formats of all that it is described by: version, hash and
 * name come from a server and from files on the disk, and are made into paths there. Pure; the host does the
 * cryptography.
 */
import { z } from 'zod';

/**
 * Semver as builds have it: numbers, and a pre-release of words and numbers. Nothing of it can be a path, on Windows
 * neither.
 */
const VERSION = String.raw`(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*)?`;
/** It names a folder. */
const MAX_VERSION = 64;
export const ReleaseVersion = z
  .string()
  .max(MAX_VERSION, `must be at most ${MAX_VERSION} characters`)
  .regex(new RegExp(`^${VERSION}$`), 'must be a version like 1.2.0 or 1.2.0-beta.1');

/** Lower-case hex. */
export const ReleaseHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 of 64 lower-case hexadecimal digits');

/** An installer with all it brings has some hundred megabytes; a screen's disk must not be filled by a number. */
const MAX_FILE_BYTES = 8 * 1024 ** 3;
export const ReleaseSize = z.number().int().min(0).max(MAX_FILE_BYTES);

/** As electron-builder names them. */
export const ReleasePlatform = z.enum(['linux', 'win', 'mac']);
export type ReleasePlatform = z.infer<typeof ReleasePlatform>;
export const ReleaseArch = z.enum(['x64', 'arm64']);
export type ReleaseArch = z.infer<typeof ReleaseArch>;
/** The ending of its name. */
export const ReleaseKind = z.enum(['AppImage', 'tar.gz', 'deb', 'zip', 'exe', 'dmg']);
export type ReleaseKind = z.infer<typeof ReleaseKind>;
/** What the installed program is without being asked; null: it asks at its first start. */
const ReleasePart = z.enum(['server', 'player', 'both']).nullable();
type ReleasePart = z.infer<typeof ReleasePart>;

/** Ed25519 of {@link releaseText}, hex. */
export const ReleaseSignature = z
  .string()
  .regex(/^[0-9a-f]{128}$/, 'must be a signature of 128 lower-case hexadecimal digits');

/** What the name of a file says about it. */
export interface Artefact {
  readonly version: string;
  readonly platform: ReleasePlatform;
  readonly arch: ReleaseArch;
  readonly kind: ReleaseKind;
  readonly part: ReleasePart;
}

/**
 * `Vitrine-1.2.0-linux-x64.AppImage`, `Vitrine-player-1.2.0-win-arm64.zip` (build/release-signing.ts, artifactName).
 */
const NAME = new RegExp(
  String.raw`^[\w.]+(?:-(server|player|both))?-(${VERSION})-(linux|win|mac)-(x64|x86_64|amd64|arm64|aarch64)\.(${ReleaseKind.options.map((kind) => kind.replace('.', '\\.')).join('|')})$`,
);
const MAX_NAME = 200;
const ARCHES: Readonly<Record<string, ReleaseArch>> = {
  x64: 'x64',
  x86_64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  aarch64: 'arm64',
};

/** Undefined: the name does not say. */
export const artefactOf = (name: string): Artefact | undefined => {
  if (name.length > MAX_NAME) return undefined;
  const [, part, version, platform, arch, kind] = NAME.exec(name) ?? [];
  if (!ReleaseVersion.safeParse(version).success) return undefined;
  return {
    version: version!,
    platform: platform as ReleasePlatform,
    arch: ARCHES[arch!]!,
    kind: kind as ReleaseKind,
    part: (part as ReleasePart | undefined) ?? null,
  };
};
export const ReleaseFileName = z
  .string()
  .refine((name) => artefactOf(name) !== undefined, 'must say what the file is, like Vitrine-1.2.0-linux-x64.tar.gz');

/** In the names of builds that nobody has signed; {@link artefactOf} knows none of those. */
export const UNSIGNED_MARK = 'dev-unsigned';
/** The file beside an artefact that holds its signature, and a line end. */
export const SIGNATURE_ENDING = '.sig';

export interface ReleaseFacts extends Artefact {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** Every fact has a line of its own, and the formats above have no line ends: two releases never have one text. */
export const releaseText = ({ version, platform, arch, kind, part, size, sha256 }: ReleaseFacts): string =>
  `vitrine release\n${version}\n${platform}\n${arch}\n${kind}\n${part ?? 'any'}\n${size}\n${sha256}`;

/** Ed25519; key (SubjectPublicKeyInfo) and signature in hex. */
export type VerifyText = (publicKey: string, text: string, signature: string) => boolean | null;

/** One of the publisher's keys vouches for exactly this file. */
export const isSignedBy = (
  verify: VerifyText,
  keys: readonly string[],
  facts: ReleaseFacts,
  signature: string,
): boolean => keys.some((key) => verify(key, releaseText(facts), signature) === true);

/** What is new in a release, in its publisher's words: plain text of some pages at most. */
const MAX_NOTES = 20_000;
export const ReleaseNotes = z.object({
  version: ReleaseVersion,
  /** Without control characters but line ends. */
  notes: z
    .string()
    .min(1)
    .max(MAX_NOTES)
    .regex(/^[^\p{Cc}\n]*(\n[^\p{Cc}\n]*)*$/u),
  /** Of {@link notesText}. */
  signature: ReleaseSignature,
});
export type ReleaseNotes = z.infer<typeof ReleaseNotes>;

/** The file in which they lie beside the others: `Vitrine-1.2.0-notes.json`. */
export const notesName = (version: string): string => `Vitrine-${version}-notes.json`;
const NOTES_NAME = new RegExp(`^[\\w.]+-(${VERSION})-notes\\.json$`);
/** Returns the version that a file of that name is about; undefined: it is no such file. */
export const notesVersionOf = (name: string): string | undefined =>
  name.length > MAX_NAME ? undefined : NOTES_NAME.exec(name)?.[1];

/** What is signed begins otherwise than the text of a file, so that none is ever taken for the other. */
export const notesText = ({ version, notes }: Pick<ReleaseNotes, 'version' | 'notes'>): string =>
  `vitrine release notes\n${version}\n${notes}`;

export const areNotesSignedBy = (verify: VerifyText, keys: readonly string[], notes: ReleaseNotes): boolean =>
  keys.some((key) => verify(key, notesText(notes), notes.signature) === true);

/** An Ed25519 key as SubjectPublicKeyInfo, hex. */
export const ReleaseKey = z
  .string()
  .regex(/^302a300506032b6570032100[0-9a-f]{64}$/, 'must be an Ed25519 public key of 88 lower-case hexadecimal digits');
/** One signs; others are there while one takes the place of another. */
export const MAX_RELEASE_KEYS = 10;
const Manifest = z.object({ vitrineReleaseKeys: z.array(ReleaseKey).max(MAX_RELEASE_KEYS) });

/**
 * The publisher's keys that a program was packaged with, from its package.json. None: it is a
 * development build or runs from its sources, and takes no updates. A list with anything else in it is none.
 */
export const releaseKeysIn = (manifest: unknown): readonly string[] =>
  Manifest.safeParse(manifest).data?.vitrineReleaseKeys ?? [];

/** What a screen can start beside the version that it runs, the best first. */
const FOR_SCREENS: Readonly<Record<ReleasePlatform, readonly ReleaseKind[]>> = {
  linux: ['tar.gz', 'AppImage'],
  win: ['zip'],
  mac: ['zip'],
};

/** How good the file is for the screens of its platform, 0 the best; undefined: they take none such. */
export const rankForScreens = ({
  platform,
  kind,
  part,
}: Pick<Artefact, 'platform' | 'kind' | 'part'>): number | undefined => {
  const rank = FOR_SCREENS[platform].indexOf(kind);
  return rank < 0 || part === 'server' ? undefined : rank;
};

interface Kept extends Pick<Artefact, 'platform' | 'kind'> {
  readonly name: string;
  readonly signature: string | null;
}
/** Of those that their publisher has signed, what screens can start, the best first. */
export const filesForScreens = <F extends Kept>(files: readonly F[]): F[] =>
  files
    .map((file) => ({ file, rank: rankForScreens({ ...file, part: artefactOf(file.name)?.part ?? null }) }))
    .filter(({ file, rank }) => file.signature !== null && rank !== undefined)
    .toSorted((a, b) => a.rank! - b.rank!)
    .map(({ file }) => file);

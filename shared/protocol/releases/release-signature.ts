/**
 * Signed facts about the files of a release, and the strict formats of version, hash and name: these come from a server
 * and from files on disk, and become paths. Pure; the host does the cryptography.
 */
import { z } from 'zod';
import {
  type Artefact,
  artefactOf,
  KEY_FORMAT,
  MAX_NOTES,
  MAX_RELEASE_KEYS,
  MAX_VERSION,
  NOTES_FORMAT,
  notesText,
  RELEASE_ARCHES,
  RELEASE_KINDS,
  RELEASE_PLATFORMS,
  type ReleaseFacts,
  releaseText,
  VERSION_FORMAT,
} from './release-format.ts';

export const ReleaseVersion = z
  .string()
  .max(MAX_VERSION, `must be at most ${MAX_VERSION} characters`)
  .regex(VERSION_FORMAT, 'must be a version like 1.2.0 or 1.2.0-beta.1');

/** SHA-256 in lower-case hex. */
export const ReleaseHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 of 64 lower-case hexadecimal digits');

/**
 * Maximum size of a release file in bytes. An installer has some hundred megabytes. The limit prevents that a wrong
 * number fills a screen's disk.
 */
const MAX_FILE_BYTES = 8 * 1024 ** 3;
export const ReleaseSize = z.number().int().min(0).max(MAX_FILE_BYTES);

/** Platform names of electron-builder. */
export const ReleasePlatform = z.enum(RELEASE_PLATFORMS);
export type ReleasePlatform = z.infer<typeof ReleasePlatform>;
export const ReleaseArch = z.enum(RELEASE_ARCHES);
export type ReleaseArch = z.infer<typeof ReleaseArch>;
/** Ending of the file name. */
export const ReleaseKind = z.enum(RELEASE_KINDS);
export type ReleaseKind = z.infer<typeof ReleaseKind>;
/** Ed25519 signature of {@link releaseText}, hex. */
export const ReleaseSignature = z
  .string()
  .regex(/^[0-9a-f]{128}$/, 'must be a signature of 128 lower-case hexadecimal digits');

export const ReleaseFileName = z
  .string()
  .refine((name) => artefactOf(name) !== undefined, 'must say what the file is, like Vitrine-1.2.0-linux-x64.tar.gz');

/** Verifies an Ed25519 signature; key (SubjectPublicKeyInfo) and signature in hex. */
export type VerifyText = (publicKey: string, text: string, signature: string) => boolean | null;

/** Returns whether one of the publisher's keys signed exactly this file. */
export const isSignedBy = (
  verify: VerifyText,
  keys: readonly string[],
  facts: ReleaseFacts,
  signature: string,
): boolean => keys.some((key) => verify(key, releaseText(facts), signature) === true);

export const ReleaseNotes = z.object({
  version: ReleaseVersion,
  /** Release notes without control characters except line ends. */
  notes: z.string().min(1).max(MAX_NOTES).regex(NOTES_FORMAT),
  /** Signature of {@link notesText}. */
  signature: ReleaseSignature,
});
export type ReleaseNotes = z.infer<typeof ReleaseNotes>;

export const areNotesSignedBy = (verify: VerifyText, keys: readonly string[], notes: ReleaseNotes): boolean =>
  keys.some((key) => verify(key, notesText(notes), notes.signature) === true);

/** An Ed25519 key as SubjectPublicKeyInfo, hex. */
export const ReleaseKey = z
  .string()
  .regex(KEY_FORMAT, 'must be an Ed25519 public key of 88 lower-case hexadecimal digits');
const Manifest = z.object({ vitrineReleaseKeys: z.array(ReleaseKey).max(MAX_RELEASE_KEYS) });

/**
 * Returns the publisher's keys in the package.json of a packaged program. Empty: a development build or a program that
 * runs from its sources, which accepts no updates. A list with an invalid entry counts as empty.
 */
export const releaseKeysIn = (manifest: unknown): readonly string[] =>
  Manifest.safeParse(manifest).data?.vitrineReleaseKeys ?? [];

/** Kinds of files that a screen can start next to its running version, in order of preference. */
const FOR_SCREENS: Readonly<Record<ReleasePlatform, readonly ReleaseKind[]>> = {
  linux: ['tar.gz', 'AppImage'],
  win: ['zip'],
  mac: ['zip'],
};

/** Returns the rank of a file for the screens of its platform, 0 = best; undefined: screens cannot use it. */
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
/**
 * Returns the signed release files that a screen can start as its new version. The file that screens of its platform
 * prefer comes first ({@link FOR_SCREENS}).
 */
export const filesForScreens = <F extends Kept>(files: readonly F[]): F[] =>
  files
    .map((file) => ({ file, rank: rankForScreens({ ...file, part: artefactOf(file.name)?.part ?? null }) }))
    .filter(({ file, rank }) => file.signature !== null && rank !== undefined)
    .toSorted((a, b) => a.rank! - b.rank!)
    .map(({ file }) => file);

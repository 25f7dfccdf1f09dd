/**
 * What a publisher signs of a release's file, and the strict formats of all that it is described by: version, hash and
 * name come from a server and from files on the disk, and are made into paths there. Pure; the host does the
 * cryptography.
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

/** Lower-case hex. */
export const ReleaseHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 of 64 lower-case hexadecimal digits');

/** An installer with all it brings has some hundred megabytes; a screen's disk must not be filled by a number. */
const MAX_FILE_BYTES = 8 * 1024 ** 3;
export const ReleaseSize = z.number().int().min(0).max(MAX_FILE_BYTES);

/** As electron-builder names them. */
export const ReleasePlatform = z.enum(RELEASE_PLATFORMS);
export type ReleasePlatform = z.infer<typeof ReleasePlatform>;
export const ReleaseArch = z.enum(RELEASE_ARCHES);
export type ReleaseArch = z.infer<typeof ReleaseArch>;
/** The ending of its name. */
export const ReleaseKind = z.enum(RELEASE_KINDS);
export type ReleaseKind = z.infer<typeof ReleaseKind>;
/** Ed25519 of {@link releaseText}, hex. */
export const ReleaseSignature = z
  .string()
  .regex(/^[0-9a-f]{128}$/, 'must be a signature of 128 lower-case hexadecimal digits');

export const ReleaseFileName = z
  .string()
  .refine((name) => artefactOf(name) !== undefined, 'must say what the file is, like Vitrine-1.2.0-linux-x64.tar.gz');

/** Ed25519; key (SubjectPublicKeyInfo) and signature in hex. */
export type VerifyText = (publicKey: string, text: string, signature: string) => boolean | null;

/** One of the publisher's keys vouches for exactly this file. */
export const isSignedBy = (
  verify: VerifyText,
  keys: readonly string[],
  facts: ReleaseFacts,
  signature: string,
): boolean => keys.some((key) => verify(key, releaseText(facts), signature) === true);

export const ReleaseNotes = z.object({
  version: ReleaseVersion,
  /** Without control characters but line ends. */
  notes: z.string().min(1).max(MAX_NOTES).regex(NOTES_FORMAT),
  /** Of {@link notesText}. */
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

/**
 * Signing of what is packaged: whose key, what goes into the package, how its files are called. Decided here, where
 * plain Node can test it; package.mjs does it. Without a key a development build is made, which says so in its name and
 * takes no updates.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  artefactOf,
  isReleaseVersion,
  KEY_FORMAT,
  MAX_NOTES,
  MAX_RELEASE_KEYS,
  NOTES_FORMAT,
  notesName,
  notesText,
  type ReleaseFacts,
  releaseText,
  SIGNATURE_ENDING,
  UNSIGNED_MARK,
} from '../shared/protocol/release-format.ts';

/** Nothing is packaged; the sentence says why. */
export class CannotSign extends Error {}

export interface Publisher {
  readonly privateKey: KeyObject;
  /** Ed25519, SubjectPublicKeyInfo, hex. */
  readonly publicKey: string;
}

/**
 * @param given `--release-key FILE`, before VITRINE_RELEASE_KEY, which is a path too or the PEM text itself; null: the
 * option without a file
 * @returns undefined: nobody signs
 * @throws CannotSign where a key was named that cannot be used: what was to be signed is never made unsigned
 */
export const publisherFrom = (given: string | null | undefined, env: NodeJS.ProcessEnv): Publisher | undefined => {
  if (given === null || given === '') throw new CannotSign('Say which file: --release-key FILE');
  const named = given ?? env['VITRINE_RELEASE_KEY'];
  if (!named) return undefined;
  const where = given ?? 'VITRINE_RELEASE_KEY';
  try {
    const privateKey = createPrivateKey(given === undefined && named.includes('-----BEGIN') ? named : readKey(named));
    if (privateKey.asymmetricKeyType !== 'ed25519')
      throw new Error(`it is a key of the kind ${privateKey.asymmetricKeyType}`);
    return {
      privateKey,
      publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('hex'),
    };
  } catch (error) {
    throw new CannotSign(
      `${where} cannot be used as the release key: ${(error as Error).message}. "vitrine release-key FILE" makes one, an Ed25519 key as PEM.`,
    );
  }
};

/** @throws Error that does not repeat what was asked for: it may be a key itself, in another form than PEM */
const readKey = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Error('there is no such file that can be read');
  }
};

/**
 * The keys that the package believes: the one that signs it, and others (their public halves, hex, with commas between)
 * that sign what comes after it, so that one key can take the place of another.
 * @throws CannotSign
 */
export const keysOf = (publisher: Pick<Publisher, 'publicKey'> | undefined, alsoTrusted = ''): readonly string[] => {
  const others = alsoTrusted.split(',').map((key) => key.trim());
  const named = others.filter((key) => key !== '');
  if (!publisher && named.length > 0)
    throw new CannotSign('Further keys are for signed packages: name the key that signs with --release-key.');
  const wrong = named.find((key) => !KEY_FORMAT.test(key));
  if (wrong !== undefined)
    throw new CannotSign(
      `${wrong.slice(0, 100)} is no public key: it is 88 hexadecimal digits, as "vitrine release-key" prints them.`,
    );
  const keys = [...new Set([...(publisher ? [publisher.publicKey] : []), ...named])];
  if (keys.length > MAX_RELEASE_KEYS) throw new CannotSign(`A package believes at most ${MAX_RELEASE_KEYS} keys.`);
  return keys;
};

/**
 * Returns the public key of VITRINE_RELEASE_PUBLIC_KEY, for a machine that builds a release and another one that signs
 * it; undefined where none is named.
 * @throws CannotSign
 */
export const signedElsewhere = (env: NodeJS.ProcessEnv): string | undefined => {
  const key = env['VITRINE_RELEASE_PUBLIC_KEY'];
  if (!key) return undefined;
  if (!KEY_FORMAT.test(key))
    throw new CannotSign(
      'VITRINE_RELEASE_PUBLIC_KEY is no public key: it is 88 hexadecimal digits, as "vitrine release-key" prints them.',
    );
  return key;
};

type Role = 'server' | 'player' | 'both';
interface OurPackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly author: string;
}

/**
 * package.json of the packaged program. No dependencies: they are laid in, and electron-builder would look for a
 * package manager to list them.
 * @param role what the installed program is without being asked; undefined: it asks at its first start
 * @throws CannotSign
 */
export const manifestOf = (
  { name, version, description, license, author }: OurPackage,
  role: Role | undefined,
  keys: readonly string[],
): object => {
  if (keys.length > 0 && !isReleaseVersion(version))
    throw new CannotSign(`A release needs a version like 1.2.0 or 1.2.0-beta.1 in package.json, not ${version}.`);
  return {
    ...{
      name,
      productName: 'Vitrine',
      version,
      description,
      license,
      author,
      type: 'module',
      main: 'dist/programs/build-desktop-main.js',
    },
    ...(role && { vitrineRole: role }),
    ...(keys.length > 0 && { vitrineReleaseKeys: keys }),
  };
};

/** Of electron-builder, which fills it in. */
const macro = (name: string) => `\${${name}}`;

/** What electron-builder calls its files. An installer for one role says so, and so does what nobody signs. */
export const artifactName = (role: Role | undefined, isSigned: boolean): string =>
  `${[macro('productName'), ...(role ? [role] : []), ...(isSigned ? [] : [UNSIGNED_MARK]), macro('version'), macro('os'), macro('arch')].join('-')}.${macro('ext')}`;

export const signRelease = ({ privateKey }: Publisher, facts: ReleaseFacts): string =>
  sign(null, Buffer.from(releaseText(facts)), privateKey).toString('hex');

/** A file of all that is new, by versions: `## 1.2.0`, then what is said of it up to the next. */
const HEADING = /^## \[?([^\s\]]+)/;

/** @returns what a change log says of a version; undefined: nothing */
export const notesIn = (changelog: string, version: string): string | undefined => {
  const lines = changelog.replaceAll('\r\n', '\n').split('\n');
  const from = lines.findIndex((line) => HEADING.exec(line)?.[1] === version);
  if (from < 0) return undefined;
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => line.startsWith('## '));
  const text = (to < 0 ? rest : rest.slice(0, to)).join('\n').replaceAll('\t', '  ').trim();
  return text === '' ? undefined : text;
};

/**
 * Lays what is new beside the artefacts, signed.
 * @returns the name of the file; undefined: the change log says nothing of this version
 * @throws CannotSign
 */
export const writeNotes = (
  folder: string,
  version: string,
  changelog: string,
  { privateKey }: Publisher,
): string | undefined => {
  const notes = notesIn(changelog, version);
  if (notes === undefined) return undefined;
  const signature = sign(null, Buffer.from(notesText({ version, notes })), privateKey).toString('hex');
  if (notes.length > MAX_NOTES || !NOTES_FORMAT.test(notes) || !isReleaseVersion(version))
    throw new CannotSign(
      `What CHANGELOG.md says of ${version} cannot be shown: it must be plain text of at most 20,000 characters.`,
    );
  writeFileSync(join(folder, notesName(version)), `${JSON.stringify({ version, notes, signature })}\n`);
  return notesName(version);
};

/**
 * Lays `<file>.sig` beside every artefact.
 * @returns names of those signed, and of those that their name does not describe
 */
export const writeSignatures = async (
  files: readonly string[],
  publisher: Publisher,
): Promise<{ readonly signed: readonly string[]; readonly left: readonly string[] }> => {
  const signed: string[] = [];
  const left: string[] = [];
  for (const file of files) {
    const name = basename(file);
    const artefact = artefactOf(name);
    if (!artefact) left.push(name);
    else {
      const facts = { ...artefact, size: statSync(file).size, sha256: await hashOf(file) };
      writeFileSync(`${file}${SIGNATURE_ENDING}`, `${signRelease(publisher, facts)}\n`);
      signed.push(name);
    }
  }
  return { signed, left };
};

/** SHA-256, hex. */
export const hashOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
};

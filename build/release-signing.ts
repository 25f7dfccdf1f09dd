/**
 * Signs packages: chooses the key, the content of the package and the file names. This file only decides, so that plain
 * Node can test the decisions; package.mjs applies them. Without a key, a development build is made: its name says that
 * it is unsigned, and it accepts no updates.
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
} from '../shared/protocol/releases/release-format.ts';

/** Error: nothing is packaged. The message says why. */
export class CannotSign extends Error {}

export interface Publisher {
  readonly privateKey: KeyObject;
  /** Public key: Ed25519, SubjectPublicKeyInfo, hex. */
  readonly publicKey: string;
}

/**
 * @param given `--release-key FILE`, which takes precedence over VITRINE_RELEASE_KEY (a path or the PEM text); null:
 * the option without a file
 * @returns undefined: unsigned
 * @throws CannotSign for an unusable key, so that no unsigned package is made instead
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

/** @throws Error that does not repeat the value, which may itself be a key in another format than PEM */
const readKey = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Error('there is no such file that can be read');
  }
};

/**
 * Returns the keys that the package trusts: its signing key and further public keys (hex, separated by commas), which
 * may sign later releases, so that the signing key can be replaced.
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
 * Returns the public key of VITRINE_RELEASE_PUBLIC_KEY, for a machine that builds a release that another machine signs;
 * undefined when not set.
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
 * Returns the package.json of the packaged program. The result lists no dependencies, because they are already in
 * place, and electron-builder would look for a package manager.
 * @param role fixed role of the installed program; undefined: the program asks for its role at its first start
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

/** Returns the placeholder `${name}`, which electron-builder replaces. */
const macro = (name: string) => `\${${name}}`;

/**
 * Returns the pattern of file names of a release, with the fixed role, if any, and a mark if the files are unsigned.
 */
export const artifactName = (role: Role | undefined, isSigned: boolean): string =>
  `${[macro('productName'), ...(role ? [role] : []), ...(isSigned ? [] : [UNSIGNED_MARK]), macro('version'), macro('os'), macro('arch')].join('-')}.${macro('ext')}`;

export const signRelease = ({ privateKey }: Publisher, facts: ReleaseFacts): string =>
  sign(null, Buffer.from(releaseText(facts)), privateKey).toString('hex');

/** Heading of a version in the change log: `## 1.2.0`, followed by its notes. */
const HEADING = /^## \[?([^\s\]]+)/;

/** @returns the notes of a version in a change log; undefined when there are none */
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
 * Writes the signed notes beside the artefacts.
 * @returns name of the file; undefined: the change log does not contain this version
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
 * Writes `<file>.sig` beside every artefact.
 * @returns names of signed files, and names of files that are no artefacts
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

/** Returns the SHA-256 of a file in hex. */
export const hashOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
};

/** Reads the installed packages: their own statements and licence texts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Found, Text } from './collect.ts';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string | { readonly type?: string };
  /** The licence field of older packages, from before SPDX expressions: a list. */
  readonly licenses?: readonly { readonly type?: string }[];
  readonly repository?: string | { readonly url?: string };
  readonly homepage?: string;
}
interface Locked {
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
export type Lock = Readonly<Record<string, Locked>>;

/**
 * Matches names of files with licence texts. The README beside ffmpeg is included, because it lists the libraries in
 * ffmpeg.
 */
const IS_TEXT =
  /^(third[-_]?party[-_.])?((un)?licen[cs]es?|copying|copyright|notices?)([-_.].*)?$|^ffmpeg(\.exe)?\.(licen[cs]e|readme)$/i;
const IS_CODE = /\.(c?m?[jt]sx?|map|json)$/i;
/** Folders that are not searched for licence texts. */
const SKIPPED = /^(node_modules|tests?|examples?|bench|docs)$/;

const textsIn = (folder: string, path = ''): Text[] =>
  readdirSync(join(folder, path), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): Text[] => {
      const title = path + entry.name;
      if (entry.isDirectory())
        return SKIPPED.test(entry.name) || title.split('/').length > 2 ? [] : textsIn(folder, `${title}/`);
      if (!IS_TEXT.test(entry.name) || IS_CODE.test(entry.name)) return [];
      return [{ title, text: readFileSync(join(folder, title), 'utf8') }];
    });

const licenceOf = ({ license, licenses }: Manifest): string | undefined => {
  const said = typeof license === 'object' ? license.type : (license ?? licenses?.map(({ type }) => type).join(' OR '));
  return said || undefined;
};

/** Handles `git+ssh://git@github.com/a/b.git`, `github:a/b` and `a/b`. */
const addressOf = ({ repository, homepage }: Manifest): string | undefined => {
  const said = (typeof repository === 'object' ? repository.url : repository) ?? homepage;
  if (said === undefined || said === '') return undefined;
  const plain = said
    .replace(/^git\+/, '')
    .replace(/^(git|ssh):\/\//, 'https://')
    .replace(/^https:\/\/git@/, 'https://')
    .replace(/^git@([^:]+):/, 'https://$1/')
    .replace(/\.git$/, '');
  return /^https?:/.test(plain)
    ? plain.replace(/^http:\/\/github/, 'https://github')
    : `https://github.com/${plain.replace(/^github:/, '')}`;
};

export const lockOf = (root: string): Lock =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages;

/**
 * Returns the folder with the manifest of the package. A package may contain other packages without a manifest; its
 * authors are responsible for these.
 */
const withItsManifest = (root: string, folder: string): string => {
  if (existsSync(join(root, folder, 'package.json'))) return folder;
  const outer = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\/(?:.+\/)?node_modules\/(?:@[^/]+\/)?[^/]+$/.exec(folder)?.[1];
  if (outer === undefined) throw new Error(`${folder} has no package.json: npm ci brings it.`);
  return withItsManifest(root, outer);
};

/** @param folders `node_modules/a/node_modules/b`, relative to `root` */
export const installed = (root: string, folders: Iterable<string>, lock: Lock = lockOf(root)): Found[] => {
  const all = new Set([...folders].map((folder) => withItsManifest(root, folder)));
  return [...all].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
    const locked = lock[folder];
    const needs = Object.keys({ ...locked?.dependencies, ...locked?.optionalDependencies });
    return {
      folder,
      name: manifest.name ?? folder.replace(/^.*node_modules\//, ''),
      version: manifest.version ?? '',
      licence: licenceOf(manifest),
      texts: textsIn(join(root, folder)),
      source: addressOf(manifest),
      integrity: locked?.integrity,
      needs,
    };
  });
};

/**
 * Adds to a packaged program the files that licences require: its own licence, the notices of all included software,
 * and the bill of materials.
 */
import { copyFileSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Collected, collect } from './collect.ts';
import { LIST, listIn } from './inside.ts';
import { installed, type Lock, lockOf } from './installed.ts';
import { knownOf } from './known.ts';
import { listOf, type OwnLicence, readable } from './notices.ts';
import { sbomOf } from './sbom.ts';

/** Error: the package contains software that must not be distributed like this. The message says why. */
export class NoticeMissing extends Error {}

/** Packaged software that neither a bundler nor npm lists. */
const BESIDE = ['node_modules/node', 'node_modules/electron'];

export const ownLicence = (root: string): OwnLicence => {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license: string;
  };
  return { name, version, licence: license, text: readFileSync(join(root, 'LICENSE'), 'utf8') };
};

/**
 * Returns the version in package.json of the packaged program, which may differ from the version in the source folder.
 * Empty if the packaged program has no package.json.
 */
const versionOf = (target: string): { readonly version?: string } => {
  const manifest = join(target, 'package.json');
  return existsSync(manifest)
    ? { version: (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version }
    : {};
};

/** Returns the packages in a tree that are not bundled. */
const packagesIn = (tree: string): string[] =>
  existsSync(join(tree, 'node_modules'))
    ? globSync(['node_modules/**/package.json'], { cwd: tree })
        .map((file) => dirname(file).replaceAll('\\', '/'))
        .filter((folder) => /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+$/.test(folder))
    : [];

/** @param root folder with node_modules and package-lock.json @param folders folders of packages */
const collectFrom = (root: string, folders: Iterable<string>, lock: Lock = lockOf(root)): Collected =>
  collect(installed(root, folders, lock), knownOf(root));

/** Writes the list for the admin window beside the window's page, also compressed. */
export const writeForWindow = (root: string, folder: string, { parts }: Collected): void => {
  const own = ownLicence(root);
  const list = `${JSON.stringify(listOf(own, parts))}\n`;
  writeFileSync(join(folder, 'licences.json'), list);
  writeFileSync(
    join(folder, 'licences.json.br'),
    brotliCompressSync(list, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  );
  writeFileSync(join(folder, 'licences.json.gz'), gzipSync(list, { level: 9 }));
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(own, parts), null, 2)}\n`);
};

/**
 * Writes LICENSE, licences.txt and sbom.cdx.json into `target`, and licences.json beside the window's pages.
 * @param target folder that is packaged
 * @param trees other packaged folders; the lists that a bundler has left in them (inside.ts) are read and removed
 * @throws NoticeMissing
 */
export const writeLicences = (root: string, target: string, trees: readonly string[] = []): void => {
  const all = [target, ...trees];
  const lists = all.flatMap((tree) =>
    globSync(`**/${LIST}`, { cwd: tree, exclude: (name) => name === 'node_modules' }).map((file) =>
      join(tree, dirname(file)),
    ),
  );
  if (lists.length === 0)
    throw new NoticeMissing(
      `Nothing in ${all.join(', ')} says what was bundled into it: build/licences/inside.ts belongs to each bundler’s plugins.`,
    );
  const collected = collectFrom(root, [...lists.flatMap(listIn), ...all.flatMap(packagesIn), ...BESIDE]);
  if (collected.problems.length > 0) throw new NoticeMissing(collected.problems.join('\n'));
  for (const folder of lists) rmSync(join(folder, LIST));
  const own = { ...ownLicence(root), ...versionOf(target) };
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  writeFileSync(join(target, 'licences.txt'), readable(listOf(own, collected.parts)));
  writeFileSync(join(target, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(own, collected.parts), null, 2)}\n`);
  const window = join(target, 'dist', 'admin');
  if (existsSync(window)) writeForWindow(root, window, collected);
};

/**
 * Collects the notices of a checkout, which distributes nothing: dependencies of its programs, and packages in its
 * built pages.
 */
export const collectHere = (root: string): Collected & { readonly unbuilt: readonly string[] } => {
  const lock = lockOf(root);
  const needed = new Set<string>();
  const add = (name: string, from: string): void => {
    const folder = [`${from}/node_modules/${name}`, `node_modules/${name}`].find((path) => lock[path]);
    if (folder === undefined || needed.has(folder) || !existsSync(join(root, folder))) return;
    needed.add(folder);
    for (const other of Object.keys({ ...lock[folder]?.dependencies, ...lock[folder]?.optionalDependencies }))
      add(other, folder);
  };
  for (const name of Object.keys({ ...lock['']?.dependencies, ...lock['']?.optionalDependencies })) add(name, '');
  const pages = ['admin', 'player', 'screen'];
  const isBuilt = (name: string) => existsSync(join(root, 'dist', name, LIST));
  const built = pages.filter(isBuilt).flatMap((name) => listIn(join(root, 'dist', name)));
  return {
    ...collectFrom(root, [...needed, ...built, 'node_modules/node'], lock),
    unbuilt: pages.filter((name) => !isBuilt(name)),
  };
};

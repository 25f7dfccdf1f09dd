/**
 * File with the list of packages that a bundler has included, beside its output. The server does not serve names that
 * begin with a dot.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

export const LIST = '.packages.json';

/** Module ids of helpers that the bundler adds itself, with the folder of the package that each helper belongs to. */
const HELPERS: readonly (readonly [begins: RegExp, folder: string])[] = [
  [/^\0?vite\//, 'node_modules/vite'],
  [/^\0?rolldown[/:]/, 'node_modules/rolldown'],
  [/^\0?@oxc-project\+runtime@/, 'node_modules/@oxc-project/runtime'],
];
/** Files that are not scripts: the bundler copies them beside its chunks, and no chunk lists them as its modules. */
const IS_FILE = /\.(css|woff2?|ttf|otf|pfb|wasm|svg|png|jpe?g|html)(\?|$)|\?url$/;

/**
 * @param id module id of the bundler
 * @param root folder with node_modules, with links resolved
 * @returns folder of the package, `node_modules/a/node_modules/b`; undefined for our own modules
 */
export const packageOf = (id: string, root: string): string | undefined => {
  const path = id.replaceAll('\\', '/');
  const helper = HELPERS.find(([begins]) => begins.test(path));
  if (helper) return helper[1];
  const base = `${root.replaceAll('\\', '/').replace(/\/$/, '')}/node_modules/`;
  const at = path.indexOf(base);
  if (at < 0) return undefined;
  const inner = path.slice(at + base.length);
  const folders = inner.split('/node_modules/').map((part, i, all) => {
    const names = part.split('/');
    return i < all.length - 1 ? part : names.slice(0, names[0]?.startsWith('@') ? 2 : 1).join('/');
  });
  return `node_modules/${folders.join('/node_modules/')}`;
};

/** @param root folder with node_modules */
export const packagesInside = (root: string): Plugin => {
  let from = root;
  return {
    name: 'vitrine:packages-inside',
    apply: 'build',
    configResolved: (config) => void (from = config.root),
    generateBundle: {
      // Runs this handler last, when other plugins have added and removed their files.
      order: 'post',
      handler(_options, bundle) {
        const real = join(realpathSync(join(root, 'node_modules')), '..');
        const files = Object.values(bundle);
        const ids = [
          ...files.flatMap((file) =>
            file.type === 'chunk' ? file.moduleIds : file.originalFileNames.map((name) => resolve(from, name)),
          ),
          ...[...this.getModuleIds()].filter((id) => IS_FILE.test(id)),
        ];
        const packages = new Set(ids.flatMap((id) => packageOf(id, real) ?? []));
        this.emitFile({ type: 'asset', fileName: LIST, source: `${JSON.stringify([...packages].sort(), null, 1)}\n` });
      },
    },
  };
};

/** @param folder output folder of a bundler */
export const listIn = (folder: string): string[] => JSON.parse(readFileSync(join(folder, LIST), 'utf8')) as string[];

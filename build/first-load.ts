import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';

/**
 * Matches the index file of the icon package. The index refers to all 1,700 icons, so an import of the index does not
 * mean that all icons are needed.
 */
const INDEX = /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]lucide-react\.m?js$/;

/** Returns the file of each icon in the index: `Monitor` → `./icons/monitor.mjs`. */
const iconsIn = (index: string): Map<string, string> => {
  const files = new Map<string, string>();
  for (const [, names = '', file = ''] of readFileSync(index, 'utf8').matchAll(
    /export \{([^}]+)\} from '\.\/(icons\/[^']+)'/g,
  ))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, index.replace(/[^\\/]+$/, file));
  return files;
};
const iconNames = (code: string): string[] =>
  [...code.matchAll(/import\s*\{([^}]+)\}\s*from\s*["']lucide-react["']/g)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim().split(/\s+as\s+/)[0] ?? '')
      .filter(Boolean),
  );

/**
 * Bundles all modules of the first load into one file instead of seventy: each file costs a kilobyte of headers,
 * compresses worse, and arrives later.
 * @param entry small script that runs first; its own imports stay with it
 * @param roots modules that are loaded at once, with all their imports @param fonts font files of every web page
 */
export const firstLoad = ({
  entry,
  roots,
  fonts,
}: {
  entry: string;
  roots: readonly string[];
  fonts: readonly RegExp[];
}) => {
  const first = new Set<string>();
  const plugin: Plugin = {
    name: 'vitrine:first-load',
    apply: 'build',
    buildEnd() {
      const ahead = new Set(this.getModuleInfo(entry)?.importedIds);
      const todo = [...roots];
      const icons = new Set<string>();
      let index: string | undefined;
      for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
        if (first.has(id) || ahead.has(id)) continue;
        first.add(id);
        const info = this.getModuleInfo(id);
        if (INDEX.test(id)) {
          index = id;
          todo.push(...(info?.importedIds ?? []).filter((one) => !/[\\/]icons[\\/]/.test(one)));
          continue;
        }
        for (const name of iconNames(info?.code ?? '')) icons.add(name);
        todo.push(...(info?.importedIds ?? []));
      }
      const files = index === undefined ? new Map<string, string>() : iconsIn(index);
      for (const name of icons) if (files.has(name)) first.add(files.get(name)!);
    },
    // Preloads the file and the font while the entry is still being downloaded.
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => {
        const named = (test: RegExp) => Object.keys(bundle).filter((file) => test.test(file));
        return [
          ...named(/(^|\/)first-[^/]*\.js$/).map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          })),
          ...named(/(^|\/)first-[^/]*\.css$/).map((file) => ({
            tag: 'link',
            attrs: { rel: 'stylesheet', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          })),
          ...fonts.flatMap(named).map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          })),
        ];
      },
    },
  };
  const group: Rolldown.CodeSplittingGroup = {
    debugName: 'first load',
    name: (id) => (first.has(id) ? 'first' : null),
    includeDependenciesRecursively: false,
  };
  return { plugin, group };
};

import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type ESTree, type Plugin, parseSync, Visitor } from 'vite';
import { compressed } from '../build/compressed.ts';
import { firstLoad } from '../build/first-load.ts';
import { packagesInside } from '../build/licences/inside.ts';

/**
 * Removes unused languages of React Aria: it has thirty, and the admin window has two. Saves a fifth of the first load.
 */
const ourLanguagesOnly = (): Plugin => ({
  name: 'vitrine:our-languages-only',
  enforce: 'pre',
  transform: {
    filter: { id: /[\\/]react-(aria|stately|aria-components)[\\/].*[\\/]intl[\\/].*[a-z]{2}-[A-Z]{2}\.m?js$/ },
    handler: (_code, id) => (/(en-US|de-DE)\.m?js$/.test(id) ? null : { code: 'export default {};', map: null }),
  },
});

/**
 * Removes the JSON schema code of Zod, which only the server uses. Tree shaking cannot, because the classes refer to
 * it.
 */
const noJsonSchemas = (): Plugin => ({
  name: 'vitrine:no-json-schemas',
  apply: 'build',
  transform: {
    filter: { id: /[\\/]zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/ },
    handler: (code) => ({
      code: [...code.matchAll(/^export (?:const|function) (\w+)/gm)]
        .map(([, name]) => `export const ${name} = () => undefined;`)
        .join('\n'),
      map: null,
    }),
  },
});

/**
 * Fields of declared endpoints that only the server needs: documentation and rights. Browsers need only the other
 * fields.
 */
const SERVERS_OWN: ReadonlySet<string> = new Set(['summary', 'description', 'acts', 'shows']);
let endpointsCut = 0;
const callsOnly = (): Plugin => ({
  name: 'vitrine:calls-only',
  apply: 'build',
  enforce: 'pre',
  // Fails the build if the filter below matches no file, because nothing else would show that the first load has become
  // larger.
  buildEnd(error) {
    if (!error && endpointsCut === 0) this.error('No declared endpoint was found: check the filter of calls-only.');
  },
  transform: {
    filter: { id: /[\\/]shared[\\/]contract[\\/](?:[\w-]+[\\/])?[\w-]+\.ts$/ },
    handler: (code, id) => {
      const cuts: ESTree.Span[] = [];
      new Visitor({
        CallExpression({ arguments: [at, declared] }) {
          const isEndpoint = at?.type === 'Literal' && /^[A-Z]+ \//.test(String(at.value));
          if (!isEndpoint || declared?.type !== 'ObjectExpression') return;
          for (const one of declared.properties)
            if (one.type === 'Property' && one.key.type === 'Identifier' && SERVERS_OWN.has(one.key.name))
              cuts.push(one);
        },
      }).visit(parseSync(id, code).program);
      endpointsCut += cuts.length;
      const lean = cuts
        .toSorted((a, b) => b.start - a.start)
        .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end).replace(/^\s*,/, ''), code);
      return { code: lean, map: null };
    },
  },
});

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The modules of the first load. They include the screens page, since it is the start page. */
const first = firstLoad({
  entry: here('./main.tsx'),
  roots: [here('./start.tsx'), here('./pages/screens/list/ScreensPage.tsx')],
  fonts: [/inter-latin-wght-normal-[^/]*\.woff2$/],
});

/** Texts of the first load, as one file for each language. */
const firstTexts = ['en', 'de'].map((language) => ({
  name: `${language}-first`,
  test: new RegExp(`[\\\\/]i18n[\\\\/]${language}(\\.first|[\\\\/](common|screens|selection))\\.ts$`),
  includeDependenciesRecursively: false,
}));

const target = process.env['VITRINE_DEV_SERVER'] ?? 'http://127.0.0.1:8710';
/** Paths of the server's API. The source files of the folder `admin-ui/api` have paths that begin with `/api` as well. */
const API = String.raw`^/api/(?![^?]*\.tsx?(\?|$))`;

/** Prints the address of the gallery of components (dev/gallery) below the address of the admin window. */
const galleryAddress = (): Plugin => ({
  name: 'vitrine:gallery-address',
  apply: 'serve',
  configureServer: (server) => {
    const { printUrls } = server;
    server.printUrls = () => {
      printUrls();
      for (const url of server.resolvedUrls?.local ?? []) server.config.logger.info(`  Gallery: ${url}dev/gallery/`);
    };
  },
});

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [
    ourLanguagesOnly(),
    noJsonSchemas(),
    callsOnly(),
    react(),
    first.plugin,
    compressed(),
    packagesInside(here('..')),
    galleryAddress(),
  ],
  build: {
    outDir: fileURLToPath(new URL('../dist/admin', import.meta.url)),
    emptyOutDir: true,
    // Keeps fonts in files, since the CSP allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [first.group, ...firstTexts] } } },
    // Size in kB above which the build warns. The entry file is large, because it contains everything that is always
    // needed (build/first-load.ts).
    chunkSizeWarningLimit: 1000,
    target: ['chrome120', 'firefox121', 'safari17'],
  },
  server: { proxy: { [API]: { target, ws: true } } },
});

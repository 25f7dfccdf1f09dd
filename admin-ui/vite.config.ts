import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressed } from '../build/compressed.ts';
import { firstLoad } from '../build/first-load.ts';
import { packagesInside } from '../build/licences/inside.ts';

/** React Aria speaks thirty languages; ours are two. Leaving the others out saves a fifth of the first load. */
const ourLanguagesOnly = (): Plugin => ({
  name: 'vitrine:our-languages-only',
  enforce: 'pre',
  transform: {
    filter: { id: /[\\/]react-(aria|stately|aria-components)[\\/].*[\\/]intl[\\/].*[a-z]{2}-[A-Z]{2}\.m?js$/ },
    handler: (_code, id) => (/(en-US|de-DE)\.m?js$/.test(id) ? null : { code: 'export default {};', map: null }),
  },
});

/** Zod can write JSON schemas; the server does, browsers never. Its classes hold on to all of that. */
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

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** Loads the wall of screens at once, since people arrive there. */
const first = firstLoad({
  entry: here('./main.tsx'),
  roots: [here('./start.tsx'), here('./places/screens/ScreensPage.tsx')],
  fonts: [/inter-latin-wght-normal-[^/]*\.woff2$/],
});

/** The texts of the first load as one file for each language, as firstLoad does for what it says. */
const firstTexts = ['en', 'de'].map((language) => ({
  name: `${language}-first`,
  test: new RegExp(`[\\\\/]i18n[\\\\/]${language}(\\.first|[\\\\/](common|screens|selection))\\.ts$`),
  includeDependenciesRecursively: false,
}));

const target = process.env['VITRINE_DEV_SERVER'] ?? 'http://127.0.0.1:8710';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [ourLanguagesOnly(), noJsonSchemas(), react(), first.plugin, compressed(), packagesInside(here('..'))],
  build: {
    outDir: fileURLToPath(new URL('../dist/admin', import.meta.url)),
    emptyOutDir: true,
    // Keeps fonts in files, since the CSP allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [first.group, ...firstTexts] } } },
    // One file of what is needed anyway (build/first-load.ts).
    chunkSizeWarningLimit: 1000,
    target: ['chrome120', 'firefox121', 'safari17'],
  },
  server: { proxy: { '/api': { target, ws: true } } },
});

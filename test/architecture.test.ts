/** The rules for imports between folders, checked from import lines. A failure names the file and the import. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const SOURCE_FOLDERS = ['shared', 'server', 'player', 'admin-ui', 'build', 'test'];
const LONG_FILE_LINES = 400;

interface Import {
  readonly file: string;
  /** A path from the root of the repository, or the name of a package with its subpath. */
  readonly target: string;
  readonly isLocal: boolean;
  /** A type import: it does not exist at run time. */
  readonly isType: boolean;
  /** True for a dynamic import, which is loaded when its line runs, not with the file. */
  readonly isLazy: boolean;
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const walk = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (['node_modules', 'dist', '.git', '.vitrine', 'test-artefacts'].includes(entry.name)) return [];
    return entry.isDirectory() ? walk(path) : entry.isFile() ? [path] : [];
  });

/** Removes comments, because they may quote imports. The slashes of URLs in strings stay. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g;

const read = (file: string): Source => {
  const text = readFileSync(join(root, file), 'utf8');
  const imports = [...withoutComments(text).matchAll(IMPORT)].map((match): Import => {
    const name = match[2] ?? match[3] ?? '';
    const isLocal = name.startsWith('.') || name.startsWith('/');
    const from = name.startsWith('/') ? join(root, 'admin-ui') : join(root, dirname(file));
    return {
      file,
      isLocal,
      isType: match[1] !== undefined,
      isLazy: match[3] !== undefined,
      target: isLocal ? relative(root, join(from, name)).replaceAll('\\', '/') : name,
    };
  });
  return { file, text, imports };
};

const sources = SOURCE_FOLDERS.flatMap(walk)
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
  .map(read);

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
/** Test helpers that lie beside the tested code. */
const isForTests = (file: string): boolean =>
  isTest(file) || file.startsWith('test/') || /\/testing\//.test(file) || /\bfakes\.ts$/.test(file);
const product = sources.filter(({ file }) => !isForTests(file));
const imports = product.flatMap((source) => source.imports);

/** `server/features/playlists/x.ts` → `playlists` */
const featureOf = (file: string): string | undefined => {
  const found = /^server\/(?:features\/([^/]+)|(store-link))\//.exec(file);
  return found?.[1] ?? found?.[2];
};
/**
 * Returns whether a file may create the long-lived parts of a program. A worker may, because it is a small separate
 * program.
 */
const composes = (file: string): boolean =>
  /^server\/(?:compose\/(?:[^/]+\/)?)?[^/]+\.ts$/.test(file) || /[.-]worker\.ts$/.test(file);
const isPackage = (target: string, ...names: string[]): boolean =>
  names.some((name) => target === name || target.startsWith(`${name}/`));

const none = (found: readonly (Import | string)[]) =>
  assert.deepEqual(
    found.map((each) => (typeof each === 'string' ? each : `${each.file} → ${each.target}`)),
    [],
  );
/** Fails with a list of the imports that match the condition, if there are any. */
const forbid = (is: (each: Import) => boolean, among: readonly Import[] = imports) => none(among.filter(is));

test('reader of import lines finds all imports and ignores comments', () => {
  const find = (text: string) => [...withoutComments(text).matchAll(IMPORT)].map((match) => match[2] ?? match[3]);
  assert.deepEqual(
    find(
      "import a, { type B } from './a.ts';\nimport './b.css';\nexport { c } from './c.ts';\nexport * from 'd';\nconst e = await import('./e.ts');",
    ),
    ['./a.ts', './b.css', './c.ts', 'd', './e.ts'],
  );
  assert.deepEqual(
    find("import {\n  f,\n  g,\n} from '../f.ts';\nimport type { H } from 'h';\nimport * as i from 'node:i';"),
    ['../f.ts', 'h', 'node:i'],
  );
  assert.deepEqual(
    find("// import './no.ts';\n/** import x from 'no' */\nconst url = 'http://x'; const from = 'y';"),
    [],
  );
  assert.ok(imports.length > 100);
});

test('rule 1: shared imports no other folder and no module of Node', () => {
  forbid(
    ({ file, target, isLocal }) =>
      file.startsWith('shared/') && (isLocal ? !target.startsWith('shared/') : target.startsWith('node:')),
  );
});

test('rule 1: shared uses no DOM, except the renderer of designs', () => {
  const dom = /\b(document|localStorage|navigator)\.|\bHTML\w*Element\b/;
  none(
    product
      .filter(
        ({ file, text }) =>
          file.startsWith('shared/') && !file.startsWith('shared/design/draw/') && dom.test(withoutComments(text)),
      )
      .map(({ file }) => file),
  );
});

test('rule 1: server, player and admin-ui never import each other', () => {
  const folders = ['server', 'player', 'admin-ui'];
  const folderOf = (path: string) => folders.find((folder) => path.startsWith(`${folder}/`));
  forbid(
    ({ file, target, isLocal }) =>
      isLocal && folderOf(file) !== undefined && folderOf(target) !== undefined && folderOf(file) !== folderOf(target),
  );
});

test("rule 2: only server/db, stores and the player's agent import database packages", () => {
  const mayKnow = (file: string) =>
    file.startsWith('server/db/') || file.endsWith('.store.ts') || file.startsWith('player/agent/');
  forbid(({ file, target }) => isPackage(target, 'drizzle-orm', 'drizzle-kit', 'better-sqlite3') && !mayKnow(file));
});

test('drizzle is imported in one file, as CommonJS, since its ES modules cost 160 MB at start', () => {
  forbid(
    ({ file, target }) =>
      isPackage(target, 'drizzle-orm') && !['server/db/drizzle.ts', 'server/db/drizzle.bundled.mjs'].includes(file),
  );
});

test('file that reads its own path is as many folders deep as the bundle, so both compute the same root folder', () => {
  const asks = product.filter(
    ({ file, text }) =>
      /^(server|player|shared)\/(?!screen|web)/.test(file) &&
      /\bimport\.meta\.(dirname|filename)\b|\bURL\([^)]*import\.meta\.url/.test(withoutComments(text)),
  );
  none(
    asks
      .map(({ file }) => file)
      .filter((file) => !/^(server\/kernel|player\/agent)\/place\.ts$|\.vite\.ts$|vite\.config\.ts$/.test(file)),
  );
});

test('rule 2: only server/http and routes import express', () => {
  forbid(
    ({ file, target }) =>
      isPackage(target, 'express') && !file.startsWith('server/http/') && !file.endsWith('.routes.ts'),
  );
});

test("rule 2: only server/realtime and the player's pinned connection import ws", () => {
  forbid(
    ({ file, target }) =>
      isPackage(target, 'ws') && !file.startsWith('server/realtime/') && file !== 'player/agent/pinned.ts',
  );
});

test('rule 2: only desktop folders import electron', () => {
  forbid(({ file, target }) => isPackage(target, 'electron') && !/^(server|player|build)\/desktop\//.test(file));
});

test('NATS packages are imported only by the two ends of the connection, which are loaded on demand', () => {
  const ends = ['server/headquarters/transport/nats-hub.ts', 'server/store-link/connection/nats-connection.ts'];
  forbid(({ file, target }) => /^@nats-io\//.test(target) && !ends.includes(file));
  const loadedAtOnce = /^(?:import|export) (?!type\b)[^;]*?\bfrom '[^']*\/nats-(?:hub|connection)\.ts'/m;
  none(product.filter(({ text }) => loadedAtOnce.test(withoutComments(text))).map(({ file }) => file));
});

test('PostgreSQL package is imported only by headquarters, and loaded on demand', () => {
  const isPg = (target: string) => isPackage(target, 'pg') || target.startsWith('pg-');
  forbid(
    ({ file, target }) => isPg(target) && !/^server\/headquarters\/plays\/pg-(connection|schema|copy)\.ts$/.test(file),
  );
  const loadedAtOnce = /^(?:import|export) (?!type\b)[^;]*?\bfrom 'pg'/m;
  none(product.filter(({ text }) => loadedAtOnce.test(withoutComments(text))).map(({ file }) => file));
});

test('code that brings campaigns to a store is loaded only with the connection to headquarters', () => {
  const parts =
    /^server\/store-link\/(campaigns\/(fetcher|partial-files|pace|progress|preview|desired-state|campaigns\.store)|connection\/pause|transfer\/transfer-files)\.ts$/;
  forbid(
    ({ file, target, isType }) =>
      parts.test(target) && !isType && !parts.test(file) && file !== 'server/compose/chain-works.ts',
  );
  const loadedAtOnce = /^(?:import|export) (?!type\b)[^;]*?\bfrom '[^']*\/chain-works\.ts'/m;
  none(product.filter(({ text }) => loadedAtOnce.test(withoutComments(text))).map(({ file }) => file));
});

test('threads that validate nothing load no schemas, which would cost 4 MB of memory each', () => {
  const threads = ['features/reports/reports-worker', 'features/widgets/feed.worker', 'media/media-worker']
    .concat('db/checkpoint.worker', 'cli/waiting.worker')
    .map((name) => `server/${name}.ts`);
  const byFile = new Map(product.map((source) => [source.file, source]));
  /**
   * Maps each loaded file to the chain of imports that leads to the file. The loop also follows the imports of files
   * that it adds.
   */
  const loaded = new Map(threads.map((file) => [file, file]));
  for (const [file, way] of loaded)
    for (const { target, isLocal, isType, isLazy } of byFile.get(file)?.imports ?? []) {
      if (isType || isLazy) continue;
      assert.ok(!isPackage(target, 'zod'), way);
      if (isLocal && !loaded.has(target)) loaded.set(target, `${way} → ${target}`);
    }
  assert.ok(loaded.size > 40, 'the ways are followed');
});

test('rule 3: routes import no stores, stores import no services or routes, and services import no routes', () => {
  forbid(({ file, target }) => file.endsWith('.routes.ts') && target.endsWith('.store.ts'));
  forbid(({ file, target }) => file.endsWith('.store.ts') && /\.(service|routes)\.ts$/.test(target));
  forbid(({ file, target }) => file.endsWith('.service.ts') && target.endsWith('.routes.ts'));
});

test("rules 3 and 4: a feature imports only types of another feature's service, and neither its store nor its routes", () => {
  forbid(
    ({ file, target, isType }) =>
      /\.(store|service|routes)\.ts$/.test(target) &&
      !(isType && target.endsWith('.service.ts')) &&
      featureOf(target) !== undefined &&
      featureOf(file) !== featureOf(target) &&
      !composes(file),
  );
});

/**
 * Layers of the server, the lowest first. A file imports from its own layer and from lower layers. Files that create the
 * parts of a program may import from all layers.
 */
const SERVER_LAYERS = [
  ['kernel'],
  ['db', 'http', 'net', 'tls', 'discovery', 'service', 'mails', 'transfer', 'versions'].concat(
    ['config', 'data-place', 'identity', 'version', 'release-keys', 'compile-cache'].map((name) => `${name}.ts`),
  ),
  ['media', 'programs', 'realtime'],
  ['features'],
  ['store-link', 'headquarters'],
  ['upkeep'],
  ['compose', 'cli', 'desktop', 'app.ts', 'launch.ts', 'main.ts', 'serve.ts', 'start-notes.ts'],
];
/** Imports from a higher layer, each with the reason why it stays. */
const UPWARD_IMPORTS = new Map([
  [
    'server/kernel/parts.ts → server/db/database.ts',
    'A type only: the parts that every service gets include the database, which itself needs the log and the clock.',
  ],
]);

test('server files import only from their own layer and from lower layers', () => {
  const layerOf = (path: string) => {
    const name = path.split('/')[1]!;
    const layer = SERVER_LAYERS.findIndex((names) => names.includes(name));
    assert.ok(layer >= 0, `${path}: add ${name} to SERVER_LAYERS`);
    return layer;
  };
  const upward = imports
    .filter(({ file, target }) => file.startsWith('server/') && target.startsWith('server/'))
    .filter(({ file, target }) => !/[.-]worker\.ts$/.test(file) && layerOf(file) < layerOf(target))
    .map(({ file, target }) => `${file} → ${target}`);
  assert.deepEqual(upward.sort(), [...UPWARD_IMPORTS.keys()].sort());
});

test('rule 5: only the composition root creates services, stores and other long-lived parts', () => {
  const found = product
    .filter(({ file }) => file.startsWith('server/') && !composes(file))
    .flatMap(({ file, text }) =>
      [...withoutComments(text).matchAll(/\bnew (\w+(?:Service|Store))\(/g)].map(
        (match) => `${file} → new ${match[1]}`,
      ),
    );
  none(found);
});

test('rule 6: shared/program gets the time as a parameter', () => {
  const clock =
    /\bDate\.now\b|\bnew Date\(\)|\bsetTimeout\b|\bsetInterval\b|\bMath\.random\b|\bperformance\b|\bTemporal\.Now\b/;
  none(
    product
      .filter(({ file, text }) => file.startsWith('shared/program/') && clock.test(withoutComments(text)))
      .map(({ file }) => file),
  );
});

test('rule 6: player core uses neither Node nor a DOM, and uses its hosts only through their interface', () => {
  const isHost = (target: string) => /^player\/(?!core\/)/.test(target) && target !== 'player/screen/host/host.ts';
  forbid(({ file, target }) => file.startsWith('player/core/') && (target.startsWith('node:') || isHost(target)));
  const dom = /\b(document|localStorage|navigator)\./;
  none(
    product
      .filter(({ file, text }) => file.startsWith('player/core/') && dom.test(withoutComments(text)))
      .map(({ file }) => file),
  );
});

test('rule 7: components know nothing of digital signage, and import only each other and drawings', () => {
  forbid(
    ({ file, target, isLocal }) =>
      file.startsWith('admin-ui/components/') && isLocal && !/^admin-ui\/(components|drawings)\//.test(target),
  );
});

test('rule 7: domain and api import no page', () => {
  forbid(
    ({ file, target, isLocal }) =>
      /^admin-ui\/(domain|api)\//.test(file) && isLocal && /^admin-ui\/(pages|app)\//.test(target),
  );
});

test('rule 7: pages do not import each other', () => {
  const pageOf = (path: string) => /^admin-ui\/pages\/([^/]+)\//.exec(path)?.[1];
  forbid(
    ({ file, target }) => pageOf(file) !== undefined && pageOf(target) !== undefined && pageOf(file) !== pageOf(target),
  );
});

test('rule 8: no file only re-exports other files (barrel file)', () => {
  const isBarrel = ({ text }: Source) => {
    const lines = withoutComments(text).trim();
    return (
      lines !== '' &&
      lines.replace(/export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+['"][^'"]+['"];?/g, '').trim() ===
        ''
    );
  };
  none(product.filter(isBarrel).map(({ file }) => file));
});

test('rule 8: no import cycles', () => {
  const graph = new Map(
    product.map((source) => [source.file, source.imports.filter((each) => each.isLocal).map((each) => each.target)]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) cycles.push([...path.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  none(cycles);
});

test('rule 9: no program imports from test, and no test imports another test', () => {
  forbid(({ target, isLocal }) => isLocal && isForTests(target));
  forbid(
    ({ target, isLocal }) => isLocal && isTest(target),
    sources.flatMap((source) => source.imports),
  );
});

/** Verbs that do not say an effect (docs/glossary.md, Former names). */
const VAGUE = /^(?:take|tell|say|hear|look|ask|hold|give|heed)s?$/;
const METHOD = /^ {2}(?:async |static |override |get )*(\w+)(?:<[^(\n]*>)?\([^;\n]*$/gm;

test('no exported class has a method whose name is only a vague verb', () => {
  none(
    product.flatMap(({ file, text }) =>
      file.endsWith('.ts') && /^export (?:abstract )?class /m.test(text)
        ? [...withoutComments(text).matchAll(METHOD)]
            .filter(([, name]) => VAGUE.test(name!))
            .map(([, name]) => `${file}: ${name}`)
        : [],
    ),
  );
});

test('every local import names its file with the extension', () => {
  forbid(
    ({ target, isLocal }) => isLocal && !/\.\w+(\?\w+)?$/.test(target),
    sources.flatMap((source) => source.imports),
  );
});

test('class stores its dependencies as the field `#deps`, and copies none of them into other fields', () => {
  const constructors = /^ {2}(?:private )?constructor\(([\s\S]*?)\) \{\n([\s\S]*?)^ {2}\}$/gm;
  const found = product.flatMap(({ file, text }) =>
    [...text.matchAll(constructors)].flatMap(([, parameters = '', body = '']) => {
      const copies = [...body.matchAll(/^ {4}this\.#(\w+) = deps\.\1;$/gm)];
      return parameters.startsWith('{') || /^(needs|parts|options: \{)\b/.test(parameters) || copies.length > 1
        ? [`${file}: constructor(${parameters})`]
        : [];
    }),
  );
  none(found);
});

test("no file contains the name of this machine, a user's folder or a package registry", () => {
  const everything = walk('').filter(
    (file) => !/\.(png|jpe?g|webp|gif|ico|woff2?|mp4|webm|mp3|pdf|icns)$/.test(file) && !file.endsWith('.log'),
  );
  const registry = process.env['npm_config_registry'];
  const own = [root, homedir(), registry && new URL(registry).host].filter(
    (word): word is string => Boolean(word) && word !== '/',
  );
  const others = [
    /\/(home|Users)\/[a-z][\w-]*\//,
    /[A-Z]:\\Users\\/,
    /https?:\/\/(?:[\w-]+\.)*(?:registry|npm|artifactory|nexus)[\w-]*\./,
    /"resolved": ?"http/,
  ];
  const found = everything.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    // The licence of Node contains the address of npm's registry, and is quoted exactly.
    const isQuoted = /^build\/licences\/texts\/node-/.test(file);
    return [
      ...own.filter((word) => text.includes(word)),
      ...(isQuoted ? [] : others).filter((pattern) => pattern.test(text)).map(String),
    ].map((what) => `${file}: ${what}`);
  });
  none(found);
});

test('files over 400 lines are printed as a hint', (t) => {
  for (const { file, text } of product) {
    const lines = text.split('\n').length - 1;
    if (lines > LONG_FILE_LINES) t.diagnostic(`${file}: ${lines} lines`);
  }
});

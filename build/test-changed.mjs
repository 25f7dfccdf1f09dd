/** Determines which test files a changed file can affect: by imports, started programs and opened pages. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, Sentence } from './install.mjs';
import { suites } from './test-suites.mjs';

/** Entry files of the built folders. A test whose text contains such a folder depends on the entry file. */
const BUILT = {
  'dist/screen': 'player/screen/main.ts',
  'dist/player': 'player/web/main.ts',
  'dist/admin': 'admin-ui/main.tsx',
};
/**
 * Programs read migrations, style sheets and pages of widgets by folder, so no import leads to these files. A change of
 * such a file affects the tests of the program with this entry file.
 */
const READS_FOLDER = { server: 'server/main.ts', player: 'player/screen/main.ts', 'admin-ui': 'admin-ui/main.tsx' };
/** Files whose change can affect every test. */
const EVERYTHING =
  /^(package(-lock)?\.json|tsconfig\.json|build\/(install|ensure-built|system-tools|test[\w-]*)\.mjs)$/;

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)['"](\.{1,2}\/[^'"]+)['"]/g;
const PROGRAM = /['"`]((?:server|player|admin-ui|shared|build|test)\/[\w./-]+\.(?:ts|tsx|mjs))['"`]/g;

/** Returns the project files that the text of a file refers to. */
export const namedIn = (file, text, { isFile = isProjectFile } = {}) => {
  const found = new Set();
  for (const [, path] of text.matchAll(IMPORT)) {
    const named = join(dirname(file), path).replaceAll('\\', '/');
    if (isFile(named)) found.add(named);
  }
  for (const [, path] of text.matchAll(PROGRAM)) if (isFile(path)) found.add(path);
  for (const [folder, entry] of Object.entries(BUILT)) if (text.includes(folder) && isFile(entry)) found.add(entry);
  return [...found];
};

const isProjectFile = (path) => existsSync(join(root, path)) && statSync(join(root, path)).isFile();

/** Returns every file that `file` depends on, including itself. `known` is a cache that this function fills. */
export const reachedFrom = (file, namedBy, known = new Map()) => {
  const seen = new Set([file]);
  const waiting = [file];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (!known.has(next)) known.set(next, namedBy(next));
    for (const each of known.get(next))
      if (!seen.has(each)) {
        seen.add(each);
        waiting.push(each);
      }
  }
  return seen;
};

const git = (...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Sentence(`git ${args.join(' ')}: ${stderr.trim()}`);
  return stdout.split('\n').filter(Boolean);
};

/** Returns the files that differ from the commit `base`, including new files. */
const changedSince = (base) => [
  ...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]),
];

/**
 * Returns the test files that a change since the commit `base` can affect.
 * @throws Sentence when git does not know the commit
 */
export const testsReaching = (base) => {
  const changed = changedSince(base);
  const all = Object.values(suites).flatMap((suite) => suite.files.map((file) => ({ file, pages: suite.pages })));
  if (changed.some((file) => EVERYTHING.test(file))) return all.map(({ file }) => file);
  const namedBy = (file) => (/\.(ts|tsx|mjs)$/.test(file) ? namedIn(file, readFileSync(join(root, file), 'utf8')) : []);
  const known = new Map();
  const pages = new Set(
    Object.values(BUILT).flatMap((entry) => (isProjectFile(entry) ? [...reachedFrom(entry, namedBy, known)] : [])),
  );
  const reaches = all.map((test) => ({ ...test, reached: reachedFrom(test.file, namedBy, known) }));
  const isNamed = (file) => pages.has(file) || reaches.some(({ reached }) => reached.has(file));
  const looked = changed.map((file) => (isNamed(file) ? file : (READS_FOLDER[file.split('/')[0]] ?? file)));
  return reaches
    .filter(({ reached, pages: opens }) => looked.some((file) => reached.has(file) || (opens && pages.has(file))))
    .map(({ file }) => file);
};

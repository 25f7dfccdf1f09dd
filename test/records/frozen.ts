/**
 * Records what a refactoring must not change, and compares it later: the OpenAPI document, the help of every command,
 * the database schema, the texts of the admin window and of screens, the recordings of older versions, and the built
 * files. `npm run frozen -- record FILE.json` records. `npm run frozen -- compare FILE.json` prints each difference;
 * exit code 3 when there is a difference. A commit that changes only comments leaves the hashes of all built programs
 * unchanged.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';
import { openDatabase } from '../../server/db/open.ts';
import type { Endpoint } from '../../shared/contract/endpoint.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const EXIT_WRONG_USE = 2;
const EXIT_DIFFERENT = 3;
/** Sizes of built files may grow by this share. A hash that differs is always printed. */
const SIZE_TOLERANCE = 0.03;

type Facts = Record<string, string>;

const sha = (value: string | Buffer): string => createHash('sha256').update(value).digest('hex').slice(0, 16);
const run = (args: readonly string[]): string =>
  execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });

/** Returns the leaves of a nested value by their path. A function is represented by its source text. */
const leavesOf = (value: unknown, path: string, into: Facts): Facts => {
  if (value !== null && typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) leavesOf(inner, `${path}.${key}`, into);
  else into[path] = sha(String(value));
  return into;
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Returns the schema of a new database, by the name of each table, index, trigger and view. */
const schema = (): Facts => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-frozen-'));
  try {
    const file = join(folder, 'vitrine.db');
    openDatabase(file).close();
    const raw = new BetterSqlite3(file, { readonly: true });
    const rows = raw.prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE '\\_\\_%' ESCAPE '\\'").all();
    raw.close();
    return Object.fromEntries(
      (rows as { name: string; sql: string | null }[]).map((row) => [row.name, sha(row.sql ?? '')]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Returns the help of `vitrine` and of each command that it lists. */
const help = (): Facts => {
  const all = run(['server/cli/main.ts', '--help']);
  const commands = new Set([...all.matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name]) => name!));
  const facts: Facts = { vitrine: sha(all) };
  for (const command of commands) facts[command] = sha(run(['server/cli/main.ts', command, '--help']));
  return facts;
};

const texts = async (): Promise<Facts> => {
  const facts: Facts = {};
  const { en } = await import('../../admin-ui/i18n/en.ts');
  const { de } = await import('../../admin-ui/i18n/de.ts');
  const { sentences } = await import('../../shared/sentences/de.ts');
  leavesOf(en, 'window.en', facts);
  leavesOf(de, 'window.de', facts);
  leavesOf(sentences, 'sentences', facts);
  leavesOf(await import('../../player/screen/text.ts'), 'screen', facts);
  leavesOf(await import('../../player/web/text.ts'), 'browser', facts);
  return facts;
};

const recordings = (): Facts =>
  Object.fromEntries(
    execFileSync('git', ['ls-files', '*.gz', 'server/db/migrations/*.sql'], { cwd: ROOT, encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map((file) => [basename(file), sha(readFileSync(join(ROOT, file)))]),
  );

/** Removes the hash that the bundler puts into file names. */
const stableName = (file: string): string => relative(join(ROOT, 'dist'), file).replace(/-[\w-]{8}(?=\.\w+$)/, '');
const built = (): { hashes: Facts; sizes: Record<string, number> } => {
  const files = filesBelow(join(ROOT, 'dist')).filter((file) => /\.(m?js|css|html)$/.test(file));
  const sizes: Record<string, number> = {};
  for (const file of files) {
    const folder = stableName(file).split('/')[0]!;
    sizes[folder] = (sizes[folder] ?? 0) + (statSync(file).size > 0 ? gzipSync(readFileSync(file)).length : 0);
  }
  return { hashes: Object.fromEntries(files.map((file) => [stableName(file), sha(readFileSync(file))])), sizes };
};

/** Returns the endpoints of every contract file, including those of headquarters. */
const declaredEndpoints = async (): Promise<Endpoint[]> => {
  const folder = join(ROOT, 'shared', 'contract');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort((a, b) => basename(a).localeCompare(basename(b), 'en'));
  const modules = await Promise.all(
    files.map((file) => import(join(folder, file)) as Promise<Record<string, unknown>>),
  );
  const isEndpoint = (value: unknown): value is Endpoint =>
    typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value;
  const endpoints = new Set(modules.flatMap((module) => Object.values(module)).filter(isEndpoint));
  return [...endpoints].toSorted((a, b) => `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`));
};

const recordAll = async () => {
  run(['build/build.mjs']);
  const { openApi } = await import('../../server/http/openapi/openapi.ts');
  const { hashes, sizes } = built();
  return {
    openapi: leavesOf(openApi(await declaredEndpoints(), '0'), 'openapi', {}),
    help: help(),
    schema: schema(),
    texts: await texts(),
    recordings: recordings(),
    built: hashes,
    sizes,
  };
};

type Frozen = Awaited<ReturnType<typeof recordAll>>;

const differencesOf = (before: Frozen, now: Frozen): string[] => {
  const found: string[] = [];
  for (const part of ['openapi', 'help', 'schema', 'texts', 'recordings', 'built'] as const)
    for (const key of new Set([...Object.keys(before[part]), ...Object.keys(now[part])])) {
      const [a, b] = [before[part][key], now[part][key]];
      if (a !== b)
        found.push(`${part}: ${key} ${a === undefined ? 'is new' : b === undefined ? 'is gone' : 'differs'}`);
    }
  for (const [folder, size] of Object.entries(now.sizes)) {
    const was = before.sizes[folder] ?? 0;
    if (size > was * (1 + SIZE_TOLERANCE))
      found.push(`sizes: dist/${folder} grew from ${was} to ${size} bytes, compressed`);
  }
  return found;
};

const [word, file] = process.argv.slice(2);
if ((word !== 'record' && word !== 'compare') || file === undefined) {
  process.stderr.write('Usage: npm run frozen -- record FILE.json | compare FILE.json\n');
  process.exitCode = EXIT_WRONG_USE;
} else if (word === 'record') writeFileSync(file, JSON.stringify(await recordAll(), null, 1));
else {
  const found = differencesOf(JSON.parse(readFileSync(file, 'utf8')) as Frozen, await recordAll());
  for (const line of found) process.stdout.write(`${line}\n`);
  process.stdout.write(found.length === 0 ? 'Nothing differs\n' : `${found.length} differences\n`);
  process.exitCode = found.length === 0 ? 0 : EXIT_DIFFERENT;
}

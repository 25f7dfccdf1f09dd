/** Checks README and docs: links, named files, commands and sizes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');
/** Folders at the top of the repository. A text that begins with one of them is recognized as a path. */
const FOLDERS = /^(shared|server|player|admin-ui|build|test|docs)\//;

/** Paths below /api that are no declared endpoints: WebSockets and web pages. */
const NOT_DECLARED = new Set(['/api/live', '/api/store-live', '/api/player', '/api/docs']);

const isEndpoint = (value: unknown): value is { readonly path: string } =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && typeof value.path === 'string';

/** Returns the anchor that a Markdown viewer gives to a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (page: string) => [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

const brokenLinks = (page: string): string[] =>
  [...textOf(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, picture]) => link ?? picture!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const at = file === '' ? page : join(dirname(page), file);
      if (!existsSync(join(root, at))) return true;
      return anchor !== undefined && !anchorsOf(at).includes(anchor);
    });

test('every link in a Markdown file leads to an existing file and heading', () => {
  assert.deepEqual(
    pages.flatMap((page) => brokenLinks(page).map((target) => `${page}: ${target}`)),
    [],
  );
});

test('every source path that docs name exists', () => {
  const missing = pages
    .filter((page) => page === 'README.md' || page.startsWith('docs/'))
    .flatMap((page) =>
      [...textOf(page).matchAll(/`([\w./-]+)`/g)]
        .map(([, path]) => path!)
        .filter((path) => FOLDERS.test(path) && !existsSync(join(root, path)))
        .map((path) => `${page}: ${path}`),
    );
  assert.deepEqual(missing, []);
});

test('every endpoint that pages for integrators name is declared', async () => {
  const folder = join(root, 'shared', 'contract');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const modules = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<object>));
  const paths = modules
    .flatMap((exports) => Object.values(exports) as unknown[])
    .flatMap((value) => (isEndpoint(value) ? [value.path] : []))
    .map((path) => path.replace(/\{\w+\}/g, '{}'));
  const unknown = pages
    .filter((page) => page.startsWith('docs/integrating/'))
    .flatMap((page) =>
      [...textOf(page).matchAll(/(?:`|(?:GET|POST|PUT|DELETE) )(\/api\/[\w/{}-]*[\w}])(?=[`?…/ ])/g)]
        .map(([, path]) => path!.replace(/\{\w+\}/g, '{}'))
        .filter((path) => !NOT_DECLARED.has(path) && !paths.some((one) => one === path || one.startsWith(`${path}/`)))
        .map((path) => `${page}: ${path}`),
    );
  assert.deepEqual(unknown, []);
});

test('every npm script that docs name exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const unknown = pages.flatMap((page) =>
    [...textOf(page).matchAll(/npm run ([\w:-]+)/g)]
      .map(([, name]) => name!)
      .filter((name) => !(name in scripts))
      .map((name) => `${page}: ${name}`),
  );
  assert.deepEqual(unknown, []);
});

test('README has at most 120 lines and 9 kB', () => {
  const text = textOf('README.md');
  assert.ok(text.split('\n').length <= 121, 'Move details into docs/');
  assert.ok(Buffer.byteLength(text) <= 9_216, 'Move details into docs/');
});

test('every decision has a date, a context, a decision and consequences', () => {
  const incomplete = pages
    .filter((page) => /^docs\/decisions\/\d{4}-/.test(page))
    .filter((page) => {
      const text = textOf(page);
      return ![/^Date: \d{4}-\d{2}-\d{2}$/m, /^## Context$/m, /^## Decision$/m, /^## Consequences$/m].every((part) =>
        part.test(text),
      );
    });
  assert.deepEqual(incomplete, []);
});

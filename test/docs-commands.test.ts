/** Runs the command blocks of docs/integrating against a real server, page by page, as a reader would type them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { picture } from './api/media.ts';
import { tempFolder } from './harness.ts';
import { openShops } from './shop.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGES = join(ROOT, 'docs', 'integrating');
const run = promisify(execFile);
const shops = openShops();

const blocksOf = (page: string): string[] =>
  [...readFileSync(join(PAGES, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);

const pages = readdirSync(PAGES).filter((page) => page.endsWith('.md') && blocksOf(page).length > 0);

test('docs/integrating has pages with command blocks', () => {
  assert.ok(pages.includes('first-request.md'));
});

for (const page of pages)
  test(`every command of docs/integrating/${page} succeeds`, { timeout: 45_000 }, async (t) => {
    const shop = await shops.open(t);
    await shop.screen();
    const { token } = await shop.make('/api/tokens', { name: page, scope: 'full' });
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'photo.png'), picture(page));
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    const vitrine = join(programs, 'vitrine');
    writeFileSync(vitrine, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'server/cli/main.ts')}" "$@"\n`);
    chmodSync(vitrine, 0o755);
    const script = join(folder, 'page.sh');
    writeFileSync(script, `set -euo pipefail\n${blocksOf(page).join('\n')}`);
    await assert.doesNotReject(
      run('bash', [script], {
        cwd: folder,
        env: {
          ...process.env,
          PATH: `${programs}${delimiter}${process.env['PATH']}`,
          VITRINE_URL: shop.site.origin,
          VITRINE_TOKEN: token,
        },
      }),
    );
  });

/**
 * Runs the command blocks of docs/integrating against a real server, one documentation page after the other, as a
 * reader would type them.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { signature } from '../server/upkeep/notices/webhook.ts';
import { noticeExample } from '../shared/contract/server/notices.ts';
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

const SECRET = 'secret of the receiver';
const NOTICE = JSON.stringify(noticeExample('test'));

/** Runs a script with a bash that stops at the first failed command. */
const runScript = (folder: string, script: string, env: NodeJS.ProcessEnv) => {
  const file = join(folder, 'page.sh');
  writeFileSync(file, `set -euo pipefail\n${script}`);
  return run('bash', [file], { cwd: folder, env: { ...process.env, ...env } });
};

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
    writeFileSync(join(folder, 'notice.json'), NOTICE);
    await assert.doesNotReject(
      runScript(folder, blocksOf(page).join('\n'), {
        PATH: `${programs}${delimiter}${process.env['PATH']}`,
        VITRINE_URL: shop.site.origin,
        VITRINE_TOKEN: token,
        SECRET,
        SIGNATURE: signature(SECRET, NOTICE, Math.floor(Date.now() / 1000)),
      }),
    );
  });

const forged = {
  'another body': { body: NOTICE.replace('test', 'real'), secret: SECRET, age: 0 },
  'another secret': { body: NOTICE, secret: 'guessed', age: 0 },
  'a recorded request': { body: NOTICE, secret: SECRET, age: 301 },
};
for (const [what, { body, secret, age }] of Object.entries(forged))
  test(`the signature check of docs/integrating/webhooks.md refuses ${what}`, async (t) => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'notice.json'), body);
    const sent = signature(secret, NOTICE, Math.floor(Date.now() / 1000) - age);
    await assert.rejects(runScript(folder, blocksOf('webhooks.md').join('\n'), { SECRET, SIGNATURE: sent }), {
      code: 1,
    });
  });

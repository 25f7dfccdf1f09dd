import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { screens } from './testing/browser.ts';
import { pdf } from './testing/documents.ts';
import { GREEN, RED } from './testing/pictures.ts';
import { item, NOON } from './testing/programs.ts';

const open = screens();

const PAGE = join(import.meta.dirname, '../../dist/screen');
/** Maximum compressed size of the files that a small board must read before its first picture. */
const BUDGET_BYTES = 90_000;

test('page loads at most 90 kB compressed before the first picture', () => {
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8');
  const first = readdirSync(join(PAGE, 'assets')).filter((name) => html.includes(name));
  assert.ok(first.some((name) => name.endsWith('.js')));
  const bytes = [html, ...first.map((name) => readFileSync(join(PAGE, 'assets', name)))].reduce(
    (sum, file) => sum + brotliCompressSync(file).length,
    0,
  );
  assert.ok(bytes <= BUDGET_BYTES, `${bytes} bytes`);
});

test('page loads the code for PDF files and for QR codes only when it needs them', async () => {
  await using screen = await open({ width: 640, height: 360 });
  const loaded: string[] = [];
  screen.page.on('request', (request) => loaded.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
  const picture = await screen.plain(RED, 640, 360);
  const document = screen.host.add(pdf([GREEN]), 'application/pdf');
  screen.host.setClock(NOON + 1_000);
  screen.play(
    item(1, { asset: picture, duration_ms: 60_000 }),
    item(2, { kind: 'pdf', asset: document, duration_ms: 60_000 }),
  );
  await screen.open();
  await screen.seen(320, 180, RED);
  assert.deepEqual(
    loaded.filter((name) => /pdf|qr/.test(name)),
    [],
  );
  screen.host.setClock(NOON + 58_000);
  await screen.seen(320, 180, GREEN, 20_000);
  assert.ok(loaded.some((name) => /^pdf-document/.test(name)));
});

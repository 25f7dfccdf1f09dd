/** A temporary folder for one test, removed at its end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-player-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../test/harness.ts';
import { openLog } from './log.ts';

const MB = 1024 * 1024;

test('log continues in a new file after 10 MB without losing a line', async (t) => {
  const folder = tempFolder(t);
  const log = openLog(folder, 'info');
  const [lines, filling] = [250, 'x'.repeat(MB / 10)];
  for (let number = 0; number < lines; number++) {
    log.info('filling', { number, filling });
    // The test writes in several turns of the event loop, as the server does.
    await new Promise(setImmediate);
  }
  await log.close();
  const files = readdirSync(folder).filter((name) => name.endsWith('server.log'));
  assert.ok(files.length >= 3, files.join(' '));
  for (const name of files) assert.ok(statSync(join(folder, name)).size < 11 * MB, name);
  const written = files
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line).number as number);
  assert.deepEqual(
    written.toSorted((a, b) => a - b),
    Array.from({ length: lines }, (_, number) => number),
  );
});

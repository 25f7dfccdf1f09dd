/** Tests the ZIP of an export and the order of its steps. exchange.test.ts tests the manifest of an export. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { tooMany } from '../../../shared/contract/errors.ts';
import { actorOf } from '../../../test/rows.ts';
import { MANIFEST_NAME } from './exchange-format.ts';
import { ExportService } from './export.service.ts';
import type { DescriptionTask } from './export-thread.ts';

const NOW = Date.UTC(2026, 2, 10, 23, 30, 0, 900);
const MEDIA = 'as it was uploaded '.repeat(100);
/** Position of the compression method in the header of a ZIP entry, relative to its name. */
const METHOD = -22;
const [STORED, DEFLATED] = [0, 8];

const openExport = (t: TestContext, { names = ['photo'], refuse }: { names?: string[]; refuse?: Error } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'photo'), MEDIA);
  const did: string[] = [];
  const asked: DescriptionTask[] = [];
  const service = new ExportService({
    db: {
      file: 'the.db',
      write: (work: () => unknown) => work(),
      durable: async () => void did.push('on disk'),
    } as never,
    clock: { now: () => NOW },
    activity: { add: ({ workspaceId, action, details }) => did.push(`${workspaceId} ${action}: ${details}`) },
    threads: {
      describe: async (task) => {
        asked.push(task);
        did.push('described');
        if (refuse) throw refuse;
        const text = Uint8Array.from(Buffer.from('{"format":"it"}'));
        return { text, files: names.map((name) => [name, `files/${name}.png`] as const), contents: 7 };
      },
    },
    pathOf: (sha256) => join(folder, sha256),
    version: '1.2.3',
  });
  const chunks: Buffer[] = [];
  const silence: { ms?: number; end?: () => void } = {};
  const head: unknown[] = [];
  const res = Object.assign(
    new Writable({
      write: (chunk: Buffer, _, done) => {
        chunks.push(chunk);
        done();
      },
    }),
    {
      writeHead: (...said: unknown[]) => {
        did.push('sent');
        head.push(...said);
      },
      setTimeout: (ms: number, end: () => void) => Object.assign(silence, { ms, end }),
    },
  );
  const send = () => service.send(actorOf('here'), res as unknown as ServerResponse);
  return { send, did, asked, head, res, silence, bytes: () => Buffer.concat(chunks) };
};

test('an export contains only data on disk, and its log entry is on disk before the first byte is sent', async (t) => {
  const { send, did, asked, head } = openExport(t);
  await send();
  assert.deepEqual(did, ['on disk', 'described', 'here workspace.exported: 7 contents', 'on disk', 'sent']);
  assert.deepEqual(asked, [
    { file: 'the.db', workspaceId: 'here', madeBy: 'Vitrine 1.2.3', madeAt: '2026-03-10T23:30:00.900Z' },
  ]);
  assert.deepEqual(head, [
    200,
    {
      'Content-Type': 'application/zip',
      'Content-Disposition': 'attachment; filename="vitrine-2026-03-10.zip"',
      'Cache-Control': 'no-store',
    },
  ]);
});

test('the ZIP contains the manifest and each media file uncompressed, because media are compressed already', async (t) => {
  const { send, bytes, res } = openExport(t);
  await send();
  const zip = bytes();
  const method = (name: string) => zip.readUInt16LE(zip.indexOf(name) + METHOD);
  assert.deepEqual([method('files/photo.png'), method(MANIFEST_NAME)], [STORED, DEFLATED]);
  assert.ok(zip.includes(MEDIA));
  assert.deepEqual([res.writableFinished, zip.subarray(-22, -18).toString('latin1')], [true, 'PK\u0005\u0006']);
});

test('an export whose manifest fails is not logged, and sends nothing', async (t) => {
  const { send, did, res } = openExport(t, { refuse: tooMany(30, 'The server is busy with other exports') });
  await assert.rejects(send(), { status: 429 });
  assert.deepEqual([did, res.destroyed], [['on disk', 'described'], false]);
});

test('an export is cut off when a media file is missing, or when its client reads nothing for a minute', async (t) => {
  const vanished = openExport(t, { names: ['photo', 'gone'] });
  await vanished.send();
  assert.deepEqual([vanished.res.destroyed, vanished.res.writableFinished], [true, false]);

  const stalled = openExport(t);
  stalled.res._write = () => stalled.silence.end!();
  await stalled.send();
  assert.deepEqual([stalled.silence.ms, stalled.res.destroyed], [60_000, true]);
});

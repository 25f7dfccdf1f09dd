/**
 * Verification of a chain's report that a test builds from a real store's segments and then manipulates in every way.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { chainFileText } from '../../../shared/chain/report-file.ts';
import {
  decodeColumns,
  encodeColumns,
  headOf,
  type SegmentBody,
  type SegmentHeader,
  segmentText,
} from '../../../shared/chain/segment.ts';
import { tempFolder } from '../../../test/harness.ts';
import { openDatabase } from '../../db/open.ts';
import { type Key, newKey } from '../../store-link/testing/journal.ts';
import { enrolled, outboxOf, Panels } from '../../store-link/testing/store.ts';
import { verify } from '../verify.ts';
import type { ChainVerdict } from './verify-chain.ts';

const SPKI = '302a300506032b6570032100';
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

interface Told {
  readonly header: SegmentHeader;
  readonly bytes: Buffer;
}
const fileOf = ({ header, bytes }: Told): Buffer => Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), bytes]);

/** Returns a segment that a malicious store could make: other plays, signed with the store's own key. */
const madeOver = (
  told: Told,
  key: Key,
  change: (body: SegmentBody) => SegmentBody,
  prev_head = told.header.prev_head,
): Told => {
  const body = change(decodeColumns(zstdDecompressSync(told.bytes)));
  const bytes = zstdCompressSync(encodeColumns(body));
  const facts = {
    ...told.header,
    prev_head,
    plays: body.plays.length,
    head: headOf(sha256, prev_head, body.plays),
    bytes: bytes.length,
  };
  return { bytes, header: { ...facts, key: key.key, signature: key.sign(segmentText(facts, sha256(bytes))) } };
};

const setUp = async (t: TestContext) => {
  const folder = tempFolder(t);
  const db = openDatabase(join(folder, 'vitrine.db'));
  t.after(() => db.close());
  enrolled(db, 'w');
  const panels = new Panels();
  const [key, hq] = [newKey(), newKey()];
  const outbox = outboxOf(db, 'w', key);
  for (const id of ['till', 'window']) panels.add(db, 'w', id);
  const told: Told[] = [];
  for (let i = 0; i < 4; i++) {
    for (const id of ['till', 'window']) {
      panels.show(id, 32);
      await panels.send(db, id);
    }
    const { file, end } = (await outbox.next())!;
    outbox.storeCursors([end]);
    const line = file.indexOf('\n');
    told.push({ header: JSON.parse(file.subarray(0, line).toString()), bytes: file.subarray(line + 1) });
  }
  const report = (segments: readonly Told[], more: { keys?: string[]; plays?: number; by?: Key } = {}): Buffer => {
    const head = {
      vitrine: 'chain',
      version: 1,
      headquarters: 'HQ',
      from: '2026-11-02',
      to: '2026-11-02',
      made_at: 1,
      stores: [{ id: 'store-1', name: 'Mill', keys: more.keys ?? [key.key] }],
    };
    const body = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...segments.map(fileOf)]);
    const plays = more.plays ?? segments.reduce((sum, { header }) => sum + header.plays, 0);
    const facts = { segments: segments.length, plays, sha256: sha256(body) };
    const by = more.by ?? hq;
    const end = { vitrine: 'end', ...facts, key: SPKI + by.key, signature: hq.sign(chainFileText(facts)) };
    return Buffer.concat([body, Buffer.from(`${JSON.stringify(end)}\n`)]);
  };
  const judge = async (file: Buffer, server?: string) => {
    const path = join(folder, 'report.vitrine-chain');
    writeFileSync(path, file);
    const said: string[] = [];
    const { result, exit } = await verify.run(
      { names: [path], text: () => server, isSet: () => false, data: folder },
      { json: false, print: (line) => void said.push(line) },
    );
    const verdict = result as ChainVerdict;
    return { ...verdict, exit: exit ?? 0, said, sentences: verdict.problems.map(({ message }) => message) };
  };
  return { key, hq, told, report, judge };
};

test('unchanged report passes verification, and the output lists screens’ signed plays and stores’ fingerprints', async (t) => {
  const { key, hq, told, report, judge } = await setUp(t);
  const verdict = await judge(report(told));
  assert.deepEqual(verdict.sentences, []);
  assert.deepEqual([verdict.exit, verdict.plays, verdict.segments], [0, 256, 4]);
  assert.equal(verdict.server, sha256(Buffer.from(SPKI + hq.key, 'hex')));
  const fingerprint = sha256(Buffer.from(SPKI + key.key, 'hex'));
  const screens = ['till', 'window'].map((name) => ({ name, plays: 128, signed: 128, gaps: [] }));
  assert.deepEqual(verdict.stores, [
    { id: 'store-1', name: 'Mill', fingerprints: [fingerprint], segments: 4, screens },
  ]);
  assert.ok(verdict.said.some((line) => line.includes(fingerprint)));
  assert.equal((await judge(report(told), verdict.server!)).exit, 0);
});

test('single segment is verified, and counts as signed by its store only', async (t) => {
  const { told, judge } = await setUp(t);
  const verdict = await judge(fileOf(told[0]!));
  assert.deepEqual([verdict.exit, verdict.server, verdict.plays], [0, null, 64]);
});

test('verify finds and describes every manipulation of a report', async (t) => {
  const { key, told, report, judge } = await setUp(t);
  const other = newKey();
  const later = (body: SegmentBody): SegmentBody => ({
    ...body,
    plays: body.plays.map((play, i) => (i === 3 ? { ...play, ended_ms: play.ended_ms + 60_000 } : play)),
  });
  const hostile = madeOver(told[1]!, key, later);
  const after = madeOver(told[2]!, key, (body) => body, hostile.header.head);
  const last = madeOver(told[3]!, key, (body) => body, after.header.head);
  const flipped = Buffer.from(told[1]!.bytes);
  flipped[40]! ^= 1;
  const whole = report(told);
  const lines = whole.subarray(0, whole.lastIndexOf('{"vitrine":"end"'));
  const wrongs: Record<string, [file: Buffer, sentence: RegExp]> = {
    'a segment taken out': [report(told.toSpliced(1, 1)), /is missing what came before it: the numbers 65 to 128/],
    'a segment twice': [report(told.toSpliced(1, 0, told[1]!)), /begins at 65, and the one before it ended at 128/],
    'segments exchanged': [report([told[0]!, told[2]!, told[1]!, told[3]!]), /is missing|begins at/],
    'a byte changed': [report(told.with(1, { ...told[1]!, bytes: flipped })), /signed it|unpacked|cannot be read/],
    'a header changed': [
      report(told.with(1, { ...told[1]!, header: { ...told[1]!.header, store: 'store-2' } })),
      /not as its store signed it/,
    ],
    'another key': [
      report(
        told.with(
          1,
          madeOver(told[1]!, other, (body) => body),
        ),
      ),
      /by a key that is not one of its store/,
    ],
    'plays of a screen changed by the store itself': [
      report([told[0]!, hostile, after, last]),
      /plays of \w+, up to play \d+, that are not as the screen signed them/,
    ],
    'a play left out by the store itself': [
      report([
        told[0]!,
        madeOver(told[1]!, key, (body) => ({ ...body, plays: body.plays.toSpliced(3, 1) })),
        told[2]!,
        told[3]!,
      ]),
      /does not follow from the one before it/,
    ],
    'the end cut off': [lines, /last line, which headquarters signs, is missing/],
    'the middle of a segment cut off': [whole.subarray(0, lines.length - 10), /ends in the middle of a segment/],
    'something behind the end': [Buffer.concat([whole, Buffer.from('{}\n')]), /extra data after its end/],
    'another number of plays': [report(told, { plays: 255 }), /not as headquarters wrote it/],
    'another headquarters': [report(told, { by: other }), /not as headquarters signed it/],
    'no report at all': [
      Buffer.from('{"vitrine":"chain"}\n{"vitrine":"segment"}\nno\n'),
      /does not belong in a report|not valid JSON/,
    ],
  };
  for (const [what, [file, sentence]] of Object.entries(wrongs)) {
    const { exit, ok, sentences } = await judge(file);
    assert.deepEqual([exit, ok], [3, false], what);
    assert.ok(
      sentences.some((one) => sentence.test(one)),
      `${what}: ${sentences.join(' | ')}`,
    );
  }
  assert.match((await judge(report(told), 'ab'.repeat(32))).sentences.join(), /not signed by the server abab/);
});

test('verify names the plays of a screen that are absent from the segments that its store signed', async (t) => {
  const { key, told, report, judge } = await setUp(t);
  const left = (body: SegmentBody): SegmentBody => ({
    ...body,
    plays: body.plays.filter(({ device_id, seq }) => device_id !== 'till' || seq < 41 || seq > 60),
  });
  const second = madeOver(told[1]!, key, left);
  const third = madeOver(told[2]!, key, (body) => body, second.header.head);
  const { exit, sentences, stores, said } = await judge(
    report([told[0]!, second, third, madeOver(told[3]!, key, (body) => body, third.header.head)]),
  );
  assert.equal(exit, 3);
  assert.ok(
    sentences.some((sentence) => /of Mill has a gap: plays 41 to 60 of till are missing/.test(sentence)),
    sentences.join(' | '),
  );
  assert.deepEqual(
    stores[0]!.screens.map(({ name, gaps }) => [name, gaps]),
    [
      ['till', [{ from: 41, to: 60 }]],
      ['window', []],
    ],
  );
  assert.doesNotMatch(said.join('\n'), /Nothing was removed/);
});

test('plays of a screen count as unsigned, and as no problem, when the screen’s earlier plays are missing', async (t) => {
  const { told, report, judge } = await setUp(t);
  const { exit, stores } = await judge(report(told.slice(1)));
  assert.equal(exit, 0);
  assert.deepEqual(
    stores[0]!.screens.map(({ plays, signed }) => [plays, signed]),
    [
      [96, 0],
      [96, 0],
    ],
  );
});

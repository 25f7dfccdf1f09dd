import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { genesis, sealText } from '../../shared/protocol/journal-chain.ts';
import { type FileLine, type KeptPlay, stretchLines } from '../../shared/protocol/plays-file.ts';
import { tempFolder } from '../../test/harness.ts';
import { verify } from './verify.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const play = (seq: number): KeptPlay => ({
  seq,
  id: `play-${seq}`,
  boot_id: 'b',
  uncertainty_ms: 1,
  item_id: 1,
  playlist_id: null,
  content_id: null,
  widget_id: null,
  zone_id: null,
  content_name: 'a',
  started_at: seq * 1000,
  ended_at: seq * 1000 + 1000,
  completed: true,
});

const reportOf = (count: number): FileLine[] => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signing_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  const device = { device_id: 'd', device_name: 'Till', signing_key };
  const plays = Array.from({ length: count }, (_, i) => play(i + 1));
  const seal = {
    first: 1,
    through: count,
    prev: genesis(sha256, signing_key),
    head: '0'.repeat(64),
    signature: '0'.repeat(128),
  };
  const last = [...stretchLines(sha256, 'd', [{ seal, plays }])].at(-2);
  const head = last?.type === 'play' ? last.hash! : '';
  const signed = {
    ...seal,
    head,
    signature: sign(null, Buffer.from(sealText({ seq: count, hash: head })), privateKey).toString('hex'),
  };
  return [
    { type: 'device', ...device },
    ...stretchLines(sha256, 'd', [{ seal: signed, plays }]),
    { type: 'end', plays: count },
  ];
};

test('verify accepts an unchanged report, and exits with code 3 for a changed report', async (t) => {
  const folder = tempFolder(t);
  const judge = async (lines: readonly object[]) => {
    const file = join(folder, 'report.jsonl');
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const { result, exit } = await verify.run(
      { names: [file], text: () => undefined, isSet: () => false, data: folder },
      { json: true, print: () => {} },
    );
    return { exit: exit ?? 0, kinds: (result as { problems: { kind: string }[] }).problems.map(({ kind }) => kind) };
  };
  const report = reportOf(6);
  assert.deepEqual(await judge(report), { exit: 0, kinds: [] });
  const wrongs: Record<string, readonly object[]> = {
    removed: report.toSpliced(3, 1),
    changed: report.with(2, { ...report[2]!, ended_at: 99_999 } as FileLine),
    repeated: report.toSpliced(3, 0, report[3]!),
    moved: [...report.slice(0, 2), report[3]!, report[2]!, ...report.slice(4)],
    'cut off': report.slice(0, -2),
    forged: report.with(-2, { ...report.at(-2)!, signature: 'a'.repeat(128) } as FileLine),
  };
  for (const [what, lines] of Object.entries(wrongs)) {
    const { exit, kinds } = await judge(lines);
    assert.equal(exit, 3, what);
    assert.ok(kinds.length > 0, what);
  }
});

test('verify recognizes a report by its first line, even if the file has another name', async (t) => {
  const folder = tempFolder(t);
  const said: string[] = [];
  const lines = reportOf(80).flatMap((line): object[] => {
    if (line.type === 'seal' || (line.type === 'play' && line.seq > 40 && line.seq <= 60)) return [];
    if (line.type === 'play') return [{ ...line, prev: null, hash: null }];
    return [line.type === 'end' ? { ...line, plays: 60 } : { ...line, complete: true }];
  });
  for (const name of ['report.jsonl', 'report.vitrine', 'report']) {
    const file = join(folder, name);
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const { result, exit } = await verify.run(
      { names: [file], text: () => undefined, isSet: () => false, data: folder },
      { json: false, print: (line) => void said.push(line) },
    );
    assert.equal(exit, 3, name);
    assert.equal((result as { kind: string }).kind, 'report', name);
    assert.match(said.splice(0).join('\n'), /plays 41 to 60 of Till are missing.*Plays are missing/s);
  }
});

import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { genesis, rowHash, sealText } from './journal-chain.ts';
import {
  endText,
  type FileLine,
  hashOfLine,
  type KeptPlay,
  type KeptSeal,
  type PlayLine,
  stretchLines,
} from './plays-file.ts';
import { ReportVerifier, type VerifyCrypto } from './verify.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const crypto: VerifyCrypto = {
  sha256,
  sha256OfHex: (hex) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex'),
  hasher: () => {
    const hash = createHash('sha256');
    return { update: (text) => void hash.update(text), digest: () => hash.digest('hex') };
  },
  verify: (key, text, signature) =>
    verify(
      null,
      Buffer.from(text),
      createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(key, 'hex')]), format: 'der', type: 'spki' }),
      Buffer.from(signature, 'hex'),
    ),
};
const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    sign: (text: string) => sign(null, Buffer.from(text), privateKey).toString('hex'),
    public: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
  };
};

const play = (seq: number): KeptPlay => ({
  seq,
  id: `play-${seq}`,
  boot_id: 'boot',
  uncertainty_ms: 0.4,
  item_id: 1,
  playlist_id: 'p',
  content_id: 'c',
  widget_id: null,
  zone_id: null,
  content_name: 'Spring sale',
  started_at: 1_700_000_000_000 + seq * 10_000,
  ended_at: 1_700_000_010_000 + seq * 10_000,
  completed: true,
});

/** A report of 12 plays with a signature after play 5, 10 and 12. */
const report = (key = newKey()): FileLine[] => {
  const stretches: { seal: KeptSeal; plays: KeptPlay[] }[] = [];
  let prev = genesis(sha256, key.public);
  for (const [first, through] of [
    [1, 5],
    [6, 10],
    [11, 12],
  ] as const) {
    const plays = Array.from({ length: through - first + 1 }, (_, i) => play(first + i));
    const unsealed = { first, through, prev, head: '0'.repeat(64), signature: '0'.repeat(128) };
    const last = [...stretchLines(sha256, 'd', [{ seal: unsealed, plays }])].at(-2);
    const head = last?.type === 'play' ? (last.hash ?? '') : '';
    stretches.push({
      seal: { first, through, prev, head, signature: key.sign(sealText({ seq: through, hash: head })) },
      plays,
    });
    prev = head;
  }
  return [
    { type: 'device', device_id: 'd', device_name: 'Till', signing_key: key.public },
    ...stretchLines(sha256, 'd', stretches),
    { type: 'end', plays: 12 },
  ];
};

const judge = (lines: readonly (FileLine | string)[], wanted?: string) => {
  const verifier = new ReportVerifier(crypto, wanted);
  for (const line of lines) verifier.read(typeof line === 'string' ? line : JSON.stringify(line));
  return verifier.finish();
};
const kinds = (lines: readonly (FileLine | string)[]) => [...new Set(judge(lines).problems.map(({ kind }) => kind))];
/** Returns the index, in the file's lines, of the play with a number. */
const at = (lines: readonly FileLine[], seq: number): number =>
  lines.findIndex((line) => line.type === 'play' && line.seq === seq);

test('exported report has no problems, and every play is signed', () => {
  assert.deepEqual(judge(report()), {
    ok: true,
    plays: 12,
    server: null,
    devices: [{ device_id: 'd', device_name: 'Till', plays: 12, signed: 12 }],
    gaps: [],
    problems: [],
  });
});

test('verifier detects each kind of tampering and names the row', () => {
  const lines = report();
  const without = lines.filter((_, i) => i !== at(lines, 7));
  assert.match(
    judge(without)
      .problems.map(({ message }) => message)
      .join(),
    /^play 7 of Till is missing/,
  );
  assert.deepEqual(
    kinds(
      lines.map((line, i) =>
        i === at(lines, 3) && line.type === 'play' ? { ...line, ended_at: line.ended_at + 1 } : line,
      ),
    ),
    ['changed'],
  );
  const twice = lines.flatMap((line, i) => (i === at(lines, 4) ? [line, line] : [line]));
  assert.ok(kinds(twice).includes('repeated'));
  const swapped = [...lines];
  [swapped[at(lines, 8)], swapped[at(lines, 9)]] = [lines[at(lines, 9)] as FileLine, lines[at(lines, 8)] as FileLine];
  assert.ok(kinds(swapped).includes('reordered'));
  assert.deepEqual(kinds(lines.slice(0, -4)), ['cut']);
  assert.deepEqual(kinds([...lines.slice(0, -4), lines.at(-1) as FileLine]), ['cut']);
  assert.deepEqual(kinds(['{', ...lines]), ['malformed']);
});

test("if somebody recomputes hashes after a change, the device's signature reveals the change", () => {
  const lines = report();
  const changed = lines.flatMap((line) => (line.type === 'play' ? [{ ...line, completed: false }] : []));
  const seals = lines.filter((line) => line.type === 'seal');
  let prev = changed[0]?.prev ?? '';
  const rehashed = changed.flatMap((line) => {
    const unsealed = { first: line.seq, through: line.seq, prev, head: '', signature: '' };
    const [made] = [...stretchLines(sha256, 'd', [{ seal: unsealed, plays: [line] }])];
    prev = made?.type === 'play' ? (made.hash ?? '') : '';
    const seal = seals.find((one) => one.type === 'seal' && one.seq === line.seq);
    return [made as FileLine, ...(seal ? [seal] : [])];
  });
  assert.deepEqual(kinds([lines[0] as FileLine, ...rehashed, lines.at(-1) as FileLine]), ['forged']);
});

test('signature that was made with another key is reported as forged', () => {
  const [real, other] = [report(), newKey()];
  assert.deepEqual(
    kinds(real.map((line) => (line.type === 'seal' ? { ...line, signature: other.sign(sealText(line)) } : line))),
    ['forged'],
  );
});

test('plays of a player without signatures are no problem and do not count as signed', () => {
  const device = { device_id: 'd', device_name: 'Old', signing_key: null };
  const lines = [
    { type: 'device' as const, ...device },
    ...stretchLines(sha256, 'd', [{ seal: null, plays: [play(1), play(2)] }]),
    { type: 'end' as const, plays: 2 },
  ];
  const { ok, devices } = judge(lines);
  assert.deepEqual([ok, devices[0]?.plays, devices[0]?.signed], [true, 2, 0]);
});

test('verifier names the numbers that are missing among unsigned plays', () => {
  const seqs = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => play(from + i));
  const old = { type: 'device' as const, device_id: 'd', device_name: 'Old', signing_key: null };
  const verdictOn = (plays: KeptPlay[], device: FileLine) =>
    judge([
      device,
      ...stretchLines(sha256, 'd', [{ seal: null, plays }]),
      { type: 'end' as const, plays: plays.length },
    ]);
  const complete = { ...old, complete: true as const };
  const { ok, gaps, problems } = verdictOn([...seqs(1, 40), ...seqs(61, 80)], complete);
  assert.equal(ok, false);
  assert.deepEqual(gaps, [{ device_id: 'd', device_name: 'Old', from: 41, to: 60, skipped_by_player: false }]);
  assert.deepEqual(
    problems.map(({ kind, message }) => `${kind}: ${message}`),
    ['missing: plays 41 to 60 of Old are missing'],
  );
  assert.equal(verdictOn(seqs(1, 80), complete).ok, true);
  // The journal was lost, and the player counts from one again.
  assert.equal(verdictOn([...seqs(41, 60), ...seqs(1, 20)], complete).ok, true);
  // The report contains the plays of a single content: the other numbers are plays of other contents.
  assert.equal(verdictOn([...seqs(1, 40), ...seqs(61, 80)], old).ok, true);
  // Plays of zones end in another order than they start, and the first may have begun before the period.
  const ofZones = [...seqs(1, 40), ...seqs(42, 80)].map((each) => ({ ...each, zone_id: 'z' }));
  assert.equal(verdictOn(ofZones, complete).ok, true);
});

test('verifier lists the numbers that the player itself skipped, without reporting a problem', () => {
  const key = newKey();
  const first = row(1, genesis(sha256, key.public));
  const { ok, gaps } = judge([device(key.public), first, row(4, first.hash), { type: 'end', plays: 2 }]);
  assert.equal(ok, true);
  assert.deepEqual(gaps, [{ device_id: 'd', device_name: 'Till', from: 2, to: 3, skipped_by_player: true }]);
});

/** Returns a play after `prev`, with its expected hash. */
const row = (seq: number, prev: string | null, over: Partial<PlayLine> = {}): PlayLine => {
  const line = { type: 'play' as const, device_id: 'd', ...play(seq), prev, hash: null, ...over };
  return { ...line, hash: hashOfLine(sha256, line) };
};
const device = (signing_key: string | null): FileLine => ({
  type: 'device',
  device_id: 'd',
  device_name: 'Till',
  signing_key,
});
const messages = (...lines: readonly (FileLine | string)[]) =>
  judge([
    ...lines,
    { type: 'end', plays: lines.filter((line) => typeof line === 'object' && line.type === 'play').length },
  ]).problems.map(({ line, kind, message }) => `${line} ${kind}: ${message}`);

test('row must continue the previous row or restart the journal, and a row without a hash chain is not checked', () => {
  const { public: key } = newKey();
  const [other, fifth] = ['e'.repeat(64), row(5, 'a'.repeat(64))];
  const follows: readonly (readonly [FileLine, string?])[] = [
    [row(6, fifth.hash)],
    [row(6, other), 'broken: play 6 of Till does not follow from the play before it'],
    [row(7, other), 'missing: play 6 of Till is missing'],
    [row(9, other), 'missing: plays 6 to 8 of Till are missing'],
    [row(4, other), 'reordered: play 4 of Till stands behind play 5'],
    [row(5, other, { id: 'another' }), 'reordered: play 5 of Till stands behind play 5'],
    [row(1, genesis(sha256, key))],
    [row(1, other), 'reordered: play 1 of Till stands behind play 5'],
    [row(2, genesis(sha256, key)), 'reordered: play 2 of Till stands behind play 5'],
    [row(6, null)],
    [{ ...fifth, seq: 5 }, 'repeated: play 5 of Till is here twice'],
    [{ ...row(6, fifth.hash), completed: false }, 'changed: play 6 of Till is not as it was written'],
  ];
  for (const [next, problem] of follows)
    assert.equal(messages(device(key), fifth, next)[0], problem && `3 ${problem}`, JSON.stringify(next));
  assert.deepEqual(messages(device(key), row(5, null), row(6, other)), []);
  assert.deepEqual(messages(device(null), fifth, row(1, genesis(sha256, null))), [
    '3 reordered: play 1 of Till stands behind play 5',
  ]);
});

test('verifier names the line of each invalid entry: without a device, repeated, forged, or after the end', () => {
  const key = newKey();
  const fifth = row(5, 'a'.repeat(64));
  const seal = (seq: number, hash = fifth.hash ?? ''): FileLine => ({
    type: 'seal',
    device_id: 'd',
    seq,
    hash,
    signature: key.sign(sealText({ seq, hash })),
  });
  assert.deepEqual(messages('', ' ', 'x', fifth, seal(5)), [
    '3 malformed: this is no line of a report',
    '4 malformed: play 5 is of a device that is not named before',
    '5 malformed: a signature of a device that is not named before',
  ]);
  assert.deepEqual(messages(device(key.public), device(null), fifth, seal(5)), [
    '2 repeated: the device Till is here twice',
  ]);
  assert.deepEqual(messages(device(key.public), fifth, seal(6)), [
    '3 forged: the signature for play 6 of Till was made for other rows than these',
  ]);
  assert.deepEqual(messages(device(null), fifth, seal(5)), ['3 forged: the signature for play 5 is not that of Till']);
  assert.deepEqual(judge([device(null), { ...fifth, context: true }]).problems, [
    { line: 2, kind: 'cut', message: 'the last line, which counts the plays, is missing' },
  ]);
  assert.deepEqual(messages({ type: 'end', plays: 1 }, device(null)), [
    '2 malformed: something follows the end',
    '3 malformed: something follows the end',
  ]);
  assert.deepEqual(
    judge([{ type: 'end', plays: 3 }]).problems[0]?.message,
    'the file was written with 3 plays, and has 0',
  );
  assert.equal(judge(Array.from({ length: 1_500 }, () => 'x')).problems.length, 1_000, 'and more are not kept');
});

test('server signature covers exactly the whole file', () => {
  const server = newKey();
  const public_key = `${SPKI.toString('hex')}${server.public}`;
  const fingerprint = crypto.sha256OfHex(public_key);
  const first = row(1, 'a'.repeat(64));
  const signed = (lines: readonly FileLine[], by = server): FileLine[] => {
    const digest = sha256(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const end = { public_key, sha256: digest, signature: by.sign(endText(lines.length - 1, digest)) };
    return [...lines, { type: 'end', plays: lines.length - 1, server: end }];
  };
  const [whole, empty] = [signed([device(null), first]), signed([device(null)])];
  for (const wanted of [undefined, fingerprint]) {
    assert.deepEqual([judge(whole, wanted).server, judge(whole, wanted).problems], [fingerprint, []]);
    assert.equal(judge(['', ...empty, '\t'], wanted).ok, true, 'empty lines are none');
  }
  const changed = [device(null), { ...first, context: true as const }, whole[2]!];
  for (const lines of [changed, signed([device(null), first], newKey())])
    assert.deepEqual(
      [judge(lines).server, judge(lines).problems],
      [null, [{ line: 3, kind: 'unsigned', message: 'the file is not as the server wrote and signed it' }]],
    );
  const other = 'f'.repeat(64);
  for (const lines of [whole, [device(null), { type: 'end' as const, plays: 0 }]])
    assert.deepEqual(judge(lines, other).problems, [
      { line: lines.length, kind: 'unsigned', message: `it is not signed by the server ${other}` },
    ]);
});

test('hashed texts of a play and of the chain start are the same in every version', () => {
  const itself = (text: string) => text;
  assert.deepEqual([genesis(itself, 'k'), genesis(itself, null)], ['vitrine.journal.1:k', 'vitrine.journal.1:']);
  assert.equal(
    rowHash(itself, { ...play(3), boot_id: 'b', prev: 'p' }),
    '["vitrine.play.1","p",3,"play-3","b",1,"p","c",null,null,"Spring sale",1700000030000,1700000040000,true,0.4]',
  );
  const unknown = { ...row(3, 'p'), boot_id: null };
  assert.equal(hashOfLine(itself, unknown), rowHash(itself, { ...unknown, boot_id: '', prev: 'p' }));
});

import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { sealText } from './journal-chain.ts';
import { deviceLines, type FileLine, firstPrev, type KeptPlay, type KeptSeal } from './plays-file.ts';
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

/** A report of 12 plays in stretches of five. */
const report = (key = newKey()): FileLine[] => {
  const stretches: { seal: KeptSeal; plays: KeptPlay[] }[] = [];
  let prev = firstPrev(sha256, key.public);
  for (const [first, through] of [
    [1, 5],
    [6, 10],
    [11, 12],
  ] as const) {
    const plays = Array.from({ length: through - first + 1 }, (_, i) => play(first + i));
    const unsealed = { first, through, prev, head: '0'.repeat(64), signature: '0'.repeat(128) };
    const last = [
      ...deviceLines(sha256, { device_id: 'd', device_name: 'Till', signing_key: key.public }, [
        { seal: unsealed, plays },
      ]),
    ].at(-2);
    const head = last?.type === 'play' ? (last.hash ?? '') : '';
    stretches.push({
      seal: { first, through, prev, head, signature: key.sign(sealText({ seq: through, hash: head })) },
      plays,
    });
    prev = head;
  }
  return [
    ...deviceLines(sha256, { device_id: 'd', device_name: 'Till', signing_key: key.public }, stretches),
    { type: 'end', plays: 12 },
  ];
};

const judge = (lines: readonly (FileLine | string)[]) => {
  const verifier = new ReportVerifier(crypto);
  for (const line of lines) verifier.read(typeof line === 'string' ? line : JSON.stringify(line));
  return verifier.finish();
};
const kinds = (lines: readonly (FileLine | string)[]) => [...new Set(judge(lines).problems.map(({ kind }) => kind))];
/** Index of a play's line. */
const at = (lines: readonly FileLine[], seq: number): number =>
  lines.findIndex((line) => line.type === 'play' && line.seq === seq);

test('a report as it was exported is in order, and every play is signed', () => {
  assert.deepEqual(judge(report()), {
    ok: true,
    plays: 12,
    server: null,
    devices: [{ device_id: 'd', device_name: 'Till', plays: 12, signed: 12 }],
    problems: [],
  });
});

test('each kind of tampering is found, and named by the row', () => {
  const lines = report();
  const without = lines.filter((_, i) => i !== at(lines, 7));
  assert.match(
    judge(without)
      .problems.map(({ message }) => message)
      .join(),
    /^1 plays of Till before play 8 are missing/,
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

test('hashes computed anew after a change do not help without the device’s key', () => {
  const lines = report();
  const changed = lines.flatMap((line) => (line.type === 'play' ? [{ ...line, completed: false }] : []));
  const seals = lines.filter((line) => line.type === 'seal');
  let prev = changed[0]?.prev ?? '';
  const rehashed = changed.flatMap((line) => {
    const [, made] = [
      ...deviceLines(sha256, { device_id: 'd', device_name: 'Till', signing_key: null }, [
        { seal: { first: line.seq, through: line.seq, prev, head: '', signature: '' }, plays: [line] },
      ]),
    ];
    prev = made?.type === 'play' ? (made.hash ?? '') : '';
    const seal = seals.find((one) => one.type === 'seal' && one.seq === line.seq);
    return [made as FileLine, ...(seal ? [seal] : [])];
  });
  assert.deepEqual(kinds([lines[0] as FileLine, ...rehashed, lines.at(-1) as FileLine]), ['forged']);
});

test('a signature of another key is none', () => {
  const [real, other] = [report(), newKey()];
  assert.deepEqual(
    kinds(real.map((line) => (line.type === 'seal' ? { ...line, signature: other.sign(sealText(line)) } : line))),
    ['forged'],
  );
});

test('plays of a player that does not sign are no problem, and are not called signed', () => {
  const device = { device_id: 'd', device_name: 'Old', signing_key: null };
  const lines = [
    ...deviceLines(sha256, device, [{ seal: null, plays: [play(1), play(2)] }]),
    { type: 'end' as const, plays: 2 },
  ];
  const { ok, devices } = judge(lines);
  assert.deepEqual([ok, devices[0]?.plays, devices[0]?.signed], [true, 2, 0]);
});

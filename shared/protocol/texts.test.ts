import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMOJI_RANGE, hasEmoji } from './emoji.ts';
import { LiveClientMessage, LiveServerMessage, type Topic } from './live.ts';
import { proofText, ServerProof, TlsOffer, tlsText } from './server-proof.ts';

test('EMOJI_RANGE contains every emoji and no letter, digit or trademark sign', () => {
  const ranges = EMOJI_RANGE.split(',').map((range) =>
    range
      .slice(2)
      .split('-')
      .map((end) => Number.parseInt(end, 16)),
  );
  const isInFont = (sign: string) =>
    ranges.some(([first, last = first]) => first! <= sign.codePointAt(0)! && sign.codePointAt(0)! <= last!);
  const signs = Array.from({ length: 0x1_f000 + 0xfff }, (_, n) => String.fromCodePoint(n));
  for (const sign of signs.filter(hasEmoji)) assert.ok(isInFont(sign), sign);
  for (const sign of [...'azAZ09äß漢©®™#*.', ' ']) assert.ok(!isInFont(sign) && !hasEmoji(sign), sign);
  for (const text of ['Sale 🎉', '❤\ufe0f', '1\ufe0f\u20e3']) assert.ok(hasEmoji(text), text);
});

test('every kind of record can be announced as changed', () => {
  const topics: Record<Topic, true> = {
    ...{ content: true, folders: true, playlists: true, devices: true, layouts: true, groups: true, schedules: true },
    ...{ walls: true, widgets: true, kiosk: true, overlays: true, plays: true, activity: true, members: true },
    ...{ tokens: true, pending: true, settings: true, plans: true, messages: true, alerts: true, reports: true },
    bin: true,
    approvals: true,
    chain: true,
    stores: true,
    campaigns: true,
    brand: true,
  };
  for (const topic of Object.keys(topics)) LiveServerMessage.parse({ type: 'stale', topic, by: null });
  assert.ok(!LiveServerMessage.safeParse({ type: 'stale', topic: 'weather', by: null }).success);
  const signIn = (length: number) => LiveClientMessage.safeParse({ type: 'auth', token: 'x'.repeat(length) }).success;
  assert.ok(signIn(200) && !signIn(201));
});

test('signed texts contain the nonce and the HTTPS offer', () => {
  assert.equal(proofText('ab'), 'vitrine identity\nab');
  assert.equal(tlsText('ab', { port: 8443, fingerprint: 'cd' }), 'vitrine tls\nab\n8443\ncd');
  assert.equal(tlsText('ab', 'failing'), 'vitrine tls\nab\nfailing');
  assert.equal(tlsText('ab', null), 'vitrine tls\nab\noff');
});

test('TlsOffer accepts valid ports, and keys, certificates and signatures in hex', () => {
  const tls = { port: 1, certificate: 'ab', signature: 'a'.repeat(128) };
  const takes = (over: object) => TlsOffer.safeParse({ ...tls, ...over }).success;
  for (const over of [{}, { port: 65_535 }, { port: null, certificate: null }, { certificate: 'ab'.repeat(6000) }])
    assert.ok(takes(over), JSON.stringify(over).slice(0, 80));
  for (const over of [{ port: 0 }, { port: 65_536 }, { port: 1.5 }, { certificate: '' }, { certificate: 'abc' }])
    assert.ok(!takes(over), JSON.stringify(over));
  assert.ok(!takes({ certificate: 'ab'.repeat(6001) }) && !takes({ signature: 'A'.repeat(128) }));
  const proof = { id: 'i', name: 'n', public_key: 'a'.repeat(88), fingerprint: 'f', signature: 'a'.repeat(128) };
  assert.ok(ServerProof.safeParse({ ...proof, tls }).success);
  assert.ok(!ServerProof.safeParse({ ...proof, public_key: 'a'.repeat(87) }).success);
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type ClaimContext, CodeProof } from './code-proof.ts';
import { CODE_MS, newCode, plainCode } from './pairing-code.ts';
import { sameTag } from './same-tag.ts';

const CONTEXT: ClaimContext = { id: 'ab'.repeat(16), fingerprint: 'f'.repeat(64), secretHash: '1'.repeat(64) };
const random = () => randomBytes(64).toString('hex');
const proof = (side: 'server' | 'player', code: string, context: Partial<ClaimContext> = {}) =>
  new CodeProof(side, code, { ...CONTEXT, ...context }, random());

test('tags of server and player are equal if the code, the exchange, the server and the player are the same', () => {
  const [server, player] = [proof('server', 'ABC346'), proof('player', 'ABC346')];
  const [atServer, atPlayer] = [server.tags(player.share)!, player.tags(server.share)!];
  assert.deepEqual(atServer, atPlayer);
  assert.notEqual(atServer.server, atServer.player, 'a tag sent back proves nothing');
  assert.ok(sameTag(atServer.server, atPlayer.server));
});

test('tags of server and player differ if the code, the exchange, the server or the player is another', () => {
  const other: [string, Partial<ClaimContext>][] = [
    ['ABC347', {}],
    ['ABC346', { id: 'ac'.repeat(16) }],
    ['ABC346', { fingerprint: 'e'.repeat(64) }],
    ['ABC346', { secretHash: '2'.repeat(64) }],
  ];
  for (const [code, context] of other) {
    const [server, player] = [proof('server', 'ABC346'), proof('player', code, context)];
    const [atServer, atPlayer] = [server.tags(player.share)!, player.tags(server.share)!];
    assert.ok(
      !sameTag(atServer.server, atPlayer.server) && !sameTag(atServer.player, atPlayer.player),
      code + JSON.stringify(context),
    );
  }
});

test('tags returns undefined for a share that is invalid or would reveal the secret result', () => {
  const player = proof('player', 'ABC346');
  for (const share of ['', '00'.repeat(32), 'ff'.repeat(32), 'zz'.repeat(32), '01'.repeat(32), player.share.slice(2)])
    assert.equal(player.tags(share), undefined, share);
});

test('sameTag detects a difference at any position', () => {
  const pairs = [
    ['abc', 'abc'],
    ['abc', 'xbc'],
    ['abc', 'abx'],
    ['abc', 'ab'],
    ['ab', 'abc'],
  ] as const;
  assert.deepEqual(
    pairs.map(([a, b]) => sameTag(a, b)),
    [true, false, false, false, false],
  );
});

test('shares and tags for given inputs are the same in all versions', () => {
  const context = { ...CONTEXT, id: 'ab'.repeat(300) };
  const [server, player] = (['server', 'player'] as const).map(
    (side, i) => new CodeProof(side, 'ABC346', context, `0${i}`.repeat(64)),
  ) as [CodeProof, CodeProof];
  assert.deepEqual(
    { share: server.share, ...server.tags(player.share) },
    {
      share: 'eebe229be82176d37f23c10cc29487ca61073b9fbd4dd84ee2921a73c0d67b5e',
      server: '26270ecfc3edff42ed590dd1f618404322bdd1f18c6d6ab3bc113599a9052771',
      player: 'c5ae9ea23bba1c8aed02098c717d49f482ed998fd2acaaf9c676c4a0994dff4c',
    },
  );
});

test('player whose own share is sent back, instead of the server’s share, does not compute the server’s tag', () => {
  const player = proof('player', 'ABC346');
  const mirrored = player.tags(player.share)!;
  const server = proof('server', 'ABC346').tags(player.share)!;
  assert.ok(!sameTag(mirrored.server, server.server));
});

test('code has six characters that look different, and is accepted with blanks, dashes or in lower case', () => {
  const codes = Array.from({ length: 500 }, () => newCode((below) => randomBytes(1)[0]! % below));
  for (const code of codes) assert.match(code, /^[34679ACDEFGHJKMNPQRTUVWXY]{6}$/);
  assert.ok(new Set(codes).size > 490);
  assert.equal(plainCode(' abc-3 46'), 'ABC346');
  assert.equal(CODE_MS, 900_000);
});

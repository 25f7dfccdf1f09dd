import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { CodeProof } from '../../../shared/protocol/code-proof.ts';
import type { WaitingMessage } from '../../../shared/protocol/messages.ts';
import { Player } from '../player.ts';
import type { SeenServer, ServerAddress } from '../ports.ts';
import {
  FakeAddresses,
  FakeCrypto,
  FakeMachine,
  FakeServer,
  FakeTime,
  MemoryAssets,
  MemoryDocuments,
  MemoryJournal,
  MemoryLog,
  programOf,
  settle,
} from '../testing/fakes.ts';
import { OwnCode } from './own-code.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

class RandomCrypto extends FakeCrypto {
  override randomHex = (bytes: number) => randomBytes(bytes).toString('hex');
}

/** Simulates a network of servers, each at its own origin, and one player. */
const lan = (count: number) => {
  const time = new FakeTime();
  const servers = Array.from(
    { length: count },
    (_, i) => new FakeServer(time, { id: `server-${i}`, key: (0xa0 + i).toString(16).repeat(44) }),
  );
  const originOf = (i: number) => `http://10.0.0.${i}:8710`;
  const at = (url: string) => servers[Number(/10\.0\.0\.(\d+)/.exec(url)?.[1])]!;
  const heard = new Set(servers.keys());
  const addresses = new (class extends FakeAddresses {
    override given = false;
    override seen = (): SeenServer[] =>
      [...heard].map((i) => ({ origin: originOf(i), server: servers[i]!.server, name: `Store ${i}`, setup: false }));
    override pick = (paired: { readonly server_id: string } | null): ServerAddress | null => {
      const found = this.seen().find(({ server }) => !paired || server?.id === paired.server_id);
      return found ? { origin: found.origin, server: found.server } : null;
    };
  })();
  const documents = new MemoryDocuments();
  const kit = {
    time,
    documents,
    addresses,
    machine: new FakeMachine(),
    crypto: new RandomCrypto(),
    log: new MemoryLog(),
    assetStore: new MemoryAssets(),
    journalStore: new MemoryJournal(),
  };
  /** @param code code of the store, set at installation */
  const boot = async (code?: string, { awaitScreenMs = 0 } = {}) => {
    const player = new Player({
      ...kit,
      pins: true,
      hasCode: code !== undefined,
      ownCode: (needs) =>
        new OwnCode({ ...needs, given: code, proof: (...given) => new CodeProof('player', ...given) }),
      connect: (url, ...rest) => at(url).connect(url, ...rest),
      get: (url, ...rest) => at(url).get(url, ...rest),
      device: { name: 'kiosk', platform: 'test', version: '0.1.0' },
      quotaBytes: 1e9,
      awaitScreenMs,
      clockStepped: () => {},
    });
    await player.start();
    await settle();
    return player;
  };
  const hears = (...indices: number[]) => {
    heard.clear();
    for (const i of indices) heard.add(i);
    addresses.change('');
  };
  return { ...kit, servers, boot, hears };
};

/** Simulates a server at which a person entered `code`. Resolves with the final answer of the player. */
const claim = async (server: FakeServer, code: string, { fingerprint = server.server.fingerprint } = {}) => {
  const id = randomBytes(16).toString('hex');
  const answers = () => server.socket.received as unknown as WaitingMessage[];
  const answer = <K extends WaitingMessage['type']>(type: K) =>
    answers().find(
      (message): message is Extract<WaitingMessage, { type: K }> =>
        message.type === type && 'id' in message && message.id === id,
    );
  const secretHash = String(server.received('hello')[0]?.['secret_hash']);
  const proof = new CodeProof('server', code, { id, fingerprint, secretHash }, randomBytes(64).toString('hex'));
  server.say({ type: 'claim', id, share: proof.share });
  await settle();
  const share = answer('claim.share');
  if (!share) return undefined;
  const tags = proof.tags(share.share)!;
  server.say({ type: 'claim.proof', id, tag: tags.server });
  await settle();
  const { tag } = answer('claim.result')!;
  return tag === tags.player;
};
const pair = (server: FakeServer) =>
  server.say({ type: 'paired', device_id: 'device-1', name: 'Window', workspace_id: 'ws', server: server.server });
const codeOf = (player: Player): string => {
  const { state } = player;
  assert.ok(state.phase === 'choosing', state.phase);
  return state.code;
};

test('player connects to a server that stays the only one for 20 s', async () => {
  const { servers, boot, time } = lan(1);
  const player = await boot();
  await time.advance(19 * SECOND);
  assert.deepEqual([servers[0]!.sockets.length, player.state.phase], [0, 'searching']);
  await time.advance(2 * SECOND);
  assert.equal(servers[0]!.received('hello').length, 1);
  servers[0]!.claim();
  await settle();
  assert.equal(player.state.phase, 'playing');
});

test('player does not trust either of two servers without a proof', async () => {
  const { servers, boot, time, machine } = lan(2);
  const player = await boot();
  await time.advance(MINUTE);
  const program = programOf([]);
  for (const server of servers) {
    server.claim();
    server.say({ type: 'command', id: 'c', command: 'update', payload: {}, expires_at: server.now + MINUTE });
    server.push(program);
    server.say({ type: 'identify', seconds: 10, groups: [] });
    server.say({ type: 'screenshot', id: 's' });
    await settle();
  }
  assert.match(codeOf(player), /^[34679ACDEFGHJKMNPQRTUVWXY]{6}$/);
  assert.deepEqual(machine.done, []);
  for (const server of servers) {
    assert.deepEqual(
      [...new Set(server.received('hello').map((hello) => [hello['own_code'], 'secret' in hello].join()))],
      ['true,false'],
    );
    assert.ok(server.requests.every(({ path, headers }) => path === '/api/player/identity' && !headers.Authorization));
  }
});

test('before it is claimed, a player carries out no message, also of the only server', async () => {
  const { servers, boot, time, machine } = lan(1);
  const [server] = servers as [FakeServer];
  const player = await boot();
  await time.advance(21 * SECOND);
  for (const claimed of [false, true]) {
    if (claimed)
      server.say({ type: 'pairing', code: 'ABC234', expires_at: server.now + MINUTE, server: server.server });
    server.say({
      type: 'welcome',
      device_id: 'device-1',
      name: 'Window',
      server_time: server.now,
      server: { ...server.server, version: '1' },
    });
    for (const command of ['update', 'reboot', 'shutdown', 'launch', 'screen_off'] as const)
      server.say({ type: 'command', id: command, command, payload: {}, expires_at: server.now + MINUTE });
    server.push(programOf([]));
    await settle();
    assert.deepEqual(
      [machine.done, server.received('command.result'), player.state.phase],
      [[], [], claimed ? 'pairing' : 'searching'],
    );
  }
});

test('player pairs for good with the server at which its code was entered', async () => {
  const { servers, boot, time } = lan(3);
  const player = await boot();
  await time.advance(SECOND);
  assert.equal(await claim(servers[1]!, codeOf(player)), true);
  pair(servers[0]!);
  pair(servers[2]!);
  await settle();
  assert.equal(player.state.phase, 'choosing', 'the others do not profit');
  pair(servers[1]!);
  await time.advance(SECOND);
  assert.equal(player.state.phase, 'playing');
  assert.ok(
    servers.every((server, i) => i === 1 || server.sockets.every(({ closed }) => closed !== undefined)),
    'the others are left',
  );
  const hello = servers[1]!.received('hello')[0]!;
  assert.deepEqual([hello['device_id'], typeof hello['secret']], ['device-1', 'string']);
  await player.stop();
  const again = await boot();
  assert.equal(servers[1]!.received('hello')[0]?.['device_id'], 'device-1');
  servers[1]!.say({ type: 'unpaired', reason: 'removed' });
  await time.advance(SECOND);
  assert.ok(codeOf(again), 'unless it lets it go');
});

test('player connects to no server before its screen is ready or after a stop, and at once to an entered address', async () => {
  const { servers, boot, time, hears, addresses } = lan(2);
  const sockets = () => servers.flatMap((server) => server.sockets).length;
  const player = await boot(undefined, { awaitScreenMs: 5_000 });
  hears(0, 1);
  await time.advance(4 * SECOND);
  assert.deepEqual([player.state.phase, sockets()], ['searching', 0]);
  await time.advance(SECOND);
  assert.deepEqual([codeOf(player).length, sockets()], [6, 2]);
  addresses.given = true;
  hears(0, 1);
  await time.advance(SECOND);
  assert.equal(player.state.phase, 'searching');
  addresses.given = false;
  await player.stop();
  for (const heard of [[0, 1], [0]]) {
    hears(...heard);
    const next = await boot();
    await time.advance(SECOND);
    await next.stop();
    assert.equal(time.waits, 0);
    const before = sockets();
    hears(0, 1);
    await time.advance(MINUTE);
    assert.equal(sockets(), before);
  }
});

test('player rejects the proof of a wrong code and a proof that was made for another server', async () => {
  const { servers, boot, time } = lan(2);
  const player = await boot();
  await time.advance(SECOND);
  const code = codeOf(player);
  const other = code.startsWith('A') ? `C${code.slice(1)}` : `A${code.slice(1)}`;
  assert.equal(await claim(servers[0]!, other), false);
  assert.equal(await claim(servers[0]!, code, { fingerprint: servers[1]!.server.fingerprint }), false);
  pair(servers[0]!);
  await settle();
  assert.equal(codeOf(player), code, 'and the code stays while somebody may be typing it');
});

test('player no longer shows the code from the only server when it finds a second server', async () => {
  const { servers, boot, time, hears } = lan(2);
  hears(0);
  const player = await boot();
  await time.advance(21 * SECOND);
  servers[0]!.say({
    type: 'pairing',
    code: 'ABC234',
    expires_at: servers[0]!.now + MINUTE,
    server: servers[0]!.server,
  });
  await settle();
  assert.ok('code' in player.state && player.state.code === 'ABC234');
  const { socket } = servers[0]!;
  hears(0, 1);
  assert.equal(socket.closed, 1_000, 'and whoever has it typed in waits in vain');
  await time.advance(SECOND);
  assert.notEqual(codeOf(player), 'ABC234');
  servers[0]!.claim();
  await time.advance(SECOND);
  assert.notEqual(codeOf(player), 'ABC234');
  hears(0);
  await time.advance(MINUTE);
  assert.ok(codeOf(player), 'a farewell in the other’s name makes nobody the only one');
});

test('player that restarts receives its claim from the server that proved the code', async () => {
  const { servers, boot, time } = lan(2);
  const before = await boot();
  await time.advance(SECOND);
  assert.equal(await claim(servers[0]!, codeOf(before)), true);
  await before.stop();
  const player = await boot();
  await time.advance(SECOND);
  pair(servers[1]!);
  await settle();
  assert.equal(player.state.phase, 'choosing');
  pair(servers[0]!);
  await settle();
  assert.equal(player.state.phase, 'playing');
});

test('player that was claimed while it was disconnected learns this from the only server', async () => {
  const { servers, boot, time } = lan(1);
  const player = await boot();
  await time.advance(21 * SECOND);
  pair(servers[0]!);
  await settle();
  servers[0]!.close(1000);
  await time.advance(5 * SECOND);
  assert.equal(servers[0]!.received('hello')[0]?.['device_id'], 'device-1');
  assert.equal(player.state.phase, 'playing');
});

test('player sends nothing to a server whose proof lacks the TLS data or has an invalid signature', async () => {
  for (const spoil of [
    (proof: Record<string, unknown>) => ({ ...proof, tls: undefined }),
    (proof: Record<string, unknown>) => ({
      ...proof,
      tls: { ...(proof['tls'] as object), signature: '0'.repeat(128) },
    }),
    (proof: Record<string, unknown>) => ({ ...proof, signature: '0'.repeat(128) }),
    () => ({}),
  ]) {
    for (const count of [1, 2]) {
      const { servers, boot, time } = lan(count);
      const honest = servers[0]!.prove;
      servers[0]!.prove = (nonce) => spoil(honest(nonce) as Record<string, unknown>);
      await boot();
      await time.advance(MINUTE);
      assert.equal(servers[0]!.sockets.length, 0);
    }
  }
});

test('player with a preset code pairs only with the server at which that code was entered, and never shows it', async () => {
  const { servers, boot, time } = lan(1);
  const player = await boot('ACD349');
  await time.advance(MINUTE);
  servers[0]!.claim();
  await settle();
  assert.equal(codeOf(player), '');
  assert.equal(await claim(servers[0]!, 'ACD34A'), false);
  // The code stays the same after a failed attempt and after a quarter of an hour.
  await time.advance(20 * MINUTE);
  assert.equal(await claim(servers[0]!, 'ACD349'), true);
  pair(servers[0]!);
  await settle();
  assert.equal(player.state.phase, 'playing');
  assert.equal(servers[0]!.received('hello').at(-1)?.['device_id'], 'device-1');
});

test('player with a preset code and an entered address connects only to that server', async () => {
  const { servers, boot, time, addresses } = lan(2);
  addresses.given = true;
  addresses.pick = () => ({ origin: 'http://10.0.0.1:8710', server: null });
  const player = await boot('ACD349');
  await time.advance(MINUTE);
  assert.equal(servers[0]!.sockets.length, 0);
  assert.equal(await claim(servers[1]!, 'ACD349'), true);
  pair(servers[1]!);
  await settle();
  assert.equal(player.state.phase, 'playing');
});

test('player connects to at most eight servers, follows the address book, and sends a message every 10 s', async () => {
  const { servers, boot, time, hears, crypto } = lan(10);
  crypto.next = 0;
  await boot();
  await time.advance(SECOND);
  const met = () => servers.map((server) => server.sockets.filter(({ closed }) => closed === undefined).length);
  assert.deepEqual(met(), [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
  hears(0, 1, 9);
  await time.advance(SECOND);
  assert.deepEqual(met(), [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
  const asked = () => servers.map((server) => (server.sockets.length > 0 ? server.received('clock').length : 0));
  await time.advance(39 * SECOND);
  assert.deepEqual([asked()[0], asked()[2], asked()[9]], [4, 0, 4]);
  servers[0]!.close(1006);
  await time.advance(32 * SECOND);
  assert.equal(asked()[0], 3, 'on the new way alone');
  assert.equal(servers[1]!.received('hello')[0]?.['signing_key'], 'public');
});

test('hello of a player without a signing key contains no key', async () => {
  const { servers, boot, time, crypto } = lan(2);
  crypto.newSigningKey = (() => null) as never;
  await boot();
  await time.advance(SECOND);
  assert.equal('signing_key' in servers[0]!.received('hello')[0]!, false);
});

test('player answers 60 attempts per server and code, and makes a random code each quarter of an hour', async () => {
  const { servers, boot, time, crypto, log } = lan(2);
  const random = crypto.randomHex;
  const bytes = ['fa', 'ff', 'f9', 'e0', '00', '19', '31', '01'];
  crypto.randomHex = (count) => (count === 1 ? (bytes.shift() ?? '02') : random(count));
  const player = await boot();
  await time.advance(SECOND);
  const codes = new Set<string>();
  player.subscribe((state) => void (state.phase === 'choosing' && codes.add(state.code)));
  // 249 and 224 end their ranges of 25 values. 250 and 255 are outside of all ranges.
  assert.equal(codeOf(player), 'YY33Y4');
  /** Returns the number of attempts, with invalid shares, that the player answered. */
  const heard = async (server: FakeServer, tries: number) => {
    const answers = () => server.received('claim.result' as never).length;
    const before = answers();
    for (let i = 0; i < tries; i++) server.say({ type: 'claim', id: 'ab'.repeat(16), share: '00'.repeat(32) });
    await settle();
    return answers() - before;
  };
  assert.deepEqual([await heard(servers[1]!, 59), await heard(servers[0]!, 63)], [59, 60]);
  assert.equal(log.lines.filter((line) => line.includes('tries too many codes')).length, 1);
  await time.advance(15 * MINUTE);
  assert.deepEqual([...codes], ['YY33Y4', '666666']);
  assert.deepEqual(
    servers.map(({ sockets }) => sockets.length),
    [2, 1],
    'who has used up its tries is left and met anew',
  );
  assert.equal(await heard(servers[1]!, 60), 60);
  assert.equal(await claim(servers[0]!, 'YY33Y4'), false, 'an old code is worth nothing');
  assert.equal(await claim(servers[0]!, codeOf(player)), true);
  servers[0]!.say({ type: 'paired', device_id: 'device-1', name: 'Window', workspace_id: 'ws' });
  await time.advance(HOUR);
  assert.equal(player.state.phase, 'playing');
  assert.equal(servers[1]!.sockets.length, 1);
});

test('player answers each proof once and an invalid share at once', async () => {
  const { servers, boot, time } = lan(2);
  const player = await boot();
  await time.advance(SECOND);
  const [server] = servers as [FakeServer];
  const answers = () =>
    (server.socket.received as unknown as WaitingMessage[]).filter(({ type }) => type === 'claim.result');
  const id = 'ab'.repeat(16);
  const tag = 'cd'.repeat(32);
  server.say({ type: 'claim.proof', id, tag });
  server.say({ type: 'claim', id, share: '00'.repeat(32) });
  server.say({ type: 'claim.proof', id, tag });
  await settle();
  assert.deepEqual(answers(), [{ type: 'claim.result', id }]);
  assert.equal(await claim(server, codeOf(player)), true);
  const before = answers().length;
  const last = server.socket.received.findLast((message) => (message.type as string) === 'claim.result') as never as {
    id: string;
  };
  server.say({ type: 'claim.proof', id: last.id, tag });
  await settle();
  assert.equal(answers().length, before);
});

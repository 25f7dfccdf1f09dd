import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { proofText, tlsText } from '../../../shared/protocol/server-proof.ts';
import { nodeCrypto, nodeTime } from '../../agent/node-ports.ts';
import { Stranger } from '../errors.ts';
import type { Get, ServerAddress } from '../ports.ts';
import { FakeTime, settle } from '../testing/fakes.ts';
import { ServerCheck } from './server-check.ts';

const ADDRESS: ServerAddress = { origin: 'http://10.0.0.5:8710', server: null };
const CERTIFICATE = 'ab'.repeat(300);
const SECURE = { origin: 'https://10.0.0.5:8711', certificate: CERTIFICATE };

type Speaks = 'https' | 'off' | 'failing' | 'nothing' | 'an older version' | 'to other names';

/**
 * Starts a fake server with a key, and the check of a player that is new, paired, or has used HTTPS with this server
 * before.
 */
const setUp = (knows: 'nobody' | 'its key' | 'its certificate', { pins = true, pinned = '' } = {}) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ type: 'spki', format: 'der' }).toString('hex');
  const fingerprint = nodeCrypto.sha256OfHex(public_key);
  const signed = (text: string) => sign(null, Buffer.from(text), privateKey).toString('hex');
  const state = { speaks: 'https' as Speaks, status: 0, change: (proof: object): object => proof, errors: 0, asked: 0 };
  const tlsOf = (nonce: string) => {
    if (state.speaks === 'nothing') return {};
    if (state.speaks === 'failing')
      return { tls: { port: null, certificate: null, failing: true, signature: signed(tlsText(nonce, 'failing')) } };
    const offer = state.speaks === 'https' ? { port: 8711, fingerprint: nodeCrypto.sha256OfHex(CERTIFICATE) } : null;
    return {
      tls: {
        port: offer ? 8711 : null,
        certificate: offer ? CERTIFICATE : null,
        signature: signed(tlsText(nonce, offer)),
      },
    };
  };
  const get: Get = async (url, _headers, _signal, trust) => {
    assert.deepEqual(trust, { certificate: null });
    const nonce = new URL(url).searchParams.get('nonce')!;
    assert.match(nonce, /^[0-9a-f]{64}$/);
    state.asked++;
    const told = state.speaks === 'to other names';
    const proof = told
      ? { error: 'Add it under Server → Names' }
      : state.change({
          id: 'server',
          name: 'Store',
          public_key,
          fingerprint,
          signature: signed(proofText(nonce)),
          ...tlsOf(nonce),
        });
    const body = (async function* () {
      // The body arrives in pieces that cut characters of several bytes.
      for (const byte of new TextEncoder().encode(JSON.stringify(proof))) yield Uint8Array.of(byte);
    })();
    return {
      status: state.status || (told ? 421 : state.speaks === 'an older version' ? 404 : 200),
      header: () => null,
      body,
    };
  };
  const paired = {
    device_id: 'd',
    name: 'Till',
    workspace_id: 'w',
    server: { id: 'server', name: 'Store', fingerprint: pinned || fingerprint },
    origin: ADDRESS.origin,
    tls: null,
  };
  const identity = {
    paired:
      knows === 'nobody' ? null : { ...paired, tls: knows === 'its certificate' ? { certificate: CERTIFICATE } : null },
  };
  const log = { info: () => {}, warn: () => {}, error: () => void state.errors++ };
  return {
    state,
    server: { id: 'server', fingerprint },
    check: new ServerCheck({ identity, get, crypto: nodeCrypto, time: nodeTime, log, pins }),
  };
};

test('player uses HTTPS with a server that offers it', async () => {
  for (const knows of ['nobody', 'its key', 'its certificate'] as const) {
    const { check, server } = setUp(knows);
    assert.deepEqual(await check.check(ADDRESS), { ...ADDRESS, server, secure: SECURE }, knows);
  }
  const ip6 = await setUp('nobody').check.check({ origin: 'http://[fd00::1]:8710', server: null });
  assert.equal(ip6.secure?.origin, 'https://[fd00::1]:8711');
});

test('player rejects a server that does not describe its HTTPS, because an intermediary may have removed it', async () => {
  for (const speaks of ['nothing', 'an older version'] as const)
    for (const knows of ['nobody', 'its key', 'its certificate'] as const) {
      const { check, state } = setUp(knows);
      state.speaks = speaks;
      await assert.rejects(check.check(ADDRESS), Stranger, `${speaks}, ${knows}`);
    }
});

test('server that does not know the requested host name explains this, and the error contains the explanation', async () => {
  for (const knows of ['nobody', 'its key', 'its certificate'] as const) {
    const { check, state } = setUp(knows);
    state.speaks = 'to other names';
    await assert.rejects(
      check.check(ADDRESS),
      (error: Error) => error instanceof Stranger && /Server → Names/.test(error.message),
    );
    state.status = 421;
    state.speaks = 'https';
    state.change = () => ({ error: 'x'.repeat(501) });
    await assert.rejects(check.check(ADDRESS), /does not answer to this name/);
  }
});

test('player that has used HTTPS waits while the server states, signed, that its HTTPS fails', async () => {
  for (const knows of ['nobody', 'its key'] as const) {
    const { check, state } = setUp(knows);
    state.speaks = 'failing';
    assert.equal((await check.check(ADDRESS)).secure, undefined);
    // An unsigned statement about failing HTTPS is not accepted.
    state.speaks = 'off';
    state.change = (proof) => ({ ...proof, tls: { ...(proof as { tls: object }).tls, failing: true } });
    await assert.rejects(check.check(ADDRESS), /not signed with its key/);
  }
  const pinned = setUp('its certificate');
  pinned.state.speaks = 'failing';
  await assert.rejects(pinned.check.check(ADDRESS), /does not work just now/);
});

test('player that has used HTTPS returns to plain HTTP only after a signed statement of the server', async () => {
  const { state, check } = setUp('its certificate');
  state.change = (proof) => ({ ...proof, tls: { ...(proof as { tls: object }).tls, port: null, certificate: null } });
  await assert.rejects(check.check(ADDRESS), /not signed with its key/);
  state.change = (proof) => ({ ...proof, tls: { ...(proof as { tls: object }).tls, port: 8712 } });
  await assert.rejects(check.check(ADDRESS), /not signed with its key/);
  state.change = (proof) => proof;
  state.speaks = 'off';
  assert.equal((await check.check(ADDRESS)).secure, undefined);
  // An incomplete statement about HTTPS (only a port, or only a certificate) counts as no HTTPS.
  for (const half of [{ port: 8711 }, { certificate: CERTIFICATE }]) {
    state.change = (proof) => ({ ...proof, tls: { ...(proof as { tls: object }).tls, ...half } });
    assert.equal((await check.check(ADDRESS)).secure, undefined);
  }
});

test('player that cannot reach the HTTPS port does not use plain HTTP instead', async () => {
  for (const knows of ['nobody', 'its key', 'its certificate'] as const) {
    const { state, check, server } = setUp(knows);
    for (let i = 0; i < 3; i++) {
      const address = await check.check(ADDRESS);
      assert.deepEqual(address, { ...ADDRESS, server, secure: SECURE });
      check.unreached(address);
    }
    assert.equal(state.errors, 1, 'said once');
  }
});

test('browser, which cannot pin certificates, only checks the identity of the server', async () => {
  const fresh = setUp('nobody', { pins: false });
  assert.deepEqual([await fresh.check.check(ADDRESS), fresh.state.asked], [ADDRESS, 0], 'nothing is secret yet');
  const paired = setUp('its key', { pins: false });
  assert.deepEqual([await paired.check.check(ADDRESS), paired.state.asked], [ADDRESS, 1]);
});

test('player retries a server that is starting or overloaded, and rejects it after any other error', async () => {
  for (const [status, isStranger] of [
    [429, false],
    [500, false],
    [503, false],
    [201, true],
    [404, true],
    [499, true],
  ] as const) {
    const { check, state } = setUp('its key');
    state.status = status;
    await assert.rejects(check.check(ADDRESS), (error) => error instanceof Stranger === isStranger, String(status));
  }
});

test('player rejects a server with another key, a wrong signature, or an answer that is too long', async () => {
  for (const change of [
    (proof: object) => ({ ...proof, public_key: 'ab'.repeat(44) }),
    (proof: object) => ({ ...proof, signature: 'ab'.repeat(64) }),
    (proof: object) => ({ ...proof, name: 'x'.repeat(16_384) }),
  ]) {
    const { check, state } = setUp('its key');
    state.change = change;
    await assert.rejects(check.check(ADDRESS), Stranger);
    const length = (proof: object) => JSON.stringify({ ...proof, name: '' }).length;
    state.change = (proof) => ({ ...proof, name: 'x'.repeat(16_384 - length(proof)) });
    assert.ok(await check.check(ADDRESS), 'as much as one may say');
  }
  for (const pins of [true, false])
    await assert.rejects(setUp('its key', { pins, pinned: 'f'.repeat(64) }).check.check(ADDRESS), /not the one pinned/);
});

test('check ends after 5 s, and a server without HTTPS causes no advice to open a port', async () => {
  const time = new FakeTime();
  const log = { info: () => {}, warn: () => {}, error: () => assert.fail('told') };
  const get: Get = (_url, _headers, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const check = new ServerCheck({ identity: { paired: null }, get, crypto: nodeCrypto, time, log, pins: true });
  let failure: Error | undefined;
  void check.check(ADDRESS).catch((error) => (failure = error));
  await time.advance(4_999);
  assert.equal(failure, undefined);
  await time.advance(1);
  await settle();
  assert.match(failure!.message, /no answer in 5 s/);
  check.unreached(ADDRESS);
});

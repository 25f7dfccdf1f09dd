/**
 * HTTPS between player and server: an attacker between them, changed certificates and addresses, and functions that
 * must continue in spite of these. Server and player are separate processes.
 */
// Suite: faults
import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, request } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, connect as tcp } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect, createServer as createTls, type TLSSocket } from 'node:tls';
import { getPinned } from '../../player/agent/pinned.ts';
import { issueServer, makeAuthority } from '../../server/tls/certificate.ts';
import { launchOn } from '../e2e/hosts/browser.ts';
import { firstUser, freePort, startSite, tempFolder } from '../harness.ts';
import { until } from '../until.ts';
import { ask, callTo, type RunningServer, showPicture, startOwned, startServer } from './data-server.ts';
import { Kiosk } from './rig.ts';

const WAIT_MS = 30_000;

interface Store {
  readonly data: string;
  readonly httpsPort: number;
  readonly token: string;
  readonly deviceId: string;
  server: RunningServer;
  readonly kiosk: Kiosk;
}

const pinned = (kiosk: Kiosk): string | undefined =>
  JSON.parse(readFileSync(join(kiosk.data, 'state', 'identity.json'), 'utf8')).paired?.tls?.certificate;
const connectedTo = (kiosk: Kiosk, origin: string, times = 1) =>
  until(
    `the player is connected to ${origin}`,
    WAIT_MS,
    () => kiosk.output.split(`connected to ${origin}`).length > times,
  );
/** Restarts the same player with another server address. */
const restarted = (t: TestContext, { data }: Kiosk, server: string) =>
  Kiosk.open(t, server, { window: false, name: 'Window', data });
const isPlaying = async (kiosk: Kiosk) => {
  const state = await kiosk.state();
  return state.phase === 'playing' && state.program !== null;
};

/** Starts a server with HTTPS and a paired player with content. */
const open = async (t: TestContext): Promise<Store> => {
  const [data, httpsPort] = [tempFolder(t), await freePort()];
  const { server, token, call } = await startOwned(t, data, { VITRINE_HTTPS_PORT: String(httpsPort) });
  const kiosk = await Kiosk.open(t, server.origin, { window: false, name: 'Window' });
  const pending_id = await until(
    'the player waits',
    WAIT_MS,
    async () => (await call('GET', '/api/devices/pending')).body[0]?.pending_id,
  );
  const deviceId = (await call('POST', '/api/devices/pair', { pending_id })).body.id;
  await showPicture(call, deviceId);
  await until('it plays', WAIT_MS, () => isPlaying(kiosk));
  const store: Store = { data, httpsPort, token, deviceId, server, kiosk };
  t.after(async () => {
    await kiosk.kill();
    await store.server.kill();
  });
  return store;
};

/** Starts a server with HTTPS in this process, with an owner. */
const secured = async (t: TestContext, env: Record<string, string> = {}) => {
  const httpsPort = await freePort();
  const site = await startSite(t, { env: { VITRINE_HTTPS_PORT: String(httpsPort), ...env } });
  await site.app.tls.https.settled;
  return { site, httpsPort, token: (await firstUser(site)).token };
};

const online = (store: Store) =>
  until(
    'the screen is online',
    WAIT_MS,
    async () =>
      (await ask(store.server.origin, 'GET', `/api/devices/${store.deviceId}`, { token: store.token })).body?.status ===
      'online',
  );

/**
 * An attacker at 127.0.0.2, between player and server, that replaces the proof of the server's identity and forwards
 * the rest.
 */
const inBetween = async (t: TestContext, store: Store, rewrite: (proof: any) => unknown) => {
  const heard: string[] = [];
  const forward = (req: IncomingMessage, done: (status: number, body: string) => void) => {
    const asked = request(`${store.server.origin}${req.url}`, { headers: req.headers }, (reply) => {
      let body = '';
      reply.setEncoding('utf8').on('data', (text: string) => (body += text));
      reply.on('end', () => done(reply.statusCode ?? 502, body));
    });
    asked.on('error', () => done(502, ''));
    asked.end();
  };
  const http = createHttp((req, res) => {
    heard.push(`${req.method} ${req.url?.split('?')[0]} ${req.headers.authorization ?? ''}`.trim());
    forward(req, (status, body) =>
      res
        .writeHead(status)
        .end(req.url?.startsWith('/api/player/identity') ? JSON.stringify(rewrite(JSON.parse(body))) : body),
    );
  });
  http.on('upgrade', (req, socket) => {
    heard.push(`upgrade ${req.url}`);
    socket.destroy();
  });
  const authority = makeAuthority({ serverId: 'other', names: [], now: Date.now() });
  const pair = issueServer({ authority, serverId: 'other', names: ['127.0.0.2'], now: Date.now() });
  const tls = createTls({ cert: pair.certificate, key: pair.private_key }, (socket) => {
    socket.on('data', (bytes) => heard.push(`decrypted ${bytes.length} bytes`));
    socket.on('error', () => {});
  });
  http.listen(0, '127.0.0.2');
  tls.listen(store.httpsPort, '127.0.0.2');
  await Promise.all([once(http, 'listening'), once(tls, 'listening')]);
  t.after(() => {
    http.closeAllConnections();
    http.close();
    tls.close();
  });
  return { origin: `http://127.0.0.2:${(http.address() as { port: number }).port}`, heard };
};

test('player pins the certificate authority at pairing, and an attacker in between learns nothing', {
  timeout: 120_000,
}, async (t) => {
  const store = await open(t);
  const { kiosk, httpsPort } = store;
  await connectedTo(kiosk, `https://127.0.0.1:${httpsPort}`);
  const ca = await fetch(`${store.server.origin}/api/ca.crt?format=der`);
  assert.equal(ca.headers.get('content-type'), 'application/x-x509-ca-cert');
  assert.equal(pinned(kiosk), Buffer.from(await ca.arrayBuffer()).toString('hex'));
  await kiosk.kill();

  const attacks = {
    'with another authority': {
      rewrite: (proof: any) => proof,
      says: /is not the server this screen belongs to: it has neither the certificate/,
    },
    'that keeps silent about HTTPS': {
      rewrite: ({ tls: _, ...proof }: any) => proof,
      says: /it says nothing of HTTPS/,
    },
    'that offers another authority': {
      rewrite: (proof: any) => ({
        ...proof,
        tls: {
          ...proof.tls,
          certificate: Buffer.from(
            generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }),
          ).toString('hex'),
        },
      }),
      says: /not signed with its key/,
    },
    'that says HTTPS was turned off': {
      rewrite: (proof: any) => ({ ...proof, tls: { ...proof.tls, port: null, certificate: null } }),
      says: /not signed with its key/,
    },
  };
  for (const [what, { rewrite, says }] of Object.entries(attacks)) {
    await t.test(`player rejects an attacker in between ${what}`, async (t) => {
      const other = await inBetween(t, store, rewrite);
      const player = await restarted(t, kiosk, other.origin);
      await until('it noticed', WAIT_MS, () => says.test(player.output));
      assert.equal(await isPlaying(player), true);
      assert.deepEqual([...new Set(other.heard)], ['GET /api/player/identity'], what);
      await player.kill();
    });
  }
  const again = await restarted(t, kiosk, store.server.origin);
  await connectedTo(again, `https://127.0.0.1:${httpsPort}`);
  await online(store);
});

test('player finds its server by HTTPS after address and ports change, whatever names the certificate has', {
  timeout: 90_000,
}, async (t) => {
  const store = await open(t);
  const { kiosk, data } = store;
  const before = pinned(kiosk);
  await kiosk.kill();
  await store.server.kill();
  const [httpsPort, port] = [await freePort(), await freePort()];
  store.server = await startServer(t, data, { VITRINE_HTTPS_PORT: String(httpsPort) });
  // Forwards the ports as a router does, so the server does not know the port that the player uses.
  const ways = [
    { at: port, to: Number(new URL(store.server.origin).port) },
    { at: httpsPort, to: httpsPort },
  ].map(({ at, to }) =>
    createTcp((socket) =>
      socket.pipe(tcp(to, '127.0.0.1').on('error', () => socket.destroy())).pipe(socket.on('error', () => {})),
    ).listen(at, '127.0.0.7'),
  );
  t.after(() => {
    for (const way of ways) way.close();
  });
  const moved = await restarted(t, kiosk, `http://127.0.0.7:${port}`);
  await connectedTo(moved, `https://127.0.0.7:${httpsPort}`);
  await online(store);
  assert.equal(pinned(moved), before);
  await moved.kill();

  // After the operator has turned HTTPS off, the player uses HTTP, because the server's signed answer says so.
  await store.server.kill();
  store.server = await startServer(t, data, { VITRINE_HTTPS: '0' });
  const plain = await restarted(t, kiosk, store.server.origin);
  await connectedTo(plain, store.server.origin);
  await until('it is written down', WAIT_MS, () => pinned(plain) === undefined);
  await plain.kill();
});

test('player does not fall back to HTTP when the server is not reachable by HTTPS, and names a remedy', {
  timeout: 90_000,
}, async (t) => {
  const store = await open(t);
  const { kiosk } = store;
  // The HTTP port is open and the HTTPS port is closed, as behind a firewall.
  const way = createTcp((socket) =>
    socket
      .pipe(tcp(Number(new URL(store.server.origin).port), '127.0.0.1').on('error', () => socket.destroy()))
      .pipe(socket.on('error', () => {})),
  );
  way.listen(0, '127.0.0.9');
  await once(way, 'listening');
  t.after(() => void way.close());
  const origin = `http://127.0.0.9:${(way.address() as { port: number }).port}`;
  const fresh = await Kiosk.open(t, origin, { window: false, name: 'New' });
  await until('it says why', WAIT_MS, () =>
    fresh.output.includes('cannot be reached: open that port too in the firewall'),
  );
  await until('it has tried again', WAIT_MS, () => fresh.output.includes(`no answer from ${origin}`));
  assert.deepEqual((await ask(store.server.origin, 'GET', '/api/devices/pending', { token: store.token })).body, []);
  await fresh.kill();
  await kiosk.kill();
  await store.server.kill();
  store.server = await startServer(t, store.data, { VITRINE_HTTPS_PORT: String(store.httpsPort) });
  const old = await restarted(t, kiosk, origin);
  await until('it tried', WAIT_MS, () => old.output.includes(`no answer from ${origin}`));
  assert.equal(await isPlaying(old), true);
});

test('renewed certificate is used for new connections, and no client is disconnected', {
  timeout: 90_000,
}, async (t) => {
  const { site, httpsPort, token } = await secured(t);
  const shown = async (): Promise<string> => {
    const socket: TLSSocket = connect({ port: httpsPort, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerX509Certificate()!;
    socket.destroy();
    return serialNumber;
  };
  const kiosk = await Kiosk.open(t, site.origin, { window: false, name: 'Window' });
  const pending = async () => (await site.call('GET', '/api/devices/pending', { token })).body[0]?.pending_id;
  const device = (
    await site.call('POST', '/api/devices/pair', {
      token,
      body: { pending_id: await until('it waits', WAIT_MS, pending) },
    })
  ).body;
  await connectedTo(kiosk, `https://127.0.0.1:${httpsPort}`);
  const before = await shown();
  rmSync(join(site.data, 'keys', 'https.json'));
  await site.app.tls.https.update();
  assert.notEqual(await shown(), before);
  assert.equal((await site.call('GET', `/api/devices/${device.id}`, { token })).body.status, 'online');
  assert.doesNotMatch(kiosk.output, /connection closed/);
  await kiosk.kill();
  await kiosk.start();
  await connectedTo(kiosk, `https://127.0.0.1:${httpsPort}`);
});

test('certificate of the operator is replaced, and a connected player then fetches newly published files', {
  timeout: 90_000,
}, async (t) => {
  const folder = tempFolder(t);
  const [cert, key] = [join(folder, 'shop.crt'), join(folder, 'shop.key')];
  const put = () => {
    const pair = issueServer({
      authority: makeAuthority({ serverId: 'shop', names: [], now: Date.now() }),
      serverId: 'shop',
      names: ['localhost'],
      now: Date.now(),
    });
    writeFileSync(cert, pair.certificate);
    writeFileSync(key, pair.private_key);
  };
  put();
  const { site, token } = await secured(t, { VITRINE_TLS_CERT: cert, VITRINE_TLS_KEY: key });
  assert.equal((await site.call('GET', '/api/ca.crt')).status, 404);
  const kiosk = await Kiosk.open(t, site.origin, { window: false, name: 'Window' });
  const pending = async () => (await site.call('GET', '/api/devices/pending', { token })).body[0]?.pending_id;
  const pending_id = await until('it waits', WAIT_MS, pending);
  // Replaces the certificate before the player's first request for a file, because the player would reuse an open
  // connection.
  put();
  await site.app.tls.https.update();
  const device = (await site.call('POST', '/api/devices/pair', { token, body: { pending_id } })).body;
  await showPicture(callTo(site.origin, token), device.id);
  await until('it has what was published', WAIT_MS, async () => {
    const state = await kiosk.state();
    return state.phase === 'playing' && (state.program?.assets.length ?? 0) > 0;
  });
  assert.match(kiosk.output, /who answers has another certificate/);
  await until(
    'the new certificate is pinned',
    WAIT_MS,
    () => pinned(kiosk) === new X509Certificate(readFileSync(cert)).raw.toString('hex'),
  );
});

test('player checks only the issuer of a certificate, and ignores dates and host names', async (t) => {
  const [now, years] = [Date.now(), 3 * 365 * 86_400_000];
  const authority = makeAuthority({ serverId: 'a', names: [], now });
  const other = makeAuthority({ serverId: 'a', names: [], now });
  const der = ({ certificate }: { certificate: string }) => new X509Certificate(certificate).raw.toString('hex');
  const expired = issueServer({ authority, serverId: 'a', names: ['elsewhere.local'], now: now - years });
  const given = issueServer({ authority: other, serverId: 'a', names: ['localhost'], now: now + years });
  const ask = async (shown: { certificate: string; private_key: string }, trusted: string | null) => {
    const asked: string[] = [];
    const server = createHttps({ cert: shown.certificate, key: shown.private_key }, (req, res) => {
      asked.push(req.headers.authorization ?? '');
      res.end('yes');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `https://127.0.0.1:${(server.address() as { port: number }).port}/`;
    const answer = getPinned(url, { Authorization: 'Bearer secret' }, AbortSignal.timeout(WAIT_MS), {
      certificate: trusted,
    }).then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
    return [await answer, asked];
  };
  assert.deepEqual(await ask(expired, der(authority)), [200, ['Bearer secret']]);
  assert.deepEqual(
    await ask(given, der(given)),
    [200, ['Bearer secret']],
    'a certificate that the server was given is pinned itself',
  );
  const refused = 'it has neither the certificate that was pinned nor one issued by it';
  assert.deepEqual(await ask(expired, der(other)), [refused, []], 'the same name, another key');
  assert.deepEqual(await ask(given, der(expired)), [refused, []]);
  // The stolen key of the server's certificate cannot issue another certificate.
  const forged = issueServer({ authority: { ...expired, names: [] }, serverId: 'a', names: ['localhost'], now });
  assert.deepEqual(await ask(forged, der(expired)), [refused, []]);
});

test('admin window works by HTTPS, including its WebSocket', { timeout: 90_000 }, async (t) => {
  const { httpsPort } = await secured(t);
  const browser = await launchOn(t, undefined);
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`https://127.0.0.1:${httpsPort}/`);
  await page.getByRole('textbox', { name: 'E-mail' }).fill('owner@store.test');
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Screens', level: 1 }).waitFor();
  await until('the socket is there', WAIT_MS, () => sockets.length > 0);
  assert.match(sockets[0]!, new RegExp(`^wss://127\\.0\\.0\\.1:${httpsPort}/api/live`));
  assert.deepEqual(complaints, []);
});

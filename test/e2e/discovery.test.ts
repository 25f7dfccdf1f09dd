/** Server and player as two hosts of a network without a gateway: each finds the other by mDNS. */
// Suite: window
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { type Host, twoHosts, whyNoNamespaces } from '../netns.ts';
import type { Seen } from './hosts/browse.ts';

const here = import.meta.dirname;
const SMALL = '11111111-1111-4111-8111-111111111111';
const LARGE = 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee';
const WAIT_MS = 20_000;

const skip = whyNoNamespaces() ?? false;

const advertise = async (host: Host, id: string, name: string) => {
  const child = host.start(process.execPath, [join(here, 'hosts/advertise.ts'), id, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return { child, tell: (line: string) => child.stdin!.write(`${line}\n`) };
};

/**
 * Observes the announcements in the network of a host. `until` resolves with the first state, beginning with the
 * present one, that satisfies a condition.
 */
const browse = (host: Host) => {
  const child = host.start(process.execPath, [join(here, 'hosts/browse.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
  let seen: Seen = { player: [], services: [] };
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    seen = JSON.parse(line) as Seen;
    for (const look of [...waiting]) look();
  });
  const until = (what: string, isIt: (seen: Seen) => boolean): Promise<Seen> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () =>
          done(() =>
            reject(new Error(`${what}: not seen in ${WAIT_MS} ms; what was seen last: ${JSON.stringify(seen)}`)),
          ),
        WAIT_MS,
      );
      const done = (end: () => void) => {
        clearTimeout(timer);
        waiting.delete(look);
        end();
      };
      const look = () => {
        if (isIt(seen)) done(() => resolve(seen));
      };
      waiting.add(look);
      look();
    });
  return { until };
};

const ended = async (child: ChildProcess) => child.exitCode ?? (await once(child, 'exit'))[0];

test('player finds the server with every TXT key, sees the end of set-up, and sees the server leave', {
  skip,
}, async (t) => {
  const { a, b } = twoHosts(t);
  const eyes = browse(b);
  const server = await advertise(a, SMALL, 'Bakery Müller');
  const { services, player } = await eyes.until(
    'the server',
    (seen) => seen.services.length > 0 && seen.player.length > 0,
  );
  const { addresses, host, name, port, txt } = services[0]!;
  assert.deepEqual(
    { addresses, host, name, port, txt },
    {
      addresses: [a.address],
      host: 'vitrine-111111111111.local',
      name: 'Bakery Müller',
      port: 8710,
      txt: { id: SMALL, ver: '0.1.0', api: '/api', fp: 'ab12', setup: '1' },
    },
  );
  assert.deepEqual(player, [
    { origin: `http://${a.address}:8710`, name: 'Bakery Müller', setup: true, id: SMALL, fingerprint: 'ab12' },
  ]);
  server.tell('set-up');
  await eyes.until('setup=0', (seen) => seen.services[0]?.txt['setup'] === '0' && seen.player[0]?.setup === false);
  server.tell('stop');
  assert.equal(await ended(server.child), 0);
  await eyes.until('the goodbye', (seen) => seen.services.length === 0 && seen.player.length === 0);
});

test('player that starts after the server finds the server', { skip }, async (t) => {
  const { a, b } = twoHosts(t);
  await advertise(a, SMALL, 'Bakery');
  await browse(b).until('the server from elsewhere', (seen) =>
    seen.player.some(({ origin }) => origin === `http://${a.address}:8710`),
  );
  await browse(a).until('the server from its own machine', (seen) => seen.player.length > 0);
});

test('server and player on a machine without a network find each other over loopback', { skip }, async (t) => {
  const { a } = twoHosts(t);
  a.run('ip', 'address', 'flush', 'dev', a.device);
  await advertise(a, SMALL, 'Bakery');
  await browse(a).until('the server', (seen) => seen.player.some(({ origin }) => origin === 'http://127.0.0.1:8710'));
});

test('two servers with the same name both appear, one of them with a suffix', { skip }, async (t) => {
  const { a, b } = twoHosts(t);
  const eyes = browse(b);
  await advertise(a, LARGE, 'Bakery');
  await eyes.until('the first', (seen) => seen.player.length === 1);
  await advertise(b, SMALL, 'Bakery');
  const names = (seen: Seen) =>
    [...new Set(seen.player.map(({ id, name }) => `${id.slice(0, 4)} ${name}`))].sort().join();
  await eyes.until('both', (seen) => names(seen) === '1111 Bakery,eeee Bakery (eeee)');
});

test('server announces itself on a network interface that comes up later', { skip }, async (t) => {
  const { a, b, cable } = twoHosts(t);
  a.run('ip', 'address', 'flush', 'dev', a.device);
  cable(false);
  await advertise(a, SMALL, 'Bakery');
  cable(true);
  a.run('ip', 'address', 'add', '10.77.0.9/24', 'dev', a.device);
  await browse(b).until('the server at its new address', (seen) =>
    seen.player.some(({ origin }) => origin === 'http://10.77.0.9:8710'),
  );
});

test('invalid packets on the multicast port harm neither server nor player', { skip }, async (t) => {
  const { a, b } = twoHosts(t);
  const server = await advertise(a, SMALL, 'Bakery');
  const script = `
    const { randomBytes } = require('node:crypto');
    const socket = require('node:dgram').createSocket('udp4');
    socket.bind(0, () => {
      socket.setMulticastInterface('${b.address}');
      const header = (kind) => Buffer.from([0, 0, kind, 0, 0, 1, 0, 1, 0, 1, 0, 1]);
      let left = 400;
      const next = () => {
        if (left-- === 0) return socket.close();
        const body = randomBytes(Math.floor(Math.random() * 300));
        socket.send(left % 3 ? Buffer.concat([header(left % 2 ? 0x84 : 0), body]) : body, 5353, '224.0.0.251', next);
      };
      next();
    });`;
  const junk = b.start(process.execPath, ['-e', script], { stdio: 'inherit' });
  assert.equal(await ended(junk), 0);
  await browse(b).until('the server', (seen) => seen.player.length === 1);
  assert.equal(server.child.exitCode, null);
});

test('server is announced once its HTTP port answers, and withdraws the announcement on SIGTERM', {
  skip,
}, async (t: TestContext) => {
  const data = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const { a, b } = twoHosts(t);
  const eyes = browse(b);
  const server = a.start(process.execPath, [join(here, '../../server/main.ts'), '--data', data, '--port', '8710'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const { player, services } = await eyes.until(
    'the server',
    (seen) => seen.player.length > 0 && seen.services[0]?.txt['tls'] !== undefined,
  );
  assert.deepEqual(Object.keys(services[0]!.txt).sort(), ['api', 'fp', 'id', 'setup', 'tls', 'ver']);
  assert.equal(services[0]!.txt['tls'], '8711');
  assert.equal(services[0]!.txt['setup'], '1');
  const health = b.run(
    process.execPath,
    '-e',
    `fetch('${player[0]!.origin}/api/health').then(async (r) => console.log(r.status))`,
  );
  assert.equal(health.trim(), '200');
  server.kill('SIGTERM');
  assert.equal(await ended(server), 0);
  await eyes.until('the goodbye', (seen) => seen.services.length === 0 && seen.player.length === 0);
});

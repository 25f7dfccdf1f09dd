import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { GuardedFetch } from './guarded-fetch.ts';
import { AddressRefused, type ResolveHost, SsrfGuard } from './ssrf-guard.ts';

const startServer = async (t: TestContext, listener: RequestListener): Promise<number> => {
  const server = createServer(listener);
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};
const loopback: ResolveHost = async () => [{ address: '127.0.0.1', family: 4 }];
const fetcher = ({ allowedHosts = [], ...options }: { allowedHosts?: string[]; resolve?: ResolveHost } = {}) =>
  new GuardedFetch(new SsrfGuard({ resolve: loopback, allowedHosts: () => allowedHosts, ...options }));

test('fetch of an allowed host connects to the address that was checked', async (t) => {
  const port = await startServer(t, (req, res) => res.end(`${req.headers.host} ${req.url}`));
  const { bytes } = await fetcher({ allowedHosts: ['nas.store'] }).getBytes(`http://nas.store:${port}/a?b=c`, {
    maxBytes: 1000,
  });
  assert.equal(bytes.toString(), `nas.store:${port} /a?b=c`);
});

test('guarded fetch makes no connection to a host inside the local network', async (t) => {
  let asked = 0;
  const port = await startServer(t, (_req, res) => {
    asked++;
    res.end();
  });
  await assert.rejects(fetcher().get(`http://127.0.0.1:${port}/`), AddressRefused);
  await assert.rejects(fetcher().get(`http://rebound.example:${port}/`), AddressRefused);
  assert.equal(asked, 0);
});

test('changed DNS answer between the check and the connection has no effect', async (t) => {
  let asked = 0;
  const port = await startServer(t, (_req, res) => {
    asked++;
    res.end('inside');
  });
  // Simulates DNS rebinding: the first answer is an address without a server, the second is the server inside the
  // network. Both addresses are allowed, so only the pinned (remembered) address protects.
  let answers = 0;
  const resolve: ResolveHost = async () => [{ address: answers++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
  await assert.rejects(
    fetcher({ resolve, allowedHosts: ['rebound.example'] }).get(`http://rebound.example:${port}/`),
    /refused the connection/,
  );
  assert.deepEqual([answers, asked], [1, 0]);
});

test('redirect is checked like the first address', async (t) => {
  const inside = await startServer(t, (_req, res) => res.end('secret'));
  for (const location of [
    `http://127.0.0.1:${inside}/`,
    `http://inside.example:${inside}/`,
    `//127.0.0.1:${inside}/`,
    'file:///etc/passwd',
    'http://user:pw@nas.store/',
  ]) {
    const port = await startServer(t, (_req, res) => res.writeHead(302, { Location: location }).end());
    await assert.rejects(
      fetcher({ allowedHosts: ['nas.store'] }).get(`http://nas.store:${port}/`),
      AddressRefused,
      location,
    );
  }
});

test('at most five redirects are followed', async (t) => {
  const port = await startServer(t, (req, res) => {
    const hop = Number(req.url!.slice(1));
    if (hop === 0) res.end('there');
    else res.writeHead(307, { Location: `/${hop - 1}` }).end();
  });
  const f = fetcher({ allowedHosts: ['nas.store'] });
  const { bytes, url } = await f.getBytes(`http://nas.store:${port}/5`, { maxBytes: 100 });
  assert.deepEqual([bytes.toString(), url.pathname], ['there', '/0']);
  await assert.rejects(f.get(`http://nas.store:${port}/6`), /redirects too often/);
});

test('response larger than the limit is refused or cut off', async (t) => {
  const port = await startServer(t, (_req, res) => res.end(Buffer.alloc(5000)));
  await assert.rejects(
    fetcher({ allowedHosts: ['nas.store'] }).getBytes(`http://nas.store:${port}/`, { maxBytes: 4999 }),
    /more than 4999/,
  );
});

test('error messages of a fetch name the host', async (t) => {
  const port = await startServer(t, (req, res) => {
    if (req.url === '/404') res.writeHead(404).end();
    else if (req.url === '/cut') {
      res.writeHead(200, { 'Content-Length': 100 }).write('half');
      setImmediate(() => res.destroy());
    }
  });
  const f = fetcher({ allowedHosts: ['nas.store', 'gone.store'] });
  await assert.rejects(f.getBytes(`http://nas.store:${port}/404`, { maxBytes: 10 }), {
    message: `nas.store:${port} answered with the status 404`,
    status: 404,
  });
  await assert.rejects(f.getBytes(`http://nas.store:${port}/cut`, { maxBytes: 1000 }), /ended its answer too early/);
  await assert.rejects(f.get(`http://nas.store:${port}/silent`, { silenceMs: 20 }), /did not answer/);
  await assert.rejects(f.get('http://gone.store:1/'), /refused the connection/);
  const unknown = fetcher({ resolve: async () => Promise.reject(new Error('ENOTFOUND')) });
  await assert.rejects(unknown.get('http://nobody.example/'), /cannot be found/);
});

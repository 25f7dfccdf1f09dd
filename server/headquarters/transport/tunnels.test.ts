/**
 * Tests tunnels: each belongs to the store that was asked to open it, their number is limited, and they close when the
 * store is removed.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { connect, createServer as listener, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { Refused } from '../stores/refused.ts';
import { NotDone } from './downlink.ts';
import { Tunnels } from './tunnels.ts';

const storeOf = (id: number) => ({ id, ref: `store-${id}`, workspaceId: 'hq', key: `${id}` });

const setUp = async (t: TestContext) => {
  const asked: { id: number; tunnel: string }[] = [];
  let says: (id: number, tunnel: string) => Promise<Record<string, never>> = async () => ({});
  const tunnels = new Tunnels({
    downlink: {
      request: ((store: { id: number }, _verb: string, { tunnel }: { tunnel: string }) => {
        asked.push({ id: store.id, tunnel });
        return says(store.id, tunnel);
      }) as never,
    },
    sessions: { of: (authorization) => storeOf(Number(authorization)) },
  });
  t.after(() => tunnels.stop());
  const pairs = listener().listen(0, '127.0.0.1');
  await once(pairs, 'listening');
  t.after(() => pairs.close());
  const http = createServer((req, res) => res.end(`${req.url} of the store`));
  /** Connects as a store. Returns the store's end of the connection. */
  const come = async (id: number, tunnel: string): Promise<Duplex> => {
    const near = connect((pairs.address() as { port: number }).port, '127.0.0.1');
    const [far] = (await once(pairs, 'connection')) as [Socket];
    t.after(() => near.destroy());
    const req = {
      headers: { authorization: `${id}` },
      url: `/chain/tunnel?id=${tunnel}`,
    } as unknown as IncomingMessage;
    try {
      tunnels.claim(req, far, Buffer.alloc(0));
    } catch (error) {
      far.destroy();
      throw error;
    }
    const said = await new Promise<Buffer>((next) => {
      near.once('data', (data) => {
        near.pause();
        next(data);
      });
    });
    const end = said.indexOf('\r\n\r\n') + 4;
    assert.match(said.subarray(0, end).toString(), /^HTTP\/1\.1 101 /);
    // The first request of headquarters may arrive in the same packet as the answer to the upgrade, so its bytes are
    // pushed back.
    if (said.length > end) near.unshift(said.subarray(end));
    http.emit('connection', near);
    near.resume();
    return near;
  };
  const get = async (id: number, path: string): Promise<string> => {
    const req = request({ agent: tunnels.agentOf(storeOf(id)), host: 'store', path });
    const answered = once(req, 'response');
    req.end();
    const [reply] = await answered;
    let text = '';
    for await (const part of reply) text += part;
    return text;
  };
  return {
    tunnels,
    asked,
    come,
    get,
    answering: (with_: typeof says) => {
      says = with_;
    },
  };
};

test('tunnel carries a request and is reused for the next one', async (t) => {
  const { answering, come, get, asked } = await setUp(t);
  answering(async (id, tunnel) => {
    await come(id, tunnel);
    return {};
  });
  assert.equal(await get(1, '/a'), '/a of the store');
  assert.equal(await get(1, '/b'), '/b of the store');
  assert.equal(asked.length, 1);
  assert.equal(await get(2, '/c'), '/c of the store');
  assert.deepEqual(
    asked.map(({ id }) => id),
    [1, 2],
  );
});

test('tunnel is refused for a store that was not asked, with an id that was already used, and with an unknown id', async (t) => {
  const { answering, come, get } = await setUp(t);
  const refusedFor = async (id: number, tunnel: string) => assert.rejects(come(id, tunnel), Refused);
  await refusedFor(1, 'a'.repeat(32));
  await refusedFor(1, '');
  let told = '';
  let isRefused = false;
  answering(async (id, tunnel) => {
    told = tunnel;
    await refusedFor(id + 1, tunnel);
    isRefused = true;
    await come(id, tunnel);
    return {};
  });
  assert.equal(await get(1, '/a'), '/a of the store');
  assert.ok(isRefused);
  await refusedFor(1, told);
});

test('failed request contains the reason that the store gave, and requests to a replaced server use its new tunnel', async (t) => {
  const { answering, come, get, asked, tunnels } = await setUp(t);
  answering(() => Promise.reject(new NotDone('unsupported', 'It is too old.')));
  await assert.rejects(get(1, '/a'), /It is too old\./);
  const ends: Duplex[] = [];
  answering(async (id, tunnel) => {
    ends.push(await come(id, tunnel));
    return {};
  });
  await get(1, '/a');
  const closed = once(ends[0]!, 'close');
  tunnels.close(storeOf(1));
  await closed;
  await get(1, '/b');
  assert.deepEqual([ends.length, asked.length], [2, 3]);
});

test('tunnels of one store are limited, and requests to other stores continue', async (t) => {
  const { answering, come, get, tunnels } = await setUp(t);
  answering(async (id, tunnel) => {
    if (id === 2) await come(id, tunnel);
    return id === 2 ? {} : new Promise(() => {});
  });
  const waiting = Array.from({ length: 40 }, () => get(1, '/a').catch(() => 'not'));
  assert.equal(await get(2, '/b'), '/b of the store');
  tunnels.close(storeOf(1));
  await Promise.race([Promise.all(waiting), new Promise((next) => setTimeout(next, 50))]);
});

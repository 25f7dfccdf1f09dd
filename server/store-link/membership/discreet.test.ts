/**
 * Tests that enrolment reveals nothing about hosts and ports to a workspace administrator, neither by its answer nor by
 * its timing.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { ApiError } from '../../../shared/contract/errors.ts';
import { meet } from '../connection/https-connection.ts';
import { discreetly } from './discreet.ts';

const MS = 700;

const listen = async (t: TestContext, server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => void server.close());
  return (server.address() as AddressInfo).port;
};

test('every failed enrolment returns the same error after the same time, and only the log contains the reason', async (t) => {
  const sockets: { destroy(): void }[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const closed = createServer();
  const ports = {
    silent: await listen(
      t,
      createServer((socket) => void sockets.push(socket.on('error', () => {}))),
    ),
    banner: await listen(
      t,
      createServer((socket) => void socket.on('error', () => {}).end('SSH-2.0-x\r\n')),
    ),
    web: await listen(
      t,
      createHttp((_, res) => res.end('<h1>Printer</h1>')),
    ),
    closed: await listen(t, closed),
  };
  closed.close();
  const answers: string[] = [];
  for (const [what, port] of Object.entries(ports)) {
    const address = `https://127.0.0.1:${port}`;
    const logged: string[] = [];
    const log = { warn: (_: string, { reason }: { reason: string }) => void logged.push(reason) };
    const began = performance.now();
    const error = await discreetly(
      meet(address, () => true),
      { ms: MS, address, log: log as never },
    ).then(
      () => assert.fail(what),
      (thrown: ApiError) => thrown,
    );
    assert.ok(performance.now() - began >= MS - 5, `${what} is answered early`);
    assert.equal(error.status, 400);
    assert.equal(logged.length, 1, what);
    answers.push(error.message);
  }
  assert.deepEqual(new Set(answers).size, 1);
  assert.match(answers[0]!, /^address: The headquarters that created this code does not answer at this address[.]/);
});

test('successful enrolment is answered without delay', async () => {
  const met = await discreetly(Promise.resolve('met'), { ms: 60_000, address: '', log: {} as never });
  assert.equal(met, 'met');
});

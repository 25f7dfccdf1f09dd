import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { sendExport } from './send-export.ts';

test('an export whose client stops reading is ended, and an export whose client reads continues', {
  timeout: 30_000,
}, async (t) => {
  let [began, running] = [0, 0];
  const chunks = async function* (): AsyncGenerator<Buffer> {
    began++;
    running++;
    try {
      for (;;) yield Buffer.alloc(256 * 1024);
    } finally {
      running--;
    }
  };
  const server = createServer(
    (req, res) => void sendExport(req, res, { filename: 'x.csv', type: 'text/csv', head: '', chunks: chunks() }, 1_000),
  ).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const ask = () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  };
  const reader = ask();
  let read = 0;
  reader.on('data', (chunk) => (read += chunk.length)).resume();
  for (let i = 0; i < 16; i++) ask();
  while (began < 17) await new Promise((next) => setTimeout(next, 10));
  while (running > 1) await new Promise((next) => setTimeout(next, 10));
  const before = read;
  while (running === 1 && read === before) await new Promise((next) => setTimeout(next, 10));
  assert.ok(read > before && running === 1, 'whoever reads goes on');
  reader.destroy();
  while (running > 0) await new Promise((next) => setTimeout(next, 10));
});

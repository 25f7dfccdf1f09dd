/**
 * `node bare-server.ts PORT KIND …`: a minimal server for comparison. It does the work of one row of the bench with the
 * same libraries.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import BetterSqlite3 from 'better-sqlite3';
import { WebSocketServer } from 'ws';

const [port, kind, ...more] = process.argv.slice(2) as [string, string, ...string[]];

const json = (res: ServerResponse, bytes: Buffer | string) => {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(bytes) });
  res.end(bytes);
};

/** Returns a list with a JSON size of about `bytes`. */
const list = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 900) }, (_, n) => ({
    id: n,
    ...Object.fromEntries(Array.from({ length: 28 }, (_, k) => [`member_name_${k}`, `value ${k} ${n}`])),
  }));

type Handle = (req: IncomingMessage, res: ServerResponse) => unknown;

const kinds: Record<string, () => Handle> = {
  small: () => (_req, res) => json(res, '{"ok":true}'),
  /** Answers each request with the same bytes, prepared before. */
  ready: () => {
    const bytes = Buffer.alloc(Number(more[0]), 'x');
    return (_req, res) => json(res, bytes);
  },
  stringify: () => {
    const records = list(Number(more[0]));
    return (_req, res) => json(res, JSON.stringify(records));
  },
  /** Handles each request with one insert that is synced to disk. */
  insert: () => {
    const db = new BetterSqlite3(join(more[0]!, 'bare.db'));
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.exec('CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, playlist TEXT, content TEXT, duration INTEGER)');
    const insert = db.prepare("INSERT INTO items (playlist, content, duration) VALUES ('p', 'c', 10)");
    return (_req, res) => json(res, JSON.stringify({ id: Number(insert.run().lastInsertRowid) }));
  },
  upload: () => {
    const folder = join(more[0]!, 'bare-uploads');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    let count = 0;
    return async (req, res) => {
      if (req.method !== 'POST') return json(res, '{}');
      const hash = createHash('sha256');
      req.on('data', (chunk: Buffer) => hash.update(chunk));
      await pipeline(req, createWriteStream(join(folder, String(count++))));
      json(res, JSON.stringify({ sha256: hash.digest('hex') }));
    };
  },
  /** Sends a file, whole or in ranges, as a stream of 256 kB blocks. */
  files: () => {
    const file = more[0]!;
    const { size } = statSync(file);
    return async (req, res) => {
      if (req.url === '/') return json(res, '{}');
      const range = /bytes=(\d+)-(\d+)/.exec(req.headers.range ?? '');
      const [start, end] = range ? [Number(range[1]), Number(range[2])] : [0, size - 1];
      res.writeHead(range ? 206 : 200, { 'Content-Length': end - start + 1 });
      await pipeline(createReadStream(file, { start, end, highWaterMark: 256 * 1024 }), res).catch(() => {});
    };
  },
  /** Opens WebSockets that answer every message. A POST request sends a message to all of them. */
  sockets: () => (req, res) => {
    const frame = Buffer.from(
      JSON.stringify({
        type: 'command',
        id: req.url,
        command: 'screen_on',
        payload: {},
        expires_at: 0,
        at: 'x'.repeat(200),
      }),
    );
    if (req.method === 'POST') for (const socket of sockets.clients) socket.send(frame, { binary: false });
    json(res, '{}');
  },
};

const handle = kinds[kind]!();
const server = createServer({ noDelay: true }, (req, res) => void handle(req, res));
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
server.on('upgrade', (req, socket, head) =>
  sockets.handleUpgrade(req, socket, head, (ws) => {
    ws.on('message', () => ws.send('{"type":"heartbeat.ack","server_time":0}'));
    ws.on('error', () => {});
  }),
);
server.listen(Number(port), '127.0.0.1');

/** A proxy between a player and its server that damages, delays or interrupts the traffic on request of the test. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export class LossyWay {
  origin = '';
  /** Range headers of the requests for files, in order. */
  readonly ranges: (string | undefined)[] = [];
  /** Delay of each file and program in milliseconds. */
  delayMs = 0;
  /** Transforms each chunk of a file's body. Null breaks the connection. */
  mangle: ((piece: Buffer, sent: number) => Buffer | null) | undefined;

  static async open(t: TestContext, target: string): Promise<LossyWay> {
    const way = new LossyWay();
    const { hostname, port } = new URL(target);
    const sockets = new Set<Socket>();
    const server = createServer((incoming, outgoing) => way.#carry(incoming, outgoing, { hostname, port }));
    server.on('connection', (socket) => sockets.add(socket));
    server.on('upgrade', (incoming, socket) => {
      const onward = connect(Number(port), hostname);
      const head = incoming.rawHeaders.reduce(
        (text, each, i) => text + (i % 2 ? `${each}\r\n` : `${each}: `),
        `GET ${incoming.url} HTTP/1.1\r\n`,
      );
      onward.write(`${head}\r\n`);
      socket.pipe(onward).pipe(socket);
      for (const end of [socket, onward]) end.on('error', () => end.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    way.origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    t.after(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return way;
  }

  #carry(incoming: IncomingMessage, outgoing: ServerResponse, target: { hostname: string; port: string }): void {
    const isFile = /^\/api\/player\/assets\//.test(incoming.url ?? '');
    if (isFile) this.ranges.push(incoming.headers.range);
    const onward = request(
      { ...target, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        let sent = 0;
        answer.on('data', (piece: Buffer) => {
          const through = isFile && this.mangle ? this.mangle(piece, sent) : piece;
          sent += piece.length;
          if (through !== null) return void outgoing.write(through);
          answer.destroy();
          outgoing.destroy();
        });
        answer.on('end', () => outgoing.end());
      },
    );
    onward.on('error', () => outgoing.destroy());
    setTimeout(() => incoming.pipe(onward), this.delayMs);
  }
}

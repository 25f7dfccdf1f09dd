/** What lies between a store and headquarters: carries bytes, until it is told to break. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export class CutLine {
  port = 0;
  isCut = false;
  readonly #sockets = new Set<Socket>();
  #close = () => {};

  static async open(target: number): Promise<CutLine> {
    const line = new CutLine();
    const server = createServer((socket) => {
      if (line.isCut) return void socket.destroy();
      const onward = connect(target, '127.0.0.1');
      for (const [end, other] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        line.#sockets.add(end);
        end.on('error', () => end.destroy());
        end.on('close', () => {
          line.#sockets.delete(end);
          other.destroy();
        });
        end.pipe(other);
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    line.port = (server.address() as { port: number }).port;
    line.#close = () => {
      server.close();
      line.break();
    };
    return line;
  }

  /** Ends all connections in the middle of whatever they carry. */
  break(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#close();
  }
}

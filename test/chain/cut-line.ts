/** A TCP proxy that can break its connections, or hold their bytes back. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export class CutLine {
  port = 0;
  isCut = false;
  #isHeld = false;
  /** Each end of a connection, and the socket that gets its bytes. */
  readonly #ends = new Map<Socket, Socket>();
  #close = () => {};

  /** @param at address to listen on; by default a free port of loopback */
  static async open(target: number, at: { readonly host?: string; readonly port?: number } = {}): Promise<CutLine> {
    const line = new CutLine();
    const server = createServer((socket) => line.#carry(socket, target));
    server.listen(at.port ?? 0, at.host ?? '127.0.0.1');
    await once(server, 'listening');
    line.port = (server.address() as { port: number }).port;
    line.#close = () => {
      server.close();
      line.break();
    };
    return line;
  }

  /** Ends all connections in the middle of their data. */
  break(): void {
    for (const socket of [...this.#ends.keys()]) socket.destroy();
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /**
   * While true, connections stay open, but neither bytes nor the end of a connection pass, as in a network that
   * drops all packets.
   */
  set isHeld(isHeld: boolean) {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    for (const [end, other] of this.#ends) {
      if (isHeld) end.unpipe(other);
      else end.pipe(other);
    }
  }

  close(): void {
    this.#close();
  }

  #carry(socket: Socket, target: number): void {
    if (this.isCut) return void socket.destroy();
    const onward = connect(target, '127.0.0.1');
    for (const [end, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#ends.set(end, other);
      end.on('error', () => end.destroy());
      end.on('close', () => {
        this.#ends.delete(end);
        other.destroy();
      });
      if (!this.#isHeld) end.pipe(other);
    }
  }
}

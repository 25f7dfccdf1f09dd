/**
 * Answers at the server's port while there is no server: everybody is told to come again in a moment, and who waits
 * for what is being done hears how far it is.
 */
import { createServer } from 'node:http';
import { closeGently, listen } from './server.ts';

const AGAIN_SECONDS = 2;

export interface WaitingRoom {
  close(): Promise<void>;
}

/**
 * @param answer returns the body of an answer to a path, undefined where there is none
 * @param sentence tells the others what is going on
 * @throws ListenError
 */
export const openWaitingRoom = async ({
  host,
  port,
  sentence,
  answer,
}: {
  host: string;
  port: number;
  sentence: string;
  answer: (path: string) => unknown;
}): Promise<WaitingRoom> => {
  const server = createServer((req, res) => {
    const found = req.method === 'GET' ? answer((req.url ?? '').split('?')[0] ?? '') : undefined;
    const bytes = Buffer.from(JSON.stringify(found ?? { error: sentence }));
    res.writeHead(found === undefined ? 503 : 200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': bytes.length,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      // The server that follows is another one.
      Connection: 'close',
      ...(found === undefined && { 'Retry-After': AGAIN_SECONDS }),
    });
    res.end(bytes);
  });
  server.on('upgrade', (_req, socket) => socket.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  await listen(server, host, port);
  return { close: () => closeGently(server) };
};

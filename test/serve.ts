import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ending } from './harness.ts';

/** Starts another web server on this machine, on a free port. It ends with the test, or when stopped. */
export const serve = async (
  t: Ending,
  answer: RequestListener,
  host = '127.0.0.1',
): Promise<{ readonly origin: string; readonly port: number; readonly stop: () => void }> => {
  const server = createServer(answer).listen(0, host);
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  t.after(stop);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, stop };
};

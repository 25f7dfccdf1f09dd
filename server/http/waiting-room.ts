/**
 * Answers requests at the server's port while the server is not running, for example during an update. Clients are told
 * to retry soon, and a client that asks for the progress of the work gets it. A browser gets a page that reloads by
 * itself.
 */
import { createServer } from 'node:http';
import { escaped } from '../kernel/markup.ts';
import { closeGently, listen } from './server.ts';

const AGAIN_SECONDS = 2;

export interface WaitingRoom {
  close(): Promise<void>;
}

/**
 * @param answer returns the body for a path; undefined for other paths
 * @param sentence says what is going on, for all other requests
 * @param inGerman the same in German, chosen by the browser's language
 * @throws ListenError
 */
export const openWaitingRoom = async ({
  host,
  port,
  sentence,
  inGerman,
  answer,
}: {
  host: string;
  port: number;
  sentence: string;
  inGerman: string;
  answer: (path: string) => unknown;
}): Promise<WaitingRoom> => {
  const server = createServer((req, res) => {
    const found = req.method === 'GET' ? answer((req.url ?? '').split('?')[0] ?? '') : undefined;
    const isPage = found === undefined && req.headers.accept?.includes('text/html');
    const german = /^\s*de\b/i.test(req.headers['accept-language'] ?? '');
    const bytes = Buffer.from(
      isPage
        ? pageOf(german ? inGerman : sentence, german ? 'de' : 'en')
        : JSON.stringify(found ?? { error: sentence }),
    );
    res.writeHead(found === undefined ? 503 : 200, {
      'Content-Type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
      'Content-Length': bytes.length,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      // The connection is closed after the answer, because the next server is another process.
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

const pageOf = (sentence: string, language: 'en' | 'de'): string =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="${AGAIN_SECONDS}"><title>Vitrine</title><p>${escaped(sentence)}</p></html>\n`;

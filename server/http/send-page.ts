import type { IncomingMessage, ServerResponse } from 'node:http';

/** Sends an HTML page with restrictive security headers. */
export const sendPage = (
  req: IncomingMessage,
  res: ServerResponse,
  html: string,
  headers: Readonly<Record<string, string>>,
): undefined => {
  const bytes = Buffer.from(html);
  res.writeHead(200, { ...headers, 'Content-Length': bytes.length });
  res.end(req.method === 'HEAD' ? undefined : bytes);
};

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Picture } from './devices.service.ts';

/** Sends a screenshot. The bytes come from a player, so the headers allow a browser to show them only as a picture. */
export const sendPicture = (req: IncomingMessage, res: ServerResponse, picture: Picture): undefined => {
  const etag = `"${picture.taken_at}-${picture.data.length}"`;
  const headers = {
    ETag: etag,
    'Last-Modified': new Date(picture.taken_at * 1000).toUTCString(),
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  if (req.headers['if-none-match'] === etag) res.writeHead(304, headers).end();
  else
    res
      .writeHead(200, { ...headers, 'Content-Type': picture.mime, 'Content-Length': picture.data.length })
      .end(req.method === 'HEAD' ? undefined : picture.data);
};

/**
 * Refuses a request for an unknown host name before any other processing. Handles requests for pages, requests of the
 * API, and upgrades.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '../../../shared/contract/errors.ts';
import { escaped } from '../../kernel/markup.ts';
import { describeError } from '../errors.ts';

const jsonOf = (refusal: ApiError): string => JSON.stringify(describeError(refusal, '').body);

export const refuseHost = (req: IncomingMessage, res: ServerResponse, refusal: ApiError): void => {
  const isApi = req.url?.includes('/api/') ?? false;
  const bytes = Buffer.from(isApi ? jsonOf(refusal) : pageOf(refusal));
  res.writeHead(refusal.status, {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'",
    'Content-Type': isApi ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
    'Content-Length': bytes.length,
  });
  res.end(req.method === 'HEAD' ? undefined : bytes);
};

export const refusedUpgrade = (refusal: ApiError): { status: string; body: string; type: string } => ({
  status: refusal.status === 421 ? '421 Misdirected Request' : '400 Bad Request',
  body: jsonOf(refusal),
  type: 'application/json',
});

const pageOf = ({ message }: ApiError): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Vitrine</title><p>${escaped(message)}</p></html>\n`;

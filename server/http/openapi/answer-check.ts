/**
 * In tests, turns an answer that does not match its declaration into an error. Compares the answer with the published
 * OpenAPI description (`expectedOf`).
 */
import type { ServerResponse } from 'node:http';
import type { Endpoint } from '../../../shared/contract/endpoint.ts';
import { type Expected, expectedOf, HEADERS, OPTIONAL_HEADERS } from './openapi.ts';

/**
 * Checks status and headers when they are written.
 * @throws Error from `writeHead`, before anything is sent
 */
export const watchHead = (res: ServerResponse, endpoint: Endpoint): void => {
  const { writeHead } = res;
  res.writeHead = ((status: number, headers: Record<string, string | number> = {}) => {
    const sent = { ...res.getHeaders(), ...lower(headers) };
    const wrong = status === 500 ? undefined : undeclared(status, expectedOf(endpoint).get(status), sent);
    if (wrong) throw new Error(`${endpoint.name} answered with the status ${status}, ${wrong}`);
    return writeHead.call(res, status, headers);
  }) as ServerResponse['writeHead'];
};

const lower = (headers: Record<string, string | number>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toLowerCase(), v]));

const undeclared = (
  status: number,
  expected: Expected | undefined,
  sent: Record<string, unknown>,
): string | undefined => {
  if (!expected) return 'a status that it does not declare';
  const type = String(sent['content-type'] ?? '').split(';')[0]!;
  if (expected.types.length === 0 ? type !== '' : !expected.types.includes(type))
    return `with ${type || 'no content type'}, which it does not declare`;
  for (const name of Object.keys(HEADERS) as (keyof typeof HEADERS)[]) {
    const declares = expected.headers.includes(name);
    const sends = sent[name.toLowerCase()] !== undefined;
    if (sends && !declares) return `with ${name}, which it does not declare`;
    if (declares && !sends && status !== 503 && !OPTIONAL_HEADERS.has(name))
      return `without ${name}, which it declares`;
  }
  return undefined;
};

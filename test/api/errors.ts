import type { Endpoint } from '../../shared/contract/endpoint.ts';

/**
 * Returns the error statuses that a client must expect from an endpoint: the general statuses, and the declared
 * statuses.
 */
export const ERROR_STATUSES = ({ method, path, access, body, errors, perMinute }: Endpoint): number[] => [
  ...errors,
  // 400: a query parameter that occurs twice; 421: a host name that is not the server's.
  ...[400, 421],
  ...(access.kind === 'public' ? [] : [401]),
  ...(access.kind === 'public' || access.kind === 'device' ? [] : [403]),
  ...(path.includes('{') ? [404] : []),
  ...(body === null ? [] : [413]),
  ...(method === 'GET' ? [] : [507]),
  // 423: the record belongs to headquarters.
  ...(method === 'GET' || access.kind !== 'token' || access.scope === 'read' ? [] : [423]),
  ...(perMinute === undefined ? [] : [429]),
];

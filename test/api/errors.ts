import type { Endpoint } from '../../shared/contract/endpoint.ts';

/** Error statuses that a client must expect of an endpoint: the general ones, and those in its declaration. */
export const ERROR_STATUSES = ({ method, path, access, body, errors, perMinute }: Endpoint): number[] => [
  ...errors,
  // A query member that occurs twice; a host name that is not the server's.
  ...[400, 421],
  ...(access.kind === 'public' ? [] : [401]),
  ...(access.kind === 'public' || access.kind === 'device' ? [] : [403]),
  ...(path.includes('{') ? [404] : []),
  ...(body === null ? [] : [413]),
  ...(method === 'GET' ? [] : [507]),
  // Records of headquarters.
  ...(method === 'GET' || access.kind !== 'token' || access.scope === 'read' ? [] : [423]),
  ...(perMinute === undefined ? [] : [429]),
];

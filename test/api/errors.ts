import type { Endpoint } from '../../shared/contract/endpoint.ts';

/** What a client must expect of an endpoint by the general rules of the decisions, whatever its declaration adds. */
export const ERROR_STATUSES = ({ method, path, access, body, errors, perMinute }: Endpoint): number[] => [
  ...errors,
  // A query member that comes twice; a name that is not the server's.
  ...[400, 421],
  ...(access.kind === 'public' ? [] : [401]),
  ...(access.kind === 'public' || access.kind === 'device' ? [] : [403]),
  ...(path.includes('{') ? [404] : []),
  ...(body === null ? [] : [413]),
  ...(method === 'GET' ? [] : [507]),
  // Of headquarters' records.
  ...(method === 'GET' || access.kind !== 'token' || access.scope === 'read' ? [] : [423]),
  ...(perMinute === undefined ? [] : [429]),
];

import type { Endpoint } from '../../shared/contract/endpoint.ts';

/** What a client must expect of an endpoint, from its declaration alone. */
export const ERROR_STATUSES = ({ access, body, errors, perMinute }: Endpoint): number[] => [
  ...errors,
  ...(access.kind === 'public' ? [] : [401, 403]),
  ...(body ? [400] : []),
  ...(perMinute === undefined ? [] : [429]),
];

import { z } from 'zod';
import { endpointsOf, open } from '../endpoint.ts';
import { Int } from '../fields.ts';

const endpoint = endpointsOf('Server');

export const getHealth = endpoint('GET /api/health', {
  name: 'getHealth',
  summary: 'Health of the server',
  description:
    'Status ok: everything works. Status degraded: the server works, and `failing` names what it does without: `hub`, the nats-server of a headquarters, whose stores use HTTPS meanwhile. 503 with the code `database_failing`: the disk of the server fails; `postgres_failing`: a headquarters cannot use its database of plays, and its stores keep their plays. The answer costs nothing: the server checks these parts all the time.',
  access: open,
  response: z.object({
    status: z.enum(['ok', 'degraded']),
    failing: z.array(z.enum(['hub'])).optional(),
    version: z.string(),
    uptime_seconds: Int,
  }),
});

/** Code of the answer 503 while a headquarters cannot use its database of plays. The server itself works. */
export const POSTGRES_FAILING = 'postgres_failing';

const Working = z.union([
  getHealth.response.transform(({ version }) => version),
  z
    .object({ code: z.literal(POSTGRES_FAILING), params: z.object({ version: z.string() }) })
    .transform(({ params }) => params.version),
]);

/**
 * Returns the version of a server that works, even if a program beside it fails. Undefined: the server does not work,
 * or is not a Vitrine server.
 * @param answer the body of {@link getHealth}
 */
export const workingVersion = (answer: unknown): string | undefined => Working.safeParse(answer).data;

export const getOpenApi = endpoint('GET /api/openapi.json', {
  name: 'getOpenApi',
  summary: 'This document',
  access: open,
  response: z.record(z.string(), z.unknown()),
});

import { z } from 'zod';
import { endpointsOf, open } from './endpoint.ts';
import { Int } from './fields.ts';

const endpoint = endpointsOf('Server');

export const getHealth = endpoint('GET /api/health', {
  name: 'getHealth',
  summary: 'Whether everything is up',
  access: open,
  response: z.object({ status: z.literal('ok'), version: z.string(), uptime_seconds: Int }),
});

export const getOpenApi = endpoint('GET /api/openapi.json', {
  name: 'getOpenApi',
  summary: 'This document',
  access: open,
  response: z.record(z.string(), z.unknown()),
});

import { z } from 'zod';
import { endpoint, open } from './endpoint.ts';
import { Int } from './fields.ts';

export const getHealth = endpoint('GET /api/health', {
  name: 'getHealth',
  tag: 'Server',
  summary: 'Whether everything is up',
  access: open,
  response: z.object({ status: z.literal('ok'), version: z.string(), uptime_seconds: Int }),
  errors: [503],
});

export const getOpenApi = endpoint('GET /api/openapi.json', {
  name: 'getOpenApi',
  tag: 'Server',
  summary: 'This document',
  access: open,
  response: z.record(z.string(), z.unknown()),
});

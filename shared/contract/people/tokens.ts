/** Personal access tokens. */
import { z } from 'zod';
import { administers } from '../acts.ts';
import { endpointsOf, Scope, session } from '../endpoint.ts';
import { Epoch, nameOf } from '../fields.ts';

const endpoint = endpointsOf('Tokens');

export const Token = z.object({
  id: z.string(),
  /** First characters of the token, by which a person recognizes it. */
  prefix: z.string(),
  name: z.string(),
  scope: Scope,
  workspace_id: z.string(),
  /** User whose rights the token has. */
  user_id: z.string(),
  user_name: z.string(),
  created_at: Epoch,
  /** Time of the last use, to about a minute; null: never. */
  last_used_at: Epoch.nullable(),
  /** Expiry; null: valid until the token is revoked. */
  expires_at: Epoch.nullable(),
  revoked_at: Epoch.nullable(),
});
export type Token = z.infer<typeof Token>;

export const listTokens = endpoint('GET /api/tokens', {
  name: 'listTokens',
  summary: 'The tokens of the current workspace, oldest first, revoked ones too',
  access: session('manager'),
  acts: administers('tokens'),
  response: z.array(Token),
});
export const createToken = endpoint('POST /api/tokens', {
  name: 'createToken',
  summary: 'Make a token for the current workspace',
  description:
    '`token` is shown this once. It acts as you with platform role `user`, so you must belong to the workspace or own or administer its organization (403), and it dies with that. `expires_at` must be in the future.',
  access: session('manager'),
  acts: administers('tokens'),
  body: z.object({
    name: nameOf(100),
    scope: Scope.default('read'),
    expires_at: Epoch.min(1, 'must be a time in epoch seconds').nullish(),
  }),
  status: 201,
  response: Token.extend({ token: z.string() }),
});
export const revokeToken = endpoint('DELETE /api/tokens/{id}', {
  name: 'revokeToken',
  summary: 'Revoke a token, at once',
  access: session('manager'),
  acts: administers('tokens'),
});

/** HTTPS of a server in a LAN: its own certificate authority, given to players at pairing and to browsers by hand. */
import { z } from 'zod';
import { endpointsOf, open, stream } from './endpoint.ts';
import { Epoch, Int } from './fields.ts';

const endpoint = endpointsOf('Server');

/** Member `https` of GET /api/server/status. */
export const HttpsStatus = z.object({
  /** `failing`: it is wanted and cannot be had; `error` says why and what to do. Plain HTTP goes on in any case. */
  state: z.enum(['on', 'off', 'starting', 'failing']),
  port: Int.nullable(),
  /**
   * Of the authority’s certificate (SHA-256 of its DER bytes, hex): what a browser shows before it is trusted. Null:
   * there is none (yet), or the certificate is one’s own.
   */
  ca_fingerprint: z.string().nullable(),
  /** Where a browser gets the authority’s certificate, on any of the addresses; null with `ca_fingerprint`. */
  ca_path: z.literal('/api/ca.crt').nullable(),
  /** The certificate was given with --tls-cert; players trust exactly that one. */
  own_certificate: z.boolean(),
  /** Of the server’s certificate, which is renewed by itself unless it is one’s own. */
  expires_at: Epoch.nullable(),
  /**
   * The authority’s certificate was renewed: browsers that were given the one before need the new one by then. Null: it
   * was not, or all that ended long ago.
   */
  previous_ca_ends_at: Epoch.nullable(),
  /** Names and addresses for which browsers accept it. */
  names: z.array(z.string()),
  error: z.string().nullable(),
});
export type HttpsStatus = z.infer<typeof HttpsStatus>;

export const getCaCertificate = endpoint('GET /api/ca.crt', {
  name: 'getCaCertificate',
  summary: 'The certificate of this server’s own authority, for browsers to trust',
  description:
    'PEM, or DER with `format=der`. 404 where there is none: HTTPS is off, or the server uses a certificate that it was given. 503 while the first one is being made.',
  access: open,
  query: z.object({ format: z.enum(['pem', 'der'], 'must be pem or der').optional() }),
  response: stream('application/x-x509-ca-cert', 'named'),
  errors: [404],
});

/**
 * HTTPS of a server in a local network. Players receive its certificate authority at pairing; people install it in
 * browsers.
 */
import { z } from 'zod';
import { endpointsOf, open, stream } from '../endpoint.ts';
import { Epoch, Int } from '../fields.ts';

const endpoint = endpointsOf('Server');

/** State of HTTPS; member `https` of GET /api/server/status. */
export const HttpsStatus = z.object({
  /**
   * State of HTTPS. `failing`: HTTPS is enabled but does not work; `error` has the reason and the solution. Plain HTTP
   * works in any case.
   */
  state: z.enum(['on', 'off', 'starting', 'failing']),
  port: Int.nullable(),
  /**
   * Fingerprint of the authority’s certificate (SHA-256 of its DER bytes, hex), which a browser shows before it is
   * trusted. Null: none yet, or the certificate was given with --tls-cert.
   */
  ca_fingerprint: z.string().nullable(),
  /** Path of the authority’s certificate on every address; null if `ca_fingerprint` is null. */
  ca_path: z.literal('/api/ca.crt').nullable(),
  /** Whether the certificate was given with --tls-cert. Players then trust exactly that certificate. */
  own_certificate: z.boolean(),
  /** Expiry of the server’s certificate, which is renewed automatically unless it was given. */
  expires_at: Epoch.nullable(),
  /**
   * Expiry of the authority’s previous certificate. Browsers that trust it need the new certificate by then. Null: the
   * authority was not renewed, or the previous certificate expired long ago.
   */
  previous_ca_ends_at: Epoch.nullable(),
  /** Names and addresses for which browsers accept the certificate. */
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

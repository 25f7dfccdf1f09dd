/** Creates HTTPS: certificates, the second listener, and its description for players and people. */

import { join } from 'node:path';
import { ApiError } from '../../shared/contract/errors.ts';
import type { HttpsStatus } from '../../shared/contract/server/tls.ts';
import { type TlsOffer, tlsText } from '../../shared/protocol/server-proof.ts';
import { lanAddresses } from '../discovery/addresses.ts';
import { fingerprintOf } from '../kernel/trust/fingerprint.ts';
import { Certificates } from '../tls/certificates.ts';
import { hostNames, namesToPermit } from '../tls/host-names.ts';
import { HttpsServer } from '../tls/https-server.ts';
import { tlsRoutes } from '../tls/tls.routes.ts';
import type { Kernel } from './kernel.ts';

/** @param moreNames additional names of the server, which the certificate includes */
export const createTls = ({ config, identity, clock, log }: Kernel, moreNames: () => readonly string[]) => {
  const { host, tls_cert: cert, tls_key: key } = config;
  const names = () => hostNames({ ...config, tls_names: [...config.tls_names, ...moreNames()] }, identity.id);
  const given = cert !== undefined && key !== undefined ? { cert, key } : undefined;
  const certificates = new Certificates({
    folder: join(config.data, 'keys'),
    serverId: identity.id,
    given,
    names,
    publicNames: namesToPermit(names()),
    clock,
    log,
  });
  const https = new HttpsServer({ host, port: config.https_port, certificates, clock, log });
  return {
    https,
    routes: tlsRoutes(https),
    /** Returns the HTTPS address for a player, signed for its nonce. @throws ApiError 503 while HTTPS is starting */
    offer: (nonce: string): TlsOffer => {
      const { state } = https;
      switch (state.state) {
        case 'starting':
          throw new ApiError(503, 'The server is starting', { retryAfter: 1 });
        case 'failing':
          return { port: null, certificate: null, failing: true, signature: identity.sign(tlsText(nonce, 'failing')) };
        case 'off':
          return { port: null, certificate: null, signature: identity.sign(tlsText(nonce, null)) };
        case 'on': {
          const { port, shown } = state;
          return {
            port,
            certificate: shown.anchor.toString('hex'),
            signature: identity.sign(tlsText(nonce, { port, fingerprint: fingerprintOf(shown.anchor) })),
          };
        }
      }
    },
    status: (): HttpsStatus => {
      const { state } = https;
      const shown = state.state === 'on' ? state.shown : undefined;
      const authority = shown?.authority;
      return {
        state: state.state,
        port: state.state === 'on' ? state.port : config.https_port,
        ca_fingerprint: authority ? fingerprintOf(authority.raw) : null,
        ca_path: authority ? '/api/ca.crt' : null,
        own_certificate: given !== undefined,
        expires_at: shown ? Math.floor(shown.expiresAt / 1000) : null,
        previous_ca_ends_at: shown?.replacedEndsAt ? Math.floor(shown.replacedEndsAt / 1000) : null,
        names: [...(shown?.names ?? [])],
        error: state.state === 'failing' ? state.error : (shown?.warning ?? null),
      };
    },
    /** Addresses `https://host:port` for other machines; empty without HTTPS. */
    addresses: (): string[] => {
      const { state } = https;
      if (state.state !== 'on') return [];
      // Configured names come first, because behind a router or in a container the machine's own addresses are not
      // reachable.
      const hosts = [...config.names, ...lanAddresses(config.host)];
      return (hosts.length > 0 ? hosts : ['127.0.0.1']).map((address) => `https://${address}:${state.port}`);
    },
    /** Certificate of HTTPS, with its key and authority; undefined without HTTPS. */
    get shown() {
      return https.state.state === 'on' ? https.state.shown : undefined;
    },
    /** Port of HTTPS; null without HTTPS. */
    get port() {
      return https.state.state === 'on' ? https.state.port : null;
    },
  };
};

export type TlsParts = ReturnType<typeof createTls>;

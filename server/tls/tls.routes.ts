import { ApiError, notFound } from '../../shared/contract/errors.ts';
import { getCaCertificate } from '../../shared/contract/server/tls.ts';
import { type Bound, bind } from '../http/api.ts';
import type { HttpsState } from './https-server.ts';

export const tlsRoutes = (https: { readonly state: HttpsState }): Bound[] => [
  bind(getCaCertificate, ({ query, req, res }) => {
    const { state } = https;
    if (state.state === 'starting')
      throw new ApiError(503, 'The server is still creating its certificate. Try again in a moment.', {
        retryAfter: 1,
      });
    const authority = state.state === 'on' ? state.shown.authority : null;
    if (!authority) throw notFound('Certificate');
    const isDer = query.format === 'der';
    const bytes = isDer ? authority.raw : Buffer.from(authority.toString());
    res.writeHead(200, {
      'Content-Type': 'application/x-x509-ca-cert',
      'Content-Length': bytes.length,
      'Content-Disposition': `attachment; filename="vitrine-ca.${isDer ? 'der' : 'crt'}"`,
      'Cache-Control': 'no-cache',
    });
    res.end(req.method === 'HEAD' ? undefined : bytes);
    return undefined;
  }),
];

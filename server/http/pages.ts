/** The pages: admin window at `/`, player for a bare browser at `/player`. Everything under a CSP without `unsafe-inline`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { DOCS_STYLE, docsPage } from './docs-page.ts';

const DIST = join(import.meta.dirname, '..', '..', 'dist');

const contentSecurity = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      baseUri: ["'none'"],
      objectSrc: ["'none'"],
      frameAncestors: ["'self'"],
      formAction: ["'self'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      mediaSrc: ["'self'", 'blob:'],
      // The bare-browser player shows web pages and overlays of any address in sandboxed frames.
      frameSrc: ["'self'", 'blob:', 'http:', 'https:'],
      connectSrc: ["'self'", 'ws:', 'wss:'],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      fontSrc: ["'self'"],
      workerSrc: ["'self'", 'blob:'],
    },
  },
  // Plain HTTP in a LAN: a promise of HTTPS would lock people out.
  strictTransportSecurity: false,
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: { policy: 'no-referrer' },
});

/** Hashed file names never change; the pages themselves are asked for each time. */
const folder = (path: string) =>
  express.static(path, {
    index: 'index.html',
    redirect: true,
    setHeaders: (res, file) => res.setHeader('Cache-Control', /[\\/]assets[\\/]/.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache'),
  });

export const createPages = (endpoints: readonly Endpoint[], version: string, dist: string = DIST): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.use(contentSecurity);
  app.get('/api/docs', (_req, res) => void res.type('html').send(docsPage(endpoints, version)));
  app.get('/api/docs/style.css', (_req, res) => void res.type('css').send(DOCS_STYLE));
  app.use('/player', folder(join(dist, 'player')));
  app.use('/', folder(join(dist, 'admin')));
  app.use((req, res) => {
    if (req.path === '/' && !existsSync(join(dist, 'admin', 'index.html'))) {
      res.status(503).type('text').send('The pages are not built yet. Start the server with "npm start", which builds them, or run "npm run build".');
      return;
    }
    res.status(404).json({ error: `There is nothing at ${req.path}` });
  });
  return app;
};

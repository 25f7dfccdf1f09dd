/**
 * Serves the pages: the admin window at `/` and the player for browsers without an installed player at `/player`, both
 * with a CSP without `unsafe-inline`.
 */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Endpoint } from '../../shared/contract/endpoint.ts';
import { DIST } from './dist-folder.ts';
import { DOCS_STYLE, docsPage } from './openapi/docs-page.ts';
import type { Json } from './openapi/openapi-schemas.ts';

type Policy = Readonly<Record<string, readonly string[]>>;

const PAGES_POLICY: Policy = {
  defaultSrc: ["'self'"],
  baseUri: ["'none'"],
  objectSrc: ["'none'"],
  frameAncestors: ["'self'"],
  formAction: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  mediaSrc: ["'self'", 'blob:'],
  frameSrc: ["'self'", 'blob:', 'http:', 'https:'],
  connectSrc: ["'self'", 'ws:', 'wss:'],
  styleSrc: ["'self'"],
  scriptSrc: ["'self'"],
  fontSrc: ["'self'"],
  workerSrc: ["'self'", 'blob:'],
};

/**
 * CSP sources that allow the player to show web pages and overlays from any address (in sandboxed frames), and to check
 * first whether the address answers.
 */
const PLAYER_POLICY: Policy = {
  ...PAGES_POLICY,
  imgSrc: [...(PAGES_POLICY['imgSrc'] ?? []), 'http:', 'https:'],
  connectSrc: ["'self'", 'blob:', 'ws:', 'wss:', 'http:', 'https:'],
};

const security = (directives: Policy): RequestHandler =>
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { ...directives } },
    // HSTS (a header that forbids plain HTTP) is off, because people in a local network also use the pages over plain
    // HTTP.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: { policy: 'no-referrer' },
  });

/**
 * Matches the empty page in which the player of a bare browser opens widgets and kiosk pages (player/web/frame.html).
 * The page may run script, but in a separate origin without access to this server. Content written into the page brings
 * its own stricter policy.
 */
const FRAME = /[\\/]assets[\\/]frame-[\w-]+\.html$/;
const FRAME_POLICY = [
  'sandbox allow-scripts allow-forms',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob: http: https:',
  'media-src data: blob: http: https:',
  'font-src data:',
  'frame-src http: https:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** File types for which the build writes compressed copies. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json',
};
/** Encodings of files, the preferred encoding first. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

const extensionOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1] ?? '';

const accepts = (header: string | undefined, encoding: string): boolean =>
  (header ?? '').split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((s) => s.trim().toLowerCase());
    return name === encoding && !parameters.some((p) => /^q=0(\.0*)?$/.test(p));
  });

/** Serves the compressed copy beside a file, if there is one and the browser accepts it. */
const smallerCopy =
  (root: string): RequestHandler =>
  async (req, _res, next) => {
    const path = req.path.endsWith('/') ? `${req.path}index.html` : req.path;
    // Handles only plain paths below this folder. express.static redirects `/player` without a slash, and refuses
    // unusual paths.
    const isPlain =
      /^[\w./-]+$/.test(path) && !path.includes('..') && req.originalUrl.startsWith(req.baseUrl + req.path);
    if (!isPlain || !(extensionOf(path) in TYPES) || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    for (const { name, extension } of ENCODINGS) {
      if (!accepts(req.headers['accept-encoding'], name) || !(await isFile(join(root, path + extension)))) continue;
      req.url = path + extension;
      break;
    }
    next();
  };

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * Sets the cache headers. Files with a hash in their name never change; other files are revalidated with each request.
 */
const setHeaders = (res: ServerResponse, file: string): void => {
  const copy = ENCODINGS.find(({ extension }) => file.endsWith(extension));
  const type = TYPES[extensionOf(copy ? file.slice(0, -copy.extension.length) : file)];
  if (type) res.setHeader('Vary', 'Accept-Encoding');
  if (type && copy) {
    res.setHeader('Content-Type', type);
    res.setHeader('Content-Encoding', copy.name);
  }
  if (FRAME.test(copy ? file.slice(0, -copy.extension.length) : file))
    res.setHeader('Content-Security-Policy', FRAME_POLICY);
  res.setHeader('Cache-Control', /[\\/]assets[\\/]/.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache');
};

const folder = (path: string): RequestHandler[] => [
  smallerCopy(path),
  express.static(path, { index: 'index.html', redirect: true, setHeaders }),
];

/**
 * Answers errors of express.static (invalid range, failed condition, invalid path) with the standard text of the
 * status; express itself would reveal the path of the program. Express recognizes an error handler by its four
 * parameters.
 */
const refuse: ErrorRequestHandler = (error: { status?: number; headers?: Record<string, string> }, _req, res, next) => {
  if (res.headersSent) return next(error);
  const status = error.status !== undefined && error.status >= 400 && error.status < 500 ? error.status : 500;
  res
    .status(status)
    .set(error.headers ?? {})
    .json({ error: STATUS_CODES[status] });
};

/** The API with its bound endpoints, and the OpenAPI document, which is created on first use. */
export interface Documented {
  readonly endpoints: readonly Endpoint[];
  readonly openApi: () => Json;
}

export const createPages = ({ endpoints, openApi }: Documented, version: string, dist: string = DIST): Express => {
  const app = express();
  let docs: string | undefined;
  app.disable('x-powered-by');
  app.use('/player', security(PLAYER_POLICY), folder(join(dist, 'player')));
  app.use(security(PAGES_POLICY));
  app.get('/api/docs', (_req, res) => void res.type('html').send((docs ??= docsPage(endpoints, openApi(), version))));
  app.get('/api/docs/style.css', (_req, res) => void res.type('css').send(DOCS_STYLE));
  app.use('/', folder(join(dist, 'admin')));
  app.use((req, res) => {
    if (req.path === '/' && !existsSync(join(dist, 'admin', 'index.html'))) {
      res
        .status(503)
        .type('text')
        .send(
          'The pages are not built yet. Start the server with "npm start", which builds them, or run "npm run build".',
        );
      return;
    }
    res.status(404).json({ error: `There is nothing at ${req.path}` });
  });
  app.use(refuse);
  return app;
};

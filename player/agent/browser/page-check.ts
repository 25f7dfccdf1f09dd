/**
 * Checks whether a web page can be shown in a zone: the server answers with a page that allows framing. The screen page
 * cannot check this (a frame with the browser's error page fires `load` as well), so the agent sends a request before
 * the page is due.
 */
import { request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { getCACertificates } from 'node:tls';
import { mayBeFramed } from './frame-rules.ts';

const ANSWER_WITHIN_MS = 8_000;
const MOST_REDIRECTS = 10;

interface Answer {
  readonly status: number;
  header(name: string): string | null;
}

export interface Asker {
  /** Origin of the screen page, which would show the web page in a frame. */
  readonly ancestor: string;
  /** User agent of the browser that will show the page, because many sites answer differently by browser. */
  readonly userAgent: string;
  readonly languages: string;
}

/** Returns the problem of the page as a sentence for the operator; null: the page can be shown. Never rejects. */
export async function pageProblem(address: string, asker: Asker): Promise<string | null> {
  let url = URL.parse(address);
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    if (!url || !/^https?:$/.test(url.protocol)) return 'the address does not begin with http:// or https://';
    let answer: Answer;
    try {
      answer = await head(url, asker, signal);
    } catch (error) {
      return /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(codeOf(error))
        ? 'this player does not trust the certificate of the address'
        : 'the address does not answer';
    }
    const location = answer.header('location');
    if (answer.status < 300 || answer.status > 399 || location === null) return problemOf(answer, url, asker);
    url = URL.parse(location, url.href);
  }
  return 'the address redirects too many times';
}

function problemOf(answer: Answer, url: URL, { ancestor }: Asker): string | null {
  if (answer.status >= 400) return `the address answers with the error ${answer.status}`;
  const isFile = /^\s*attachment/i.test(answer.header('content-disposition') ?? '');
  if (answer.status === 204 || isFile || isDownloaded(answer.header('content-type') ?? ''))
    return 'the address is not a web page';
  const headers = {
    contentSecurityPolicy: answer.header('content-security-policy'),
    xFrameOptions: answer.header('x-frame-options'),
  };
  return mayBeFramed(headers, { ancestor, own: url.origin })
    ? null
    : 'the website does not allow other pages to show its page (X-Frame-Options or frame-ancestors)';
}

/** Sends GET, because many servers answer HEAD wrongly. Only the headers are read. */
function head(url: URL, { userAgent, languages }: Asker, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = {
      agent: false,
      signal,
      headers: {
        Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        'Accept-Language': languages,
        'User-Agent': userAgent,
        'Sec-Fetch-Dest': 'iframe',
        'Sec-Fetch-Mode': 'navigate',
      },
    };
    // The browser also trusts the certificates of the system.
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, ca: [...getCACertificates('default'), ...getCACertificates('system')] })
        : requestHttp(url, options);
    request.once('error', reject);
    request.once('response', (response) => {
      resolve({
        status: response.statusCode ?? 0,
        header: (name) => [response.headers[name] ?? []].flat().join(', ') || null,
      });
      response.destroy();
    });
    request.end();
  });
}

/**
 * Returns true for media types that a browser downloads instead of showing. In a frame without the permission to
 * download, they would be a blank page.
 */
function isDownloaded(contentType: string): boolean {
  const type = (contentType.split(/[;,]/)[0] ?? '').trim().toLowerCase();
  if (type.startsWith('application/')) return !SHOWN.test(type.slice('application/'.length));
  return DOWNLOADED.test(type);
}

/** Media types below `application/` that browsers show: pages, data, streams. */
const SHOWN =
  /^(.+\+)?(json|xml)$|^(x-)?(java|ecma)script$|^(x-)?ndjson$|^ogg$|^(x-|vnd\.apple\.)mpegurl$|^(x-)?unknown(-content-type)?$/;
/** Media types below other names that browsers do not show. */
const DOWNLOADED =
  /^(font|model)\/|^text\/((x-)?(v?calendar|vcard|csv|vcf|qif)|directory|ldif|rtf|comma-separated-values|tab-separated-values|tsv|ofx)$|^image\/(tiff|hei[cf]|jp2|vnd\..+)$|^video\/x-(msvideo|ms-wmv|flv)$/;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');

/**
 * Whether a web page can be shown in a zone: somebody answers, with a page, and lets itself be framed. The screen page
 * cannot tell (a frame that shows the browser's error page says `load` as well), so the agent asks before the page's
 * turn.
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
  /** Origin of the screen page. */
  readonly ancestor: string;
  /** Of the browser that will show it: many sites answer others differently. */
  readonly userAgent: string;
  readonly languages: string;
}

/** A sentence for the operator; null: it can be shown. Never rejects. */
export async function pageProblem(address: string, asker: Asker): Promise<string | null> {
  let url = URL.parse(address);
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    if (!url || !/^https?:$/.test(url.protocol)) return 'it is not a web address';
    let answer: Answer;
    try {
      answer = await head(url, asker, signal);
    } catch (error) {
      return /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(codeOf(error))
        ? 'its certificate is not one that this player trusts'
        : 'the address does not answer';
    }
    const location = answer.header('location');
    if (answer.status < 300 || answer.status > 399 || location === null) return problemOf(answer, url, asker);
    url = URL.parse(location, url.href);
  }
  return 'it redirects without end';
}

function problemOf(answer: Answer, url: URL, { ancestor }: Asker): string | null {
  if (answer.status >= 400) return `the address answers ${answer.status}`;
  const isFile = /^\s*attachment/i.test(answer.header('content-disposition') ?? '');
  if (answer.status === 204 || isFile || isDownloaded(answer.header('content-type') ?? ''))
    return 'the address is not a web page';
  const headers = {
    contentSecurityPolicy: answer.header('content-security-policy'),
    xFrameOptions: answer.header('x-frame-options'),
  };
  return mayBeFramed(headers, { ancestor, own: url.origin })
    ? null
    : 'the page does not allow to be shown within another (X-Frame-Options or frame-ancestors)';
}

/** Asked with GET: many servers answer HEAD wrongly. What comes after the headers is not read. */
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
    // What the machine's owner trusts, the browser trusts too.
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

/** Instead of showing these a browser would download them: in a frame that may not, they are a white sheet. */
function isDownloaded(contentType: string): boolean {
  const type = (contentType.split(/[;,]/)[0] ?? '').trim().toLowerCase();
  if (type.startsWith('application/')) return !SHOWN.test(type.slice('application/'.length));
  return DOWNLOADED.test(type);
}

/** Of the types of applications those that browsers show: pages, data, streams. */
const SHOWN =
  /^(.+\+)?(json|xml)$|^(x-)?(java|ecma)script$|^(x-)?ndjson$|^ogg$|^(x-|vnd\.apple\.)mpegurl$|^(x-)?unknown(-content-type)?$/;
/** Of the others those that they do not. */
const DOWNLOADED =
  /^(font|model)\/|^text\/((x-)?(v?calendar|vcard|csv|vcf|qif)|directory|ldif|rtf|comma-separated-values|tab-separated-values|tsv|ofx)$|^image\/(tiff|hei[cf]|jp2|vnd\..+)$|^video\/x-(msvideo|ms-wmv|flv)$/;

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');

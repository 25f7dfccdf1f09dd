/**
 * Decides by the headers of a response whether a page of another origin may show the response in a frame (HTML,
 * X-Frame-Options; CSP 3, frame-ancestors). Pure.
 */

export interface FrameHeaders {
  readonly contentSecurityPolicy: string | null;
  readonly xFrameOptions: string | null;
}

/**
 * @param ancestor origin of the page that would frame the response
 * @param own origin of the response, the meaning of `'self'`
 */
export function mayBeFramed(
  { contentSecurityPolicy, xFrameOptions }: FrameHeaders,
  { ancestor, own }: { readonly ancestor: string; readonly own: string },
): boolean {
  const lists = (contentSecurityPolicy ?? '').split(',').flatMap((policy) => ancestorsOf(policy) ?? []);
  // If a policy has the directive frame-ancestors, browsers ignore the older header X-Frame-Options.
  if (lists.length > 0) return lists.every((sources) => sources.some((source) => matches(source, ancestor, own)));
  const options = (xFrameOptions ?? '').split(',').map((option) => option.trim().toLowerCase());
  return !options.includes('deny') && !(options.includes('sameorigin') && ancestor !== own);
}

/** Returns the sources of the first directive `frame-ancestors`. Undefined: the policy has no such directive. */
function ancestorsOf(policy: string): [readonly string[]] | undefined {
  for (const directive of policy.split(';')) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (name?.toLowerCase() === 'frame-ancestors') return [sources];
  }
  return undefined;
}

function matches(source: string, ancestor: string, own: string): boolean {
  const asked = source.toLowerCase();
  const { protocol, hostname, port } = new URL(ancestor);
  if (asked === "'self'") return ancestor === own;
  if (asked === '*') return true;
  if (/^[a-z][a-z0-9+.-]*:$/.test(asked)) return asked === protocol;
  const parts = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/:]+)(?::(\d+|\*))?/.exec(asked);
  if (!parts) return false;
  const [, scheme, host = '', wantedPort] = parts;
  if (`${scheme ?? new URL(own).protocol.slice(0, -1)}:` !== protocol) return false;
  if (host.startsWith('*.') ? !hostname.endsWith(host.slice(1)) : host !== hostname) return false;
  return wantedPort === '*' || (wantedPort ?? '') === port;
}

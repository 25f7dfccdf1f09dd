/**
 * Verifies that a server is the pinned server and how it offers HTTPS, before any secret is sent. The request may use
 * plain HTTP: the answer is signed for a nonce, so a relay cannot change it.
 */
import { z } from 'zod';
import { type ServerProof as Proof, proofText, ServerProof, tlsText } from '../../../shared/protocol/server-proof.ts';
import { Stranger } from '../errors.ts';
import { jsonOrUndefined } from '../files/documents.ts';
import type { Get, Host, ServerAddress } from '../ports.ts';
import type { IdentityKeeper } from './identity.ts';

const ANSWER_MS = 5_000;
const MOST_BYTES = 16_384;

/** Error answer of a server. The text is logged on the screen. */
const Refusal = z.object({ error: z.string().max(500) });

interface Deps extends Pick<Host, 'crypto' | 'log' | 'time'> {
  readonly identity: Pick<IdentityKeeper, 'paired'>;
  readonly get: Get;
  /** Whether the host can pin a connection to a certificate. A browser cannot. */
  readonly pins: boolean;
}

export class ServerCheck {
  readonly #deps: Deps;
  /** The HTTPS origin that could not be reached, for example behind a firewall. Stored so that it is logged once. */
  #unreachable: string | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Returns the address at which the server may be contacted.
   * @throws Stranger if it is not the pinned server or cannot prove it; and the errors of `get` if it cannot be reached
   */
  async check(address: ServerAddress): Promise<ServerAddress> {
    const { identity, crypto, pins } = this.#deps;
    const { paired } = identity;
    // An unpaired player has no secret to protect, and no pinned server to compare with.
    if (!paired && !pins) return address;
    const nonce = crypto.randomHex(32);
    const proof = await this.#ask(`${address.origin}/api/player/identity?nonce=${nonce}`);
    const fingerprint = crypto.sha256OfHex(proof.public_key);
    if (paired && fingerprint !== paired.server.fingerprint)
      throw new Stranger('its key is not the one pinned at pairing');
    if (crypto.verify(proof.public_key, proofText(nonce), proof.signature) === false)
      throw new Stranger('it does not hold the key that it shows');
    return pins ? this.#secured({ ...address, server: { id: proof.id, fingerprint } }, proof, nonce) : address;
  }

  /**
   * Called when a connection failed although the server offers HTTPS in its answer. Logs once per origin that the HTTPS
   * port must be opened.
   */
  unreached({ secure }: ServerAddress): void {
    if (!secure || this.#unreachable === secure.origin) return;
    this.#unreachable = secure.origin;
    this.#deps.log.error(
      `${secure.origin} cannot be reached: open that port too in the firewall of the server’s computer, or start the server with --no-https`,
    );
  }

  #secured(address: ServerAddress, { public_key, tls }: Proof, nonce: string): ServerAddress {
    const { identity, crypto } = this.#deps;
    // Every server signs how it offers HTTPS. A missing statement was removed by an intermediary, who would receive the
    // secret.
    if (!tls) throw new Stranger('it says nothing of HTTPS');
    const { port, certificate } = tls;
    const offer =
      port !== null && certificate !== null
        ? { port, certificate, fingerprint: crypto.sha256OfHex(certificate) }
        : null;
    if (crypto.verify(public_key, tlsText(nonce, tls.failing ? 'failing' : offer), tls.signature) === false)
      throw new Stranger('what it says of HTTPS is not signed with its key');
    // The server states that its HTTPS fails temporarily: a player that has used HTTPS with it waits until HTTPS works
    // again.
    if (tls.failing && identity.paired?.tls)
      throw new Error('its HTTPS does not work just now, and this screen has talked to it by that before');
    if (!offer) return address;
    return { ...address, secure: { origin: securely(address.origin, offer.port), certificate: offer.certificate } };
  }

  async #ask(url: string): Promise<Proof> {
    const { get, time } = this.#deps;
    const late = new AbortController();
    const cancel = time.after(ANSWER_MS, () => late.abort(new Error('no answer in 5 s')));
    try {
      const reply = await get(url, {}, late.signal, { certificate: null });
      // A server that is starting or overloaded gives no valid answer.
      if (reply.status >= 500 || reply.status === 429) throw new Error(`it answered ${reply.status}`);
      const said = jsonOrUndefined(await textOf(reply.body));
      // The server does not know the requested host name, and explains what to do.
      if (reply.status === 421)
        throw new Stranger(Refusal.safeParse(said).data?.error ?? 'it does not answer to this name');
      const proof = reply.status === 200 ? ServerProof.safeParse(said) : undefined;
      if (!proof?.success) throw new Stranger('it cannot prove who it is');
      return proof.data;
    } finally {
      cancel();
    }
  }
}

/** Returns the https origin of the same host. */
function securely(origin: string, port: number): string {
  const [, host] = /^https?:\/\/(\[[^\]]*\]|[^:/]*)/.exec(origin)!;
  return `https://${host}:${port}`;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_BYTES) return '';
  }
  return text;
}

/** Asks a server to prove that it is the pinned one, before anything is said to it that only that one may hear. */
import { proofText, ServerProof } from '../../shared/protocol/server-proof.ts';
import { jsonOrUndefined } from './documents.ts';
import { Stranger } from './errors.ts';
import type { IdentityKeeper } from './identity.ts';
import type { Crypto, Get, Time } from './ports.ts';

const ANSWER_MS = 5_000;
const MOST_BYTES = 4_096;

interface Needs {
  readonly identity: Pick<IdentityKeeper, 'paired'>;
  readonly get: Get;
  readonly crypto: Crypto;
  readonly time: Time;
}

export class ServerCheck {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** @throws Stranger it is not the pinned server, or cannot prove it; whatever `get` throws when it cannot be reached */
  async check(origin: string): Promise<void> {
    const { identity, crypto } = this.#needs;
    const { paired } = identity;
    // Nothing is secret yet, and there is nothing to compare with.
    if (!paired) return;
    const nonce = crypto.randomHex(32);
    const proof = await this.#ask(`${origin}/api/player/identity?nonce=${nonce}`);
    if (crypto.sha256OfHex(proof.public_key) !== paired.server.fingerprint) throw new Stranger('its key is not the one pinned at pairing');
    if (crypto.verify(proof.public_key, proofText(nonce), proof.signature) === false) throw new Stranger('it does not hold the key that it shows');
  }

  async #ask(url: string): Promise<ServerProof> {
    const { get, time } = this.#needs;
    const late = new AbortController();
    const cancel = time.after(ANSWER_MS, () => late.abort(new Error('no answer in 5 s')));
    try {
      const reply = await get(url, {}, late.signal);
      // Starting, or overloaded: that is no answer to the question.
      if (reply.status >= 500 || reply.status === 429) throw new Error(`it answered ${reply.status}`);
      const proof = reply.status === 200 ? ServerProof.safeParse(jsonOrUndefined(await textOf(reply.body))) : undefined;
      if (!proof?.success) throw new Stranger('it cannot prove who it is');
      return proof.data;
    } finally {
      cancel();
    }
  }
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

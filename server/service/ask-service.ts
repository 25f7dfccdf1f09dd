/**
 * Finds out which program answers at the service's port: the service, which proves its identity with its key; another
 * program; or none.
 */
import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { proofText, ServerProof } from '../../shared/protocol/server-proof.ts';
import type { Note } from './service-note.ts';

const ANSWER_MS = 3_000;
/** Maximum length of the answer in characters. A proof of identity has a few hundred. */
const MAX_CHARACTERS = 20_000;

export type Answerer = 'service' | 'stranger' | 'nobody';

export const whoAnswers = async ({ port, fingerprint }: Note): Promise<Answerer> => {
  const nonce = randomBytes(32).toString('hex');
  let response: Response;
  try {
    response = await fetch(`http://127.0.0.1:${port}/api/player/identity?nonce=${nonce}`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: 'error',
    });
  } catch {
    return 'nobody';
  }
  try {
    // Treats this answer like no answer: the service cannot prove its identity while it is starting or stopping.
    if (response.status === 503) return 'nobody';
    const text = await response.text();
    return text.length <= MAX_CHARACTERS && proves(ServerProof.parse(JSON.parse(text)), nonce, fingerprint)
      ? 'service'
      : 'stranger';
  } catch {
    return 'stranger';
  }
};

const proves = ({ public_key, signature }: ServerProof, nonce: string, fingerprint: string): boolean => {
  const spki = Buffer.from(public_key, 'hex');
  if (createHash('sha256').update(spki).digest('hex') !== fingerprint) return false;
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(proofText(nonce)), key, Buffer.from(signature, 'hex'));
};

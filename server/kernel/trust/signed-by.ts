import { createPublicKey, verify } from 'node:crypto';

/** First bytes (DER) of an Ed25519 public key. */
export const SPKI = '302a300506032b6570032100';

/**
 * Returns whether the owner of a key (Ed25519, raw, hex) signed this text. Returns false for malformed keys and
 * signatures.
 */
export const isSignedBy = (key: string, text: string, signature: string): boolean => {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(SPKI + key, 'hex'), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'hex'));
  } catch {
    return false;
  }
};

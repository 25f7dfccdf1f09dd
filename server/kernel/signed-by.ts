import { createPublicKey, verify } from 'node:crypto';

/** Stands in front of an Ed25519 key in DER. */
export const SPKI = '302a300506032b6570032100';

/** Whether the owner of a key (Ed25519, raw, hex) has signed this; anything that is no key or no signature has not. */
export const isSignedBy = (key: string, text: string, signature: string): boolean => {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(SPKI + key, 'hex'), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'hex'));
  } catch {
    return false;
  }
};

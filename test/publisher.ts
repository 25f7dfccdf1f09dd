/** A publisher of releases for tests: a key, and signatures as the build makes them. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { type Publisher, publisherFrom, signRelease } from '../build/release-signing.ts';
import { artefactOf, type ReleaseFacts } from '../shared/protocol/releases/release-format.ts';

export interface TestPublisher extends Publisher {
  readonly pem: string;
  /** Returns the signature in hex of a file with this name and these bytes. `other` replaces facts in the signature. */
  sign(name: string, bytes: Uint8Array, other?: Partial<ReleaseFacts>): string;
}

export const newPublisher = (): TestPublisher => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publisher = publisherFrom(undefined, { VITRINE_RELEASE_KEY: pem })!;
  const sign: TestPublisher['sign'] = (name, bytes, other) =>
    signRelease(publisher, {
      ...artefactOf(name)!,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...other,
    });
  return { ...publisher, pem, sign };
};

/** Somebody who publishes releases, for tests: a key, and the signatures that the build would make with it. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { type Publisher, publisherFrom, signRelease } from '../build/release-signing.ts';
import { artefactOf, type ReleaseFacts } from '../shared/protocol/release-format.ts';

export interface TestPublisher extends Publisher {
  readonly pem: string;
  /** Of a file with this name and these bytes, hex; `other` is said of it instead. */
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

/** How a server proves that it is the one a player was paired with, before the player shows its secret (GET /api/player/identity). */
import { z } from 'zod';

export const ServerProof = z.object({
  id: z.string(),
  name: z.string(),
  /** Ed25519, SubjectPublicKeyInfo, hex; its SHA-256 is the fingerprint. */
  public_key: z.string().regex(/^[0-9a-f]{88}$/),
  fingerprint: z.string(),
  /** Ed25519 of {@link proofText}, hex. */
  signature: z.string().regex(/^[0-9a-f]{128}$/),
});
export type ServerProof = z.infer<typeof ServerProof>;

/** @param nonce random, hex: what was signed for one player at one time is worth nothing at another */
export const proofText = (nonce: string): string => `vitrine identity\n${nonce}`;

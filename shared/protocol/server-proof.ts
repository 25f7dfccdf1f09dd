/**
 * How a server proves that it is the one a player was paired with, before the player shows its secret (GET
 * /api/player/identity).
 */
import { z } from 'zod';
import { hex } from './hex.ts';

/**
 * Whether and how the server speaks HTTPS; both null: it was told not to, or cannot just now, and says so, so that
 * nobody else can.
 */
export const TlsOffer = z.object({
  port: z.number().int().min(1).max(65_535).nullable(),
  /** DER, hex, of the authority that issues its certificates, or of the one certificate that it was given. */
  certificate: z
    .string()
    .regex(/^([0-9a-f]{2}){1,6000}$/)
    .nullable(),
  /** It was told to, but cannot just now: a port that is in use, a certificate that is damaged. */
  failing: z.boolean().optional(),
  /** Ed25519 of {@link tlsText}, hex. */
  signature: hex(128),
});
export type TlsOffer = z.infer<typeof TlsOffer>;

export const ServerProof = z.object({
  id: z.string(),
  name: z.string(),
  /** Ed25519, SubjectPublicKeyInfo, hex; its SHA-256 is the fingerprint. */
  public_key: hex(88),
  fingerprint: z.string(),
  /** Ed25519 of {@link proofText}, hex. */
  signature: hex(128),
  /**
   * Never absent from a server's own answer: without it a player that can hold a connection to a certificate does not
   * go on.
   */
  tls: TlsOffer.optional(),
});
export type ServerProof = z.infer<typeof ServerProof>;

/** @param nonce random, hex: what was signed for one player at one time is worth nothing at another */
export const proofText = (nonce: string): string => `vitrine identity\n${nonce}`;

/** @param fingerprint SHA-256 of the certificate's DER bytes, hex */
export const tlsText = (
  nonce: string,
  offer: { readonly port: number; readonly fingerprint: string } | 'failing' | null,
): string =>
  `vitrine tls\n${nonce}\n${typeof offer === 'object' && offer ? `${offer.port}\n${offer.fingerprint}` : (offer ?? 'off')}`;

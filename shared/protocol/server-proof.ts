/**
 * Proof by a server that it is the server that a player was paired with, before the player sends its secret (GET
 * /api/player/identity).
 */
import { z } from 'zod';
import { hex } from './hex.ts';

/**
 * How the server offers HTTPS. Both null: HTTPS is disabled, or temporarily unavailable. The statement is signed, so
 * that nobody else can make it.
 */
export const TlsOffer = z.object({
  port: z.number().int().min(1).max(65_535).nullable(),
  /**
   * DER, hex: certificate of the authority that issues the server's certificates, or the single certificate that was
   * configured.
   */
  certificate: z
    .string()
    .regex(/^([0-9a-f]{2}){1,6000}$/)
    .nullable(),
  /** Whether HTTPS is enabled but temporarily unavailable: the port is in use, or a certificate is damaged. */
  failing: z.boolean().optional(),
  /** Ed25519 signature of {@link tlsText}, hex. */
  signature: hex(128),
});
export type TlsOffer = z.infer<typeof TlsOffer>;

export const ServerProof = z.object({
  id: z.string(),
  name: z.string(),
  /** Ed25519, SubjectPublicKeyInfo, hex; its SHA-256 is the fingerprint. */
  public_key: hex(88),
  fingerprint: z.string(),
  /** Ed25519 signature of {@link proofText}, hex. */
  signature: hex(128),
  /**
   * Statement about HTTPS. A server always sends it. Without it, a player that can pin certificates refuses to
   * continue.
   */
  tls: TlsOffer.optional(),
});
export type ServerProof = z.infer<typeof ServerProof>;

/** @param nonce random, hex: a signature for one request is useless for another */
export const proofText = (nonce: string): string => `vitrine identity\n${nonce}`;

/** @param fingerprint SHA-256 of the certificate's DER bytes, hex */
export const tlsText = (
  nonce: string,
  offer: { readonly port: number; readonly fingerprint: string } | 'failing' | null,
): string =>
  `vitrine tls\n${nonce}\n${typeof offer === 'object' && offer ? `${offer.port}\n${offer.fingerprint}` : (offer ?? 'off')}`;

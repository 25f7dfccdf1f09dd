/**
 * TLS of a connection that is held to one authority, or to one certificate, and as such to no name: addresses of a hub
 * change as those of headquarters do, and whoever has its certificate is it.
 * @param ca PEM; null: what the system trusts, with names
 */
export const heldTo = (ca: string | null) =>
  ca === null ? {} : { ca, allowPartialTrustChain: true, checkServerIdentity: () => undefined };

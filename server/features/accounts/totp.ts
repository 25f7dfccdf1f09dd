/**
 * Time-based one-time passwords (RFC 6238): SHA-1, 6 digits, 30 seconds, one step to either side (decisions,
 * Credentials).
 */

const STEP_SECONDS = 30;
/** 160 bits, what RFC 4226 recommends; every authenticator app takes it. */
const SECRET_BYTES = 20;

export interface Totp {
  /** Base32. */
  newSecret(): string;
  /** What the app scans. */
  uri(facts: { issuer: string; account: string; secret: string }): string;
  /**
   * The time step whose code it is, among the present one and its neighbours; undefined when it is none of them, or
   * when that step was used. A `lastStep` that lies beyond the window comes from a clock that was wrong then, and
   * forbids nothing.
   * @param at epoch seconds
   */
  acceptedStep(check: { secret: string; code: string; at: number; lastStep: number }): number | undefined;
}

/** The library is loaded with the first one who uses two-factor. */
export const loadTotp = async (): Promise<Totp> => {
  const { generateSecret, generateURI, verifySync } = await import('otplib');
  return {
    newSecret: () => generateSecret({ length: SECRET_BYTES }),
    uri: ({ issuer, account, secret }) =>
      generateURI({ issuer, label: account, secret, algorithm: 'sha1', digits: 6, period: STEP_SECONDS }),
    acceptedStep: ({ secret, code, at, lastStep }) => {
      if (!/^\d{6}$/.test(code)) return undefined;
      const result = verifySync({ secret, token: code, epoch: at, period: STEP_SECONDS, epochTolerance: STEP_SECONDS });
      if (!result.valid || !('timeStep' in result)) return undefined;
      const newestPossible = Math.floor(at / STEP_SECONDS) + 1;
      return lastStep <= newestPossible && result.timeStep <= lastStep ? undefined : result.timeStep;
    },
  };
};

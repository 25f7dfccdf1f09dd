/**
 * Checks time-based one-time passwords (RFC 6238): SHA-1, 6 digits, 30 seconds, one step to either side (decisions,
 * Credentials).
 */

const STEP_SECONDS = 30;
/** RFC 4226 recommends 160 bits, and every authenticator app takes them. */
const SECRET_BYTES = 20;

/** Returns what is needed of the library, which is loaded with the first one who uses two-factor. */
export const loadTotp = async () => {
  const { generateSecret, generateURI, verifySync } = await import('otplib');
  return {
    /** Makes a secret in base32. */
    newSecret: () => generateSecret({ length: SECRET_BYTES }),
    /** Returns what the app scans. */
    uri: ({ issuer, account, secret }: { issuer: string; account: string; secret: string }) =>
      generateURI({ issuer, label: account, secret, algorithm: 'sha1', digits: 6, period: STEP_SECONDS }),
    /**
     * Returns the time step whose code it is, among the present one and its neighbours; undefined when it is none of
     * them, or when that step was used. A `lastStep` that lies beyond the window comes from a clock that was wrong
     * then, and forbids nothing.
     * @param check.at in epoch seconds
     */
    acceptedStep: (check: { secret: string; code: string; at: number; lastStep: number }): number | undefined => {
      const { secret, code, at, lastStep } = check;
      if (!/^\d{6}$/.test(code)) return undefined;
      const result = verifySync({ secret, token: code, epoch: at, period: STEP_SECONDS, epochTolerance: STEP_SECONDS });
      if (!result.valid || !('timeStep' in result)) return undefined;
      const newestPossible = Math.floor(at / STEP_SECONDS) + 1;
      return lastStep <= newestPossible && result.timeStep <= lastStep ? undefined : result.timeStep;
    },
  };
};

export type Totp = Awaited<ReturnType<typeof loadTotp>>;

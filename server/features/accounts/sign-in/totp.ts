/** Verifies time-based one-time passwords (RFC 6238): SHA-1, 6 digits, 30 seconds, tolerance of one step. */

const STEP_SECONDS = 30;
/** RFC 4226 recommends 160 bits, which every authenticator app accepts. */
const SECRET_BYTES = 20;

/** Loads the library on first use of two-factor and returns the functions needed. */
export const loadTotp = async () => {
  const { generateSecret, generateURI, verifySync } = await import('otplib');
  return {
    /** Creates a secret in base32. */
    newSecret: () => generateSecret({ length: SECRET_BYTES }),
    /** Returns the URI for the app's QR code. */
    uri: ({ issuer, account, secret }: { issuer: string; account: string; secret: string }) =>
      generateURI({ issuer, label: account, secret, algorithm: 'sha1', digits: 6, period: STEP_SECONDS }),
    /**
     * Returns the time step of a code, among the present one and its neighbours; undefined when no step matches, or the
     * step was used. A `lastStep` later than these steps was stored by a wrong clock and is ignored.
     * @param check.at epoch seconds
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

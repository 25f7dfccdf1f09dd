/**
 * Checks that an offered file was made by the publisher of this program, for this kind of screen. The server forwards
 * releases but cannot make them.
 */

import type { UpdateOffer } from '../../shared/contract/server/updates.ts';
import { artefactOf } from '../../shared/protocol/releases/release-format.ts';
import {
  isSignedBy,
  type ReleasePlatform,
  rankForScreens,
  type VerifyText,
} from '../../shared/protocol/releases/release-signature.ts';

export type Offered = NonNullable<UpdateOffer['update']>;

/** Platform of this screen, and the publisher's keys that it trusts. */
export interface Believer {
  readonly platform: ReleasePlatform | undefined;
  readonly arch: string;
  /** Public keys of the publisher, built into this program. */
  readonly keys: readonly string[];
  readonly verify: VerifyText;
}

/**
 * Returns the reason for a refusal as a sentence; undefined: the file is from the publisher and for this screen. The
 * signature covers the hash.
 */
export const whyNot = ({ version, file }: Offered, { platform, arch, keys, verify }: Believer): string | undefined => {
  if (file.platform !== platform || file.arch !== arch)
    return `the server offers a file for ${file.platform} ${file.arch}, which is not this machine`;
  const part = artefactOf(file.name)?.part ?? null;
  if (rankForScreens({ ...file, part }) === undefined)
    return `the server offers ${file.name}, which screens do not start from`;
  if (file.signature === null) return `version ${version} is not signed by its publisher`;
  if (!isSignedBy(verify, keys, { version, ...file, part }, file.signature))
    return `version ${version} is not as the publisher of this program has signed it`;
  return undefined;
};

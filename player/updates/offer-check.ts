/**
 * Whether what a server offers is what the publisher of this program made for this screen: the server hands releases
 * on, it cannot make them.
 */

import type { UpdateOffer } from '../../shared/contract/updates.ts';
import { artefactOf } from '../../shared/protocol/release-format.ts';
import {
  isSignedBy,
  type ReleasePlatform,
  rankForScreens,
  type VerifyText,
} from '../../shared/protocol/release-signature.ts';

export type Offered = NonNullable<UpdateOffer['update']>;

/** This screen, and whom it believes. */
export interface Believer {
  readonly platform: ReleasePlatform | undefined;
  readonly arch: string;
  /** The publisher's, built into this program. */
  readonly keys: readonly string[];
  readonly verify: VerifyText;
}

/**
 * Why not, as a sentence; undefined: it is the publisher's, and for this screen. The hash that it names is signed with
 * the rest.
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

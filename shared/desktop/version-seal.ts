/**
 * Seal of an unpacked version: a list of its files with sizes and hashes, written last, after all files are on the
 * disk. A folder without a seal is unfinished. A folder that differs from its seal is damaged, and is not started.
 */
import { z } from 'zod';
import { Sha256 } from '../program/program.ts';

/** Name of the seal in the version's folder. */
export const SEAL = 'manifest.json';

/** Path of the file below the version's folder, with `/`. */
const Path = z.string().regex(/^(?!\/)(?!(.*\/)?\.\.(\/|$))[^\0]+$/);
export const VersionSeal = z.object({
  format: z.literal(1),
  /** Hash of the release file from which the version was unpacked. */
  release: Sha256,
  files: z.array(z.object({ path: Path, size: z.number().int().min(0), sha256: Sha256 })).min(1),
  links: z.array(z.object({ path: Path, to: z.string() })),
});
export type VersionSeal = z.infer<typeof VersionSeal>;

/** Access to the files in a version's folder. The methods reject for missing files. */
interface Look {
  /** Resolves with the number of bytes; undefined if the path is not a plain file. */
  readonly sizeOf: (path: string) => Promise<number | undefined>;
  readonly sha256Of: (path: string) => Promise<string>;
  readonly linkOf: (path: string) => Promise<string>;
}

/**
 * Returns the damage of a version as text for people; undefined: no damage. Never rejects.
 * @param how.byBytes true: every byte is read; false: only sizes are compared
 */
export const damageIn = async (
  seal: VersionSeal | undefined,
  { sizeOf, sha256Of, linkOf }: Look,
  { byBytes }: { readonly byBytes: boolean },
): Promise<string | undefined> => {
  if (!seal) return 'the files of the version are incomplete on the disk';
  try {
    for (const { path, size, sha256 } of seal.files)
      if ((await sizeOf(path)) !== size || (byBytes && (await sha256Of(path)) !== sha256))
        return `the file ${path} of the version is damaged`;
    for (const { path, to } of seal.links)
      if ((await linkOf(path)) !== to) return `the file ${path} of the version is damaged`;
    return undefined;
  } catch (error) {
    return `the files of the version cannot be read: ${(error as Error).message}`;
  }
};

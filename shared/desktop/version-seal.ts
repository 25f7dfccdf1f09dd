/**
 * What makes an unpacked version whole: a list of its files with their sizes and hashes, written last, when every one
 * of them is on the disk. A folder without it was never finished; one that is not as it says has lost something, and is
 * not started.
 */
import { z } from 'zod';
import { Sha256 } from '../program/program.ts';

/** Its file in the version's folder. */
export const SEAL = 'manifest.json';

/** Below the version's folder, with `/`. */
const Path = z.string().regex(/^(?!\/)(?!(.*\/)?\.\.(\/|$))[^\0]+$/);
export const VersionSeal = z.object({
  format: z.literal(1),
  /** Of the release's file that it was unpacked from. */
  release: Sha256,
  files: z.array(z.object({ path: Path, size: z.number().int().min(0), sha256: Sha256 })).min(1),
  links: z.array(z.object({ path: Path, to: z.string() })),
});
export type VersionSeal = z.infer<typeof VersionSeal>;

/** How a program looks at what lies in a version's folder. What is not there rejects. */
interface Look {
  /** Resolves with bytes; undefined for what is no plain file. */
  readonly sizeOf: (path: string) => Promise<number | undefined>;
  readonly sha256Of: (path: string) => Promise<string>;
  readonly linkOf: (path: string) => Promise<string>;
}

/**
 * Returns what is wrong with a version, for people; undefined: nothing. Never rejects.
 * @param how.byBytes reads every byte; otherwise sizes say whether a disk has lost something
 */
export const damageIn = async (
  seal: VersionSeal | undefined,
  { sizeOf, sha256Of, linkOf }: Look,
  { byBytes }: { readonly byBytes: boolean },
): Promise<string | undefined> => {
  if (!seal) return 'it does not lie on the disk as a whole';
  try {
    for (const { path, size, sha256 } of seal.files)
      if ((await sizeOf(path)) !== size || (byBytes && (await sha256Of(path)) !== sha256))
        return `its file ${path} is damaged`;
    for (const { path, to } of seal.links) if ((await linkOf(path)) !== to) return `its file ${path} is damaged`;
    return undefined;
  } catch (error) {
    return `its files cannot be read: ${(error as Error).message}`;
  }
};

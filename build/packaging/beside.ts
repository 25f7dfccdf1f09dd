/**
 * What lies beside the files of a release, for whoever hands them on: a list of what is inside (CycloneDX), and
 * checksums that `sha256sum -c` reads.
 */
import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hashOf } from '../release-signing.ts';
import type { Target } from './binaries.ts';

/** As electron-builder calls systems in the names of its files. */
const OS: Readonly<Record<string, string>> = { darwin: 'mac', win32: 'win' };

/**
 * Releases of several machines come together in one folder: each has names of its own.
 * @param files paths of what was made
 * @returns the names of the list and of the checksums
 */
export const writeBeside = async (
  files: readonly string[],
  {
    folder,
    version,
    sbom,
    target: { platform, arch },
  }: { readonly folder: string; readonly version: string; readonly sbom: string; readonly target: Target },
): Promise<readonly [sbom: string, checksums: string]> => {
  const name = `Vitrine-${version}-${OS[platform] ?? platform}-${arch}`;
  const [parts, checksums] = [`${name}.cdx.json`, `${name}.sha256`];
  copyFileSync(sbom, join(folder, parts));
  const lines: string[] = [];
  for (const file of [...files, join(folder, parts)]) lines.push(`${await hashOf(file)}  ${basename(file)}\n`);
  writeFileSync(join(folder, checksums), lines.join(''));
  return [parts, checksums];
};

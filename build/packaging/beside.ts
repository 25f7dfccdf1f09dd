/**
 * Writes files for distribution beside a release: a list of its contents (CycloneDX), and checksums for `sha256sum -c`.
 */
import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hashOf } from '../release-signing.ts';
import type { Target } from './binaries.ts';

/** Names of systems in electron-builder's file names. */
const OS: Readonly<Record<string, string>> = { darwin: 'mac', win32: 'win' };

/**
 * Writes both files. Their names include the machine, because releases of several machines are collected in one folder.
 * @param files paths of the created files @returns names of the bill of materials and of the checksums
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

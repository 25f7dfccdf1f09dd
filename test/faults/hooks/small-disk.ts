/** A disk of its own, so small that it can be filled. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export const whyNoMounts = process.platform !== 'linux' || process.getuid?.() !== 0 ? 'mounting a small disk needs Linux and root' : undefined;

export const smallDisk = (t: TestContext, megabytes: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  t.after(() => {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
};

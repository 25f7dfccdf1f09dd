/** Disks so small that tests can really fill them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Undefined: disks can be mounted here. */
export const whyNoMounts =
  process.platform !== 'linux' || process.getuid?.() !== 0 ? 'mounting a small disk needs Linux and root' : undefined;

/** A disk of its own, so small that it can be filled. */
export const smallDisk = (t: TestContext, megabytes: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  t.after(() => {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
};

/** To the last byte. Returns how it is emptied again. */
export const fill = (disk: string): (() => void) => {
  const path = join(disk, 'somebody-elses-file');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(64 * 1024);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  } finally {
    closeSync(file);
  }
  return () => rmSync(path);
};

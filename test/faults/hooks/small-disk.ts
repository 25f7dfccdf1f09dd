/** Disks so small that tests can fill them. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Reason why disks cannot be mounted here; undefined if they can. */
export const whyNoMounts =
  process.platform !== 'linux' || process.getuid?.() !== 0 ? 'mounting a small disk needs Linux and root' : undefined;

/** Mounts a separate disk that is small enough to fill. */
export const smallDisk = (t: TestContext, megabytes: number): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  t.after(() => {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
};

/** Fills the disk to the last byte. Returns a function that frees the space again. */
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

/** Takes all free space, to the last block, and tries again at once. */
const FILLER = `
  const { openSync, writeSync } = require('node:fs');
  const file = openSync(process.argv[1], 'w');
  const blocks = [Buffer.alloc(256 * 1024), Buffer.alloc(4096)];
  for (let isTold = false; ; ) {
    for (const block of blocks) {
      try { for (;;) writeSync(file, block); } catch {}
    }
    if (!isTold) process.stdout.write('full');
    isTold = true;
  }`;

/**
 * Starts a program that fills the disk and keeps filling it. Resolves, once the disk is full, to a function that ends
 * the program.
 */
export const keepFilling = async (t: TestContext, disk: string): Promise<() => Promise<void>> => {
  const path = join(disk, 'growing-file-of-another-program');
  const child = spawn(process.execPath, ['-e', FILLER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(path);
  };
};

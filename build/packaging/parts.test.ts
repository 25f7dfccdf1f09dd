import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { needsElsewhere, readBinary } from './binaries.ts';
import { CannotPackage } from './options.ts';
import { requireFfmpeg, requireNode } from './parts.ts';

const SQLITE = join(dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json')), 'prebuilds');
const X64 = { platform: 'linux', arch: 'x64' };

/** Creates a program with the given bytes, or a copy of a file. */
const programOf = (t: TestContext, { text, copy }: { text?: string; copy?: string }): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'ffmpeg');
  if (copy) copyFileSync(copy, file);
  else writeFileSync(file, text ?? '');
  chmodSync(file, 0o755);
  return file;
};
const refused = (file: string | null, why: RegExp) =>
  assert.throws(
    () => requireFfmpeg(file, X64),
    (error: Error) =>
      error instanceof CannotPackage &&
      why.test(error.message) &&
      /--ffmpeg FILE.*--without-ffmpeg/.test(error.message) &&
      !error.message.includes('\n'),
    String(why),
  );

test('nothing is packaged without an ffmpeg that runs on every machine, unless this was requested', (t) => {
  refused(null, /There is no ffmpeg to pack/);
  refused('/no/such/ffmpeg', /no such file/);
  refused(programOf(t, { text: '#!/bin/sh\n' }), /no program/);
  refused(
    programOf(t, { copy: join(SQLITE, 'linux-arm64.node') }),
    /it is for linux-arm64, and this package for linux-x64/,
  );
  refused(programOf(t, { copy: join(SQLITE, 'linuxmusl-x64.node') }), /musl/);
  const cut = programOf(t, { copy: join(SQLITE, 'linux-x64.node') });
  assert.equal(requireFfmpeg(cut, X64), cut);
  truncateSync(cut, 100_000);
  refused(cut, /cut off/);
  const notExecutable = programOf(t, { copy: join(SQLITE, 'linux-x64.node') });
  chmodSync(notExecutable, 0o644);
  if (process.platform !== 'win32') refused(notExecutable, /EACCES/);
});

test('program that needs libraries of its distribution is refused or reported when it is packaged', () => {
  const like = (platform: string, ...needs: string[]) =>
    needsElsewhere({ platform, archs: ['x64'], musl: false, cut: false, needs });
  assert.deepEqual(
    like('linux', 'libavcodec.so.59', 'libm.so.6', 'libc.so.6', 'ld-linux-x86-64.so.2', 'libnode.so.115'),
    ['libavcodec.so.59', 'libnode.so.115'],
  );
  assert.deepEqual(like('darwin', '/usr/lib/libSystem.B.dylib', '/opt/homebrew/lib/libavcodec.61.dylib'), [
    '/opt/homebrew/lib/libavcodec.61.dylib',
  ]);
  const ours = '/usr/bin/ffmpeg';
  const needs = process.platform === 'linux' && readBinaryOrNot(ours);
  if (needs)
    assert.throws(() => requireFfmpeg(ours, process), /needs libav\w+\.so\.\d+.* which other machines do not have/);
});

const readBinaryOrNot = (file: string): boolean => {
  try {
    return (readBinary(file)?.needs ?? []).some((name) => name.startsWith('libav'));
  } catch {
    return false;
  }
};

test('Node that runs this test can be packaged for this machine and for no other', () => {
  requireNode(process.execPath, process);
  assert.throws(() => requireNode(process.execPath, { platform: 'plan9', arch: process.arch }), CannotPackage);
});

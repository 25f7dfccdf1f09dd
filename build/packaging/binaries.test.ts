import assert from 'node:assert/strict';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { faultOf, faultsIn, fits, nameOf, needsElsewhere, readBinary } from './binaries.ts';

const require = createRequire(import.meta.url);
const prebuilds = (name: string) => join(dirname(require.resolve(`${name}/package.json`)), 'prebuilds');
const SQLITE = prebuilds('better-sqlite3');
const X64 = { platform: 'linux', arch: 'x64' };

const folderOf = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

test('each prebuilt native module is for the machine in its name', () => {
  const sqlite = globSync('*.node', { cwd: SQLITE });
  assert.ok(sqlite.length >= 8);
  for (const file of sqlite) {
    const [, platform, musl, arch] = /^([a-z\d]+?)(musl)?-(\w+)\.node$/.exec(file)!;
    const binary = readBinary(join(SQLITE, file))!;
    assert.deepEqual(
      [binary.platform, binary.archs, binary.musl, binary.cut],
      [platform, [arch], Boolean(musl), false],
      file,
    );
  }
  const folder = prebuilds('argon2');
  const argon2 = globSync('*/*.node', { cwd: folder });
  assert.ok(argon2.length >= 10);
  for (const file of argon2) {
    const [, platform, arch] = /^(\w+)-(\w+)[/\\]/.exec(file)!;
    const binary = readBinary(join(folder, file))!;
    // readBinary returns these four facts for 32-bit files, too. It returns required libraries only for 64-bit files.
    assert.deepEqual(
      [binary.platform, binary.archs, binary.musl, binary.cut],
      [platform, [arch], arch !== 'arm' && file.includes('musl'), false],
      file,
    );
  }
});

test('Node that runs this test fits this machine and needs only common libraries', () => {
  const node = readBinary(process.execPath)!;
  assert.ok(fits(node, process), nameOf(node));
  assert.deepEqual(needsElsewhere(node), []);
  assert.ok(process.platform === 'win32' || node.needs.length > 0);
});

test('universal macOS file lists both processors, and is complete only if both halves are complete', (t) => {
  const halves = ['x64', 'arm64'].map((arch) => readFileSync(join(SQLITE, `darwin-${arch}.node`)));
  for (const isWide of [false, true]) {
    const entry = isWide ? 32 : 20;
    const head = Buffer.alloc(8 + 2 * entry);
    head.writeUInt32BE(isWide ? 0xcafebabf : 0xcafebabe);
    head.writeUInt32BE(2, 4);
    let from = head.length;
    for (const [i, half] of halves.entries()) {
      half.copy(head, 8 + i * entry, 4, 8);
      head.subarray(8 + i * entry, 12 + i * entry).reverse();
      if (isWide) {
        head.writeBigUInt64BE(BigInt(from), 16 + i * entry);
        head.writeBigUInt64BE(BigInt(half.length), 24 + i * entry);
      } else {
        head.writeUInt32BE(from, 16 + i * entry);
        head.writeUInt32BE(half.length, 20 + i * entry);
      }
      from += half.length;
    }
    const file = join(folderOf(t), 'both.node');
    writeFileSync(file, Buffer.concat([head, ...halves]));
    const binary = readBinary(file)!;
    assert.equal(nameOf(binary), 'darwin-x64+arm64');
    assert.deepEqual(
      [
        binary.cut,
        fits(binary, { platform: 'darwin', arch: 'arm64' }),
        fits(binary, { platform: 'darwin', arch: 'ia32' }),
      ],
      [false, true, false],
    );
    assert.deepEqual(needsElsewhere(binary), []);
    truncateSync(file, from - 1);
    assert.ok(readBinary(file)!.cut);
  }
});

test('check finds a file that is truncated, empty, or of another type than its name says', (t) => {
  for (const name of ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64', 'win32-arm64']) {
    const [platform, arch] = name.split('-') as [string, string];
    const file = join(folderOf(t), 'module.node');
    copyFileSync(join(SQLITE, `${name}.node`), file);
    assert.equal(faultOf(file, { platform, arch }), undefined);
    const { size: whole } = statSync(file);
    // In PE files, symbols and a certificate may follow the data that the header counts.
    for (const size of [platform === 'win32' ? whole * 0.98 : whole - 1, whole * 0.9, whole / 2, whole / 10].map(
      Math.floor,
    )) {
      truncateSync(file, size);
      assert.equal(faultOf(file, { platform, arch }), 'is cut off', `${name} at ${size}`);
    }
    for (const size of [1023, 64, 63, 20, 8, 7, 3, 1, 0]) {
      truncateSync(file, size);
      assert.match(faultOf(file, { platform, arch }) ?? 'whole', /cut off|no program|is for/, `${name} at ${size}`);
    }
  }
});

test('binaries for other machines are reported with their paths, and scripts and texts are ignored', (t) => {
  const folder = folderOf(t);
  mkdirSync(join(folder, 'deep', 'er'), { recursive: true });
  for (const name of ['linux-x64', 'linuxmusl-x64', 'win32-x64'])
    copyFileSync(join(SQLITE, `${name}.node`), join(folder, 'deep', `${name}.node`));
  copyFileSync(join(SQLITE, 'darwin-x64.node'), join(folder, 'deep', 'er', 'program'));
  writeFileSync(join(folder, 'libempty.so.8.18.7'), '');
  writeFileSync(join(folder, 'script'), '#!/bin/sh\n');
  writeFileSync(join(folder, 'MZ.txt'), 'MZ begins a text');
  writeFileSync(join(folder, 'Class'), Buffer.from('cafebabe00000034', 'hex'));
  symlinkSync('nowhere', join(folder, 'dangling.node'));
  assert.deepEqual(faultsIn(folder, X64).toSorted(), [
    'deep/er/program is for darwin-x64',
    'deep/linuxmusl-x64.node is for linux-x64 (musl)',
    'deep/win32-x64.node is for win32-x64',
    'libempty.so.8.18.7 is no program or library',
  ]);
});

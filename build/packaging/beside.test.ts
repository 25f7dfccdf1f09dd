import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeBeside } from './beside.ts';

test('bill of materials and checksums for sha256sum are written beside the files, named by this machine', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [sbom, deb, other] = ['sbom.cdx.json', 'Vitrine-1.2.0-linux-amd64.deb', 'Vitrine-1.1.0-linux-amd64.deb'];
  for (const name of [sbom, deb, other]) writeFileSync(join(folder, name), name.repeat(1_000));
  const options = { folder, version: '1.2.0', sbom: join(folder, sbom) };
  const hash = (name: string) => createHash('sha256').update(name.repeat(1_000)).digest('hex');
  for (const [target, name] of [
    [{ platform: 'linux', arch: 'arm64' }, 'Vitrine-1.2.0-linux-arm64'],
    [{ platform: 'win32', arch: 'x64' }, 'Vitrine-1.2.0-win-x64'],
    [{ platform: 'darwin', arch: 'arm64' }, 'Vitrine-1.2.0-mac-arm64'],
  ] as const) {
    assert.deepEqual(await writeBeside([join(folder, deb)], { ...options, target }), [
      `${name}.cdx.json`,
      `${name}.sha256`,
    ]);
    assert.equal(
      readFileSync(join(folder, `${name}.sha256`), 'utf8'),
      `${hash(deb)}  ${deb}\n${hash(sbom)}  ${name}.cdx.json\n`,
    );
  }
  assert.equal(readdirSync(folder).length, 9);
});

/**
 * System programs for tests are installed with apt by root, or on a disposable machine. For other users, nothing is
 * installed.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tempFolder } from '../test/harness.ts';

const TOOLS = new URL('system-tools.mjs', import.meta.url).href;
const skip = process.platform !== 'linux' && 'apt is of Linux';

/** Creates a machine without any of the tools, with a fake apt. @param after shell code that apt-get runs */
const machine = (t: TestContext, after: (bin: string) => string = () => '') => {
  const folder = tempFolder(t);
  const [bin, asked] = [join(folder, 'bin'), join(folder, 'asked')];
  mkdirSync(bin);
  for (const name of ['sh', 'env']) symlinkSync(`/bin/${name}`, join(bin, name));
  const script = (name: string, words: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${words}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  script('apt-get', `echo "$DEBIAN_FRONTEND $*" >> '${asked}'\n${after(bin)}`);
  // Fake sudo that runs the command without a password.
  script('sudo', '[ "$1" = -n ] && shift && exec "$@"');
  const ensure = (env: Record<string, string>, uid: number) => {
    const source = `process.getuid = () => ${uid}; const { ensureSystemTools } = await import('${TOOLS}'); await ensureSystemTools(['Xvfb']);`;
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
      encoding: 'utf8',
      env: { PATH: bin, ...env },
    });
    assert.equal(status, 0, stderr);
    return stderr;
  };
  const lines = () => {
    try {
      return readFileSync(asked, 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  };
  return { ensure, lines };
};

const INSTALL = 'noninteractive install -y --no-install-recommends xvfb xdotool openbox';

test('only missing programs are installed, without a question', { skip }, (t) => {
  const { ensure, lines } = machine(t, (bin) => `/bin/ln -s /bin/sh '${bin}/Xvfb'`);
  assert.match(ensure({}, 0), /^Installing xvfb, xdotool, openbox …\n$/);
  assert.deepEqual(lines(), [INSTALL]);
  assert.equal(ensure({}, 0), '', 'it is there now');
});

test('outdated package lists are updated, and programs that stay missing are reported', { skip }, (t) => {
  const { ensure, lines } = machine(t, () => '[ "$1" = update ]');
  assert.match(ensure({}, 0), /Missing on this computer: a display and a keyboard.*Install xvfb, xdotool, openbox/);
  assert.deepEqual(lines(), [INSTALL, 'noninteractive update', INSTALL]);
});

test('a user who is not root installs nothing, except on a disposable machine', { skip }, (t) => {
  const { ensure, lines } = machine(t);
  assert.match(ensure({}, 1000), /^Missing on this computer/);
  assert.deepEqual(lines(), []);
  ensure({ CI: 'true' }, 1000);
  assert.deepEqual(lines(), [INSTALL]);
});

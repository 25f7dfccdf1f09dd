/** Installs the service with the real commands, inside Linux namespaces, with a fake systemd that records its calls. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startSite, tempFolder } from '../../../test/harness.ts';

const whyNot =
  process.platform !== 'linux' || process.getuid?.() !== 0 ? 'a machine of its own needs Linux and root' : undefined;
const CLI = resolve(import.meta.dirname, '..', 'main.ts');

/** Inside the namespaces, /etc, /run and /var/lib of the real system stay unchanged. */
const MACHINE = `set -e
umask 077
mount --make-rprivate /
cp -a /etc "$T/etc"
mount --bind "$T/etc" /etc
mount -t tmpfs x /run
mkdir -p /run/systemd/system
mount --bind "$T/lib" /var/lib
`;

const onMachine = (folder: string, script: string) => {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^(VITRINE_|SUDO_|XDG_|APPIMAGE|NODE_TEST)/.test(key)),
  );
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['-m', 'sh', '-c', MACHINE + script.replaceAll('VITRINE', `"${process.execPath}" "${CLI}"`)],
    {
      encoding: 'utf8',
      env: { ...env, T: folder, HOME: join(folder, 'home'), PATH: `${join(folder, 'bin')}:${env['PATH']}` },
    },
  );
  return { status, stdout, stderr };
};

const machine = (t: TestContext): string => {
  const folder = tempFolder(t);
  for (const name of ['bin', 'lib', 'home']) mkdirSync(join(folder, name));
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'lib'), 0o755);
  writeFileSync(join(folder, 'bin', 'systemctl'), '#!/bin/sh\necho "$@" >> "$T/calls"\n', { mode: 0o755 });
  return folder;
};
const callsIn = (folder: string): string[] => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');

test('install-service moves the desktop program’s data to the machine’s folder, and remove-service leaves it there', {
  skip: whyNot,
  timeout: 60_000,
}, async (t) => {
  const folder = machine(t);
  const old = join(folder, 'home', '.config', 'Vitrine', 'server');
  mkdirSync(old, { recursive: true });
  let stop = async () => {};
  await startSite({ after: (end) => void (stop = end as typeof stop) }, { data: old });
  await stop();
  const { status, stdout, stderr } = onMachine(
    folder,
    `VITRINE install-service server --port 8800
stat -c '%U %a' /var/lib/vitrine /var/lib/vitrine/vitrine.db /var/lib/vitrine/keys
stat -c '%a' /etc/vitrine /etc/vitrine/service.json /etc/systemd/system/vitrine.service
cat /etc/vitrine/service.json; echo
getent passwd vitrine
VITRINE install-service server
grep VITRINE_PORT /etc/systemd/system/vitrine.service || true
VITRINE service stop
VITRINE remove-service server
ls /etc/systemd/system/vitrine.service /etc/vitrine/service.json 2>/dev/null || true
ls /var/lib/vitrine/vitrine.db
VITRINE service stop || true
VITRINE remove-service server --delete-data
ls -d /var/lib/vitrine || true
`.replaceAll('VITRINE_PORT', 'TRINE_PORT'),
  );
  assert.equal(status, 0, stderr);
  assert.match(
    stdout,
    /Made the user vitrine\.\nMoved the store from .*\.config\/Vitrine\/server to \/var\/lib\/vitrine\./,
  );
  assert.match(
    stdout,
    /vitrine 750\nvitrine 6(?:00|44)\nvitrine 700\n755\n644\n644\n\{"data":"\/var\/lib\/vitrine","port":8800,"note":"\/run\/vitrine\/server\.json"\}\nvitrine:.*nologin/,
  );
  assert.match(stdout, /Environment=VITRINE_PORT=8800/, 'an update keeps the port');
  assert.match(stdout, /Its data stay in \/var\/lib\/vitrine\.\n\/var\/lib\/vitrine\/vitrine\.db\n/);
  assert.match(stderr, /No service is installed on this computer/);
  assert.match(stdout, /\/var\/lib\/vitrine was deleted\.\n$/);
  assert.equal(existsSync(join(old, 'vitrine.db')), false);
  assert.deepEqual(callsIn(folder).slice(0, 4), [
    'daemon-reload',
    'enable vitrine.service',
    'enable vitrine-awake.service',
    'restart vitrine.service',
  ]);
  assert.ok(
    callsIn(folder).includes('stop vitrine.service') && callsIn(folder).includes('disable --now vitrine.service'),
  );
});

test('install-service refuses without root, from an AppImage, or with a line break in a path, and names the reason', {
  skip: whyNot,
  timeout: 60_000,
}, (t) => {
  const folder = machine(t);
  const { stderr } = onMachine(
    folder,
    `APPIMAGE=/x.AppImage VITRINE install-service server || true
VITRINE install-service server --data "$(printf '/a\\nExecStart=/bin/sh')" || true
rmdir /run/systemd/system
VITRINE install-service server || true
`,
  );
  assert.match(
    stderr,
    /cannot be started from an AppImage.*\n.*no service can have in a path\nThis computer has no systemd running/,
  );
  assert.equal(existsSync(join(folder, 'calls')), false);
});

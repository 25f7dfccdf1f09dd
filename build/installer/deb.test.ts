/**
 * Runs the scripts of the deb package in a folder that represents a computer, with fake system programs that record
 * their calls.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';

const HERE = join(import.meta.dirname, 'linux');
const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');
const SCRIPTS = {
  postinst: 'after-install.sh',
  prerm: 'before-remove.sh',
  postrm: 'after-remove.sh',
  config: 'debconf-config.sh',
  templates: 'debconf-templates',
} as const;
const has = (program: string) => spawnSync('/bin/sh', ['-c', `command -v ${program}`]).status === 0;
const isDebian = existsSync('/usr/share/debconf/confmodule') && has('debconf-set-selections');

const STARTS = ['/etc/xdg/autostart/vitrine-screen.desktop', '/etc/systemd/user/vitrine-screen.service'];
const OPENS = ['/etc/ufw/applications.d/vitrine', '/etc/firewalld/services/vitrine.xml'];
const INSTALL = '/etc/vitrine/install.json';
/** Installation record that `install-service` writes. */
const SERVICE = '/etc/vitrine/service.json';

const write = (file: string, text: string, mode = 0o644) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
};

/** A fake computer: its files, its debconf (which also respects DPKG_ROOT), and programs that record their calls. */
class Computer {
  readonly root: string;
  readonly #log: string;
  readonly #info: string;
  env: Readonly<Record<string, string>> = {};

  constructor(t: Pick<TestContext, 'after'>) {
    this.root = mkdtempSync(join(tmpdir(), 'vitrine-'));
    t.after(() => rmSync(this.root, { recursive: true, force: true }));
    this.#log = join(this.root, 'told');
    this.#info = join(this.root, 'var/lib/dpkg/info');
    mkdirSync(join(this.root, 'var/lib/debconf'), { recursive: true });
    const database = ['config', 'templates'].map(
      (name) => `Name: ${name}\nDriver: File\nFilename: /var/lib/debconf/${name}.dat\n`,
    );
    write(join(this.root, 'etc/debconf.conf'), `Config: config\nTemplates: templates\n\n${database.join('\n')}`);
    for (const name of [
      'systemctl',
      'ufw',
      'firewall-cmd',
      'unshare',
      'update-alternatives',
      'update-desktop-database',
    ])
      write(
        join(this.root, 'stubs', name),
        `#!/bin/sh\necho "${name} $*" >>'${this.#log}'\ncase "$*" in\n  status) echo 'Status: active' ;;\n  --state) echo running ;;\n  --version) echo systemd 252 ;;\nesac\n`,
        0o755,
      );
    for (const [name, file] of Object.entries(SCRIPTS)) {
      mkdirSync(this.#info, { recursive: true });
      copyFileSync(join(HERE, file), join(this.#info, `vitrine.${name}`));
      chmodSync(join(this.#info, `vitrine.${name}`), 0o755);
    }
  }

  at(path: string): string {
    return this.root + path;
  }

  /** Returns the calls that were recorded since the last time. */
  told(): string[] {
    const lines = existsSync(this.#log) ? readFileSync(this.#log, 'utf8').trim().split('\n') : [];
    rmSync(this.#log, { force: true });
    return lines;
  }

  values(): unknown {
    return existsSync(this.at(INSTALL)) ? JSON.parse(readFileSync(this.at(INSTALL), 'utf8')) : undefined;
  }

  /** Unpacks the package's files: Node and the commands; service commands only record their calls. */
  unpack(): void {
    const resources = this.at('/opt/Vitrine/resources');
    rmSync(resources, { recursive: true, force: true });
    mkdirSync(join(resources, 'node'), { recursive: true });
    symlinkSync(process.execPath, join(resources, 'node/node'));
    write(join(resources, 'vitrine/vitrine'), '#!/bin/sh\n', 0o755);
    write(join(resources, 'apparmor-profile'), '');
    write(this.at('/opt/Vitrine/chrome-sandbox'), '');
    write(join(resources, 'vitrine/package.json'), '{"type":"module"}');
    write(
      join(resources, 'vitrine/server/cli/main.js'),
      `import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
      const [, , ...words] = process.argv;
      const record = process.env.VITRINE_TEST_ROOT + '${SERVICE}';
      if (words[0].endsWith('-service')) {
        appendFileSync('${this.#log}', words.join(' ') + '\\n');
        if (words[0] === 'install-service') writeFileSync(record, '{}');
        else rmSync(record);
      } else await import('${MAIN}');`,
    );
  }

  gone(): void {
    rmSync(this.at('/opt'), { recursive: true, force: true });
  }

  script(name: keyof typeof SCRIPTS, ...args: string[]) {
    const { status, stderr, stdout } = spawnSync(join(this.#info, `vitrine.${name}`), args, {
      encoding: 'utf8',
      env: {
        ...this.environment,
        DPKG_MAINTSCRIPT_PACKAGE: 'vitrine',
        DPKG_MAINTSCRIPT_NAME: name,
        // Without debconf there are no answers to the installer's questions.
        ...(!isDebian && { DEBIAN_HAS_FRONTEND: '1' }),
      },
    });
    return { status, said: stderr + stdout };
  }

  get environment(): Record<string, string> {
    return {
      PATH: `${join(this.root, 'stubs')}:${process.env['PATH']}:/usr/sbin:/sbin`,
      HOME: this.root,
      DPKG_ROOT: this.root,
      VITRINE_TEST_ROOT: this.root,
      DEBIAN_FRONTEND: 'noninteractive',
      ...this.env,
    };
  }

  preseed(...answers: string[]): void {
    execFileSync('debconf-set-selections', {
      input: answers.map((line) => `vitrine vitrine/${line}\n`).join(''),
      env: this.environment,
    });
  }

  /** Runs the scripts in dpkg's order (Debian policy, 6.5 and following). */
  install(): string {
    this.unpack();
    const { status, said } = this.script('postinst', 'configure');
    assert.equal(status, 0, said);
    return said;
  }

  upgrade(): string {
    for (const [name, ...args] of [
      ['prerm', 'upgrade', '2.0.0'],
      ['postrm', 'upgrade', '2.0.0'],
    ] as const)
      assert.deepEqual(this.script(name, ...args), { status: 0, said: '' });
    return this.install();
  }

  remove(): void {
    const before = this.script('prerm', 'remove');
    assert.equal(before.status, 0, before.said);
    this.gone();
    const after = this.script('postrm', 'remove');
    assert.equal(after.status, 0, after.said);
  }

  purge(): void {
    const { status, said } = this.script('postrm', 'purge');
    assert.equal(status, 0, said);
  }
}

const shows = (computer: Computer) => STARTS.map((file) => existsSync(computer.at(file)));
const opens = (computer: Computer) => OPENS.map((file) => existsSync(computer.at(file)));
const nothing = [false, false];
const everything = [true, true];

test('package preseeded as a screen starts the screen at every sign-in, with its server and code', {
  skip: !isDebian && 'needs debconf',
}, (t) => {
  const computer = new Computer(t);
  computer.preseed('role select player', 'server string 192.168.1.10', 'code string acd-349');
  computer.install();
  assert.deepEqual(computer.values(), { role: 'player', server: 'http://192.168.1.10:8710', code: 'ACD349' });
  assert.deepEqual([shows(computer), opens(computer)], [everything, everything]);
  const told = computer.told();
  assert.ok(
    told.includes('ufw allow Vitrine') && told.includes('firewall-cmd --permanent --add-service=vitrine'),
    told.join('\n'),
  );
  assert.ok(!told.some((line) => line.includes('-service server')));
  assert.match(
    readFileSync(computer.at(STARTS[1]!), 'utf8'),
    /^ExecStart="[^"]*\/resources\/node\/node" "[^"]*\/player\/launcher\.js" "--at-login"$/m,
  );
});

test('package installed as a server and then again as a screen removes the parts of the server', (t) => {
  const computer = new Computer(t);
  computer.env = { VITRINE_ROLE: 'server' };
  computer.install();
  assert.deepEqual([computer.values(), shows(computer), opens(computer)], [{ role: 'server' }, nothing, everything]);
  assert.ok(computer.told().includes('install-service server'));
  computer.env = { VITRINE_ROLE: 'player', VITRINE_SERVER: '10.0.0.5' };
  computer.upgrade();
  assert.deepEqual(
    [computer.values(), shows(computer)],
    [{ role: 'player', server: 'http://10.0.0.5:8710' }, everything],
  );
  assert.ok(computer.told().includes('remove-service server'));
});

test('package installed without a role creates nothing and starts nothing', (t) => {
  const computer = new Computer(t);
  computer.install();
  assert.deepEqual([computer.values(), shows(computer), opens(computer)], [undefined, nothing, nothing]);
  assert.deepEqual(
    computer.told().filter((line) => /service server|allow|add-service/.test(line)),
    [],
  );
});

test('package reports an invalid value, and the installation continues', {
  skip: !isDebian && 'needs debconf',
}, (t) => {
  const computer = new Computer(t);
  computer.preseed('role select player', 'server string http://', 'code string ACD349');
  const said = computer.install();
  assert.match(said, /server on the command line must be the address of a server, like .+, not "http:\/\/"/);
  assert.match(said, /sudo vitrine set-up/);
  assert.deepEqual([computer.values(), shows(computer)], [undefined, nothing]);
});

test('later changes by an administrator survive an update, whatever debconf has stored', {
  skip: !isDebian && 'needs debconf',
}, (t) => {
  const computer = new Computer(t);
  computer.preseed('role select player');
  computer.install();
  write(computer.at(INSTALL), '{\n  "role": "both",\n  "server": "http://10.0.0.9:8710"\n}\n');
  computer.upgrade();
  assert.deepEqual(
    [computer.values(), shows(computer)],
    [{ role: 'both', server: 'http://10.0.0.9:8710' }, everything],
  );
  assert.ok(computer.told().includes('install-service server'));
});

/** Starts a process from the program's folder, like a launcher. */
const runFromFolder = async (t: TestContext, computer: Computer): Promise<ChildProcess> => {
  const program = computer.at('/opt/Vitrine/launcher');
  copyFileSync('/bin/sleep', program);
  chmodSync(program, 0o755);
  const child = spawn(program, ['600']);
  await new Promise((resolve) => child.once('spawn', resolve));
  t.after(() => child.kill('SIGKILL'));
  return child;
};

test('removal of the package stops everything, closes ports and keeps data, and purging removes the data, too', async (t) => {
  const computer = new Computer(t);
  computer.env = { VITRINE_ROLE: 'both' };
  computer.install();
  computer.told();
  write(computer.at('/var/lib/vitrine/vitrine.db'), 'x');
  const launcher = await runFromFolder(t, computer);
  const ended = new Promise((resolve) => launcher.once('exit', (_code, signal) => resolve(signal)));
  computer.remove();
  assert.equal(await ended, 'SIGTERM');
  assert.deepEqual(
    [shows(computer), opens(computer), existsSync(computer.at('/usr/bin/vitrine'))],
    [nothing, nothing, false],
  );
  const told = computer.told();
  for (const line of [
    'remove-service server',
    'ufw delete allow Vitrine',
    'firewall-cmd --permanent --remove-service=vitrine',
  ])
    assert.ok(told.includes(line), line);
  assert.ok(told.some((line) => line.startsWith('systemctl --user') && line.endsWith('stop vitrine-screen.service')));
  assert.deepEqual(
    [computer.values(), existsSync(computer.at('/var/lib/vitrine/vitrine.db'))],
    [{ role: 'both' }, true],
  );
  computer.purge();
  assert.deepEqual(
    globSync(['etc/**/*vitrine*', 'var/lib/vitrine*', 'usr/bin/*', 'usr/share/doc/*', 'opt/*'], { cwd: computer.root }),
    [],
  );
});

test('package with a broken program can be removed, and nothing starts the program afterwards', (t) => {
  const computer = new Computer(t);
  computer.env = { VITRINE_ROLE: 'player' };
  computer.install();
  rmSync(computer.at('/opt/Vitrine/resources/node'), { recursive: true });
  computer.remove();
  assert.deepEqual([shows(computer), opens(computer)], [nothing, nothing]);
});

test('property: after any sequence of operations, exactly the programs of the installed role start', (t) => {
  type Act = 'install' | 'upgrade' | 'remove' | 'purge' | 'failed removal' | 'server' | 'player';
  const acts = fc.array(
    fc.constantFrom<Act>('install', 'upgrade', 'remove', 'purge', 'failed removal', 'server', 'player'),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(acts, (list) => {
      const computer = new Computer(t);
      let [installed, role, kept] = [false, 'player', undefined as string | undefined];
      for (const act of list) {
        computer.env = { VITRINE_ROLE: role };
        if (act === 'server' || act === 'player') role = act;
        else if (act === 'install' || (act === 'upgrade' && !installed)) {
          computer.install();
          [installed, kept] = [true, role];
        } else if (act === 'upgrade') {
          computer.upgrade();
          kept = role;
        } else if (act === 'remove' && installed) {
          computer.remove();
          installed = false;
        } else if (act === 'failed removal' && installed) {
          computer.script('prerm', 'remove');
          computer.script('postinst', 'abort-remove');
          kept = role;
        } else if (act === 'purge' && !installed) {
          computer.purge();
          kept = undefined;
        }
        assert.deepEqual(
          shows(computer),
          [installed && kept === 'player', installed && kept === 'player'],
          `${list} at ${act}`,
        );
        assert.deepEqual(opens(computer), [installed, installed], `${list} at ${act}`);
        assert.equal((computer.values() as { role?: string } | undefined)?.role, kept);
      }
      rmSync(computer.root, { recursive: true });
    }),
    {
      numRuns: 6,
      seed: 14,
      examples: [
        [['install', 'install', 'upgrade', 'failed removal', 'remove', 'purge']],
        [['install', 'server', 'upgrade', 'remove', 'player', 'install', 'remove', 'purge']],
      ],
    },
  );
});

test('real dpkg installs, updates, removes and purges the package with the same results as the fake computer', {
  skip: (!isDebian || process.getuid?.() !== 0 || !has('dpkg-deb')) && 'needs dpkg and root',
}, (t) => {
  const computer = new Computer(t);
  const [tree, admin] = [new Computer(t), computer.at('/var/lib/dpkg')];
  tree.unpack();
  for (const name of ['stubs', 'etc', 'var']) rmSync(join(tree.root, name), { recursive: true, force: true });
  for (const file of ['status', 'available']) write(join(admin, file), '');
  for (const folder of ['updates', 'triggers']) mkdirSync(join(admin, folder), { recursive: true });
  for (const name of Object.keys(SCRIPTS)) rmSync(join(admin, 'info', `vitrine.${name}`));
  // Replaces the path of the call record in the only file of the package that contains this path.
  const main = join(tree.root, 'opt/Vitrine/resources/vitrine/server/cli/main.js');
  writeFileSync(main, readFileSync(main, 'utf8').replaceAll(join(tree.root, 'told'), join(computer.root, 'told')));
  const build = (version: string): string => {
    write(
      join(tree.root, 'DEBIAN/control'),
      `Package: vitrine\nVersion: ${version}\nArchitecture: all\nMaintainer: Nobody <nobody@example.com>\nDescription: signage\n`,
    );
    for (const [name, file] of Object.entries(SCRIPTS)) {
      copyFileSync(join(HERE, file), join(tree.root, 'DEBIAN', name));
      chmodSync(join(tree.root, 'DEBIAN', name), 0o755);
    }
    const deb = join(computer.root, `vitrine_${version}.deb`);
    execFileSync('dpkg-deb', ['--build', '-Znone', tree.root, deb], { stdio: 'pipe' });
    return deb;
  };
  const dpkg = (...args: string[]) =>
    execFileSync('dpkg', [`--root=${computer.root}`, '--force-script-chrootless', '--no-triggers', ...args], {
      env: computer.environment,
      stdio: 'pipe',
      encoding: 'utf8',
    });
  computer.preseed('role select player');
  dpkg('--install', build('1.0.0'));
  assert.deepEqual([computer.values(), shows(computer)], [{ role: 'player' }, everything]);
  dpkg('--install', build('2.0.0'));
  assert.deepEqual([computer.values(), shows(computer)], [{ role: 'player' }, everything]);
  dpkg('--remove', 'vitrine');
  assert.deepEqual([computer.values(), shows(computer), opens(computer)], [{ role: 'player' }, nothing, nothing]);
  dpkg('--purge', 'vitrine');
  assert.equal(computer.values(), undefined);
});

test('scripts of the package are plain shell without placeholders of electron-builder', {
  skip: !has('dash') && 'needs dash',
}, () => {
  for (const file of globSync('*.sh', { cwd: HERE })) {
    execFileSync('dash', ['-n', join(HERE, file)]);
    assert.doesNotMatch(readFileSync(join(HERE, file), 'utf8'), /\$\{[a-zA-Z]+\}|<%=/, file);
  }
});

test('shellcheck finds no problem in the scripts of the package', {
  skip: !has('shellcheck') && 'needs shellcheck',
}, () => {
  for (const file of globSync('*.sh', { cwd: HERE }))
    execFileSync('shellcheck', ['--shell=sh', '--severity=warning', '--exclude=SC1091', join(HERE, file)], {
      stdio: 'inherit',
    });
});

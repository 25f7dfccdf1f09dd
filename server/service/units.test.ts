/** Tests the unit files of all systems, parsed by the systems' own tools where this machine has them. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { windowsArgument } from '../../shared/desktop/system-words.ts';
import { tempFolder } from '../../test/harness.ts';
import * as launchd from './launchd.ts';
import { desktopData, homeOfPerson, olderData, servicePlaces } from './places.ts';
import { hasControlCharacters, type ServerOptions, type UnitFile } from './service-options.ts';
import * as systemd from './systemd.ts';
import * as task from './windows-task.ts';

/** Loads the parsers for such files that electron-builder uses. */
const ofPackager = createRequire(
  createRequire(createRequire(import.meta.url).resolve('electron-builder')).resolve('app-builder-lib'),
);
const plist = ofPackager('plist') as { parse(text: string): Record<string, unknown> };
interface XmlElement {
  readonly textContent: string;
}
const { DOMParser } = createRequire(ofPackager.resolve('plist'))('@xmldom/xmldom') as {
  DOMParser: new (
    options: object,
  ) => {
    parseFromString(
      text: string,
      type: string,
    ): { getElementsByTagName(name: string): { item(at: number): XmlElement | null } };
  };
};

/**
 * Parses XML. Throws if the XML is not well-formed.
 * @returns a function that returns the text of the first element with
 * a name
 */
const xmlOf = (text: string): ((name: string) => string | undefined) => {
  const refuse = (...said: readonly unknown[]) => assert.fail(said.join(' '));
  const document = new DOMParser({ errorHandler: refuse, onError: refuse }).parseFromString(text, 'text/xml');
  return (name) => document.getElementsByTagName(name).item(0)?.textContent;
};

/** Name of a folder that contains every character that needs quoting. */
const ODD = 'Bäckerei "Süß" & Söhne 100% $HOME \\ <b> \'x\'';
const server = (more: Partial<ServerOptions> = {}): ServerOptions => ({
  user: 'root',
  data: `/srv/${ODD}`,
  node: '/opt/Vitrine/resources/node/node',
  script: '/opt/Vitrine/resources/vitrine/server/main.js',
  port: 8710,
  note: '/run/vitrine/server.json',
  maySleep: false,
  ...more,
});
const textOf = (units: readonly UnitFile[], name: string): string => {
  const unit = units.find(({ path }) => path.endsWith(name));
  assert.ok(unit, name);
  return unit.text;
};

const noSystemd = !existsSync('/usr/bin/systemd-analyze') && 'there is no systemd-analyze on this machine';

/** @returns the complaints of systemd about the units; '' for none */
const verify = (t: TestContext, units: readonly UnitFile[]): string => {
  const folder = tempFolder(t);
  const files = units.map(({ path, text }) => {
    const file = join(folder, basename(path));
    // Replaces programs that are missing on this machine by Node, so that systemd finds them.
    writeFileSync(
      file,
      text.replaceAll('/usr/bin/cage', process.execPath).replaceAll('/usr/bin/xinit', process.execPath),
    );
    return file;
  });
  const { stdout, stderr } = spawnSync('/usr/bin/systemd-analyze', ['verify', '--man=no', ...files], {
    encoding: 'utf8',
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
  });
  return `${stdout}${stderr}`
    .split('\n')
    .filter((line) => files.some((file) => line.includes(basename(file))))
    .join('\n');
};

test('systemd accepts the units, also for paths with blanks, quotes, special characters and umlauts', {
  skip: noSystemd,
}, (t) => {
  const folder = join(tempFolder(t), 'Süß & Söhne 100% $HOME');
  mkdirSync(folder);
  const node = join(folder, 'node');
  symlinkSync(process.execPath, node);
  assert.equal(verify(t, systemd.serverUnits(server({ node: `/opt/${ODD}/node`, script: `/opt/${ODD}/main.js` }))), '');
  const options = server({ node, script: `${folder}/main.js`, data: `${folder}/data` });
  assert.equal(verify(t, systemd.serverUnits(options)), '');
  assert.equal(verify(t, systemd.serverUnits({ ...options, port: 80, maySleep: true })), '');
  for (const display of ['cage', 'x11'] as const)
    for (const runs of ['launcher', 'agent'] as const) {
      const player = {
        user: 'root',
        data: `${folder}/d`,
        node,
        script: `${folder}/p.js`,
        runs,
        display,
        server: 'http://[fe80::1%25eth0]:8710',
      };
      assert.equal(verify(t, systemd.playerUnits(player)), '', `${display} ${runs}`);
    }
  // systemd also reports missing programs, so this check detects a path that systemd reads wrongly.
  assert.match(verify(t, systemd.serverUnits(server({ node: `${folder}/no-node` }))), /not executable|No such file/);
});

test('systemd runs the server without root, restarts it forever, stops it gracefully and keeps the machine awake', () => {
  const units = systemd.serverUnits(server({ user: 'vitrine' }));
  const unit = textOf(units, 'vitrine.service');
  for (const line of [
    'User=vitrine',
    'Restart=always',
    'StartLimitIntervalSec=0',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'WantedBy=multi-user.target',
    'RuntimeDirectory=vitrine',
  ])
    assert.ok(unit.includes(`\n${line}\n`), line);
  assert.match(
    unit,
    /ExecStart=:\/opt\/Vitrine\/resources\/node\/node \/opt\/Vitrine\/resources\/vitrine\/server\/main\.js\n/,
  );
  assert.doesNotMatch(unit, /MemoryDenyWriteExecute|ProtectSystem=strict|ProtectHome/);
  assert.match(textOf(units, 'vitrine-awake.service'), /systemd-inhibit --what=sleep:idle/);
  assert.equal(systemd.serverUnits(server({ maySleep: true })).length, 1);
  assert.match(
    textOf(systemd.serverUnits(server({ port: 80 })), 'vitrine.service'),
    /CapabilityBoundingSet=CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n/,
  );
});

test('packaged screen starts the launcher with its own windows, and a checkout starts its agent with a browser', () => {
  const options = {
    user: 'vitrine-player',
    data: '/var/lib/vitrine-player',
    node: '/n',
    script: '/p/launcher.js',
    display: 'cage',
    server: 'http://10.0.0.2:8710',
  } as const;
  const packed = textOf(systemd.playerUnits({ ...options, runs: 'launcher' }), 'vitrine-player.service');
  assert.match(
    packed,
    /ExecStart=:\/usr\/bin\/cage -d -s -- \/n \/p\/launcher\.js --ozone-platform=wayland --server=http:\/\/10\.0\.0\.2:8710\n/,
  );
  assert.doesNotMatch(packed, /VITRINE_BROWSER/);
  const checkout = textOf(
    systemd.playerUnits({ ...options, script: '/p/main.ts', runs: 'agent' }),
    'vitrine-player.service',
  );
  assert.match(checkout, /VITRINE_BROWSER_FLAGS=--ozone-platform=wayland/);
  assert.match(checkout, /-- \/n \/p\/main\.ts\n/);
});

test('launchd reads all values as they were written, for any path, and sends signals to the server itself', (t) => {
  const [unit] = launchd.serverUnits(server({ user: '_vitrine', node: `/A ${ODD}/node`, script: `/B ${ODD}/main.js` }));
  xmlOf(unit!.text);
  const read = plist.parse(unit!.text);
  assert.equal(read['UserName'], '_vitrine');
  assert.equal((read['EnvironmentVariables'] as Record<string, string>)['VITRINE_DATA'], `/srv/${ODD}`);
  const words = read['ProgramArguments'] as string[];
  assert.deepEqual(words.slice(-2), [`/A ${ODD}/node`, `/B ${ODD}/main.js`]);
  for (const [key, value] of [
    ['RunAtLoad', true],
    ['KeepAlive', true],
    ['ExitTimeOut', 10],
    ['Umask', 63],
  ] as const)
    assert.equal(read[key], value, key);
  // Runs the real shell, which becomes the program with exactly these arguments.
  const folder = join(tempFolder(t), 'Süß & "Söhne" $HOME');
  mkdirSync(folder);
  symlinkSync(process.execPath, join(folder, 'node'));
  writeFileSync(join(folder, 'main.mjs'), 'console.log(process.ppid === Number(process.env.PARENT), process.argv[1]);');
  const said = execFileSync('/bin/sh', [...words.slice(1, 3), join(folder, 'node'), join(folder, 'main.mjs')], {
    encoding: 'utf8',
    env: { PARENT: String(process.pid) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  assert.equal(said, `true ${join(folder, 'main.mjs')}\n`);
  assert.deepEqual(plist.parse(launchd.serverUnits(server({ maySleep: true }))[0]!.text)['ProgramArguments'], [
    server().node,
    server().script,
  ]);
});

test('user of the service on a Mac gets a free id below the ids of people', () => {
  assert.equal(launchd.freeId('root 0\nnobody -2\n_a 400\n_b   401\nmia 501\n'), 402);
  assert.equal(launchd.freeId(Array.from({ length: 100 }, (_, i) => `_x${i} ${400 + i}`).join('\n')), undefined);
  const steps = launchd.makeUser('_vitrine', 402, '/d');
  assert.ok(steps.some(({ args }) => args.join(' ') === '. -create /Users/_vitrine UniqueID 402'));
  assert.ok(steps.some(({ args }) => args.includes('/usr/bin/false')));
});

/** Splits a command line as Windows programs do (CommandLineToArgvW). */
const split = (line: string): string[] => {
  const words: string[] = [];
  let [word, quoted, has] = ['', false, false];
  for (let i = 0; i < line.length; ) {
    const slashes = /^\\*/.exec(line.slice(i))![0].length;
    i += slashes;
    if (line[i] === '"') {
      word += '\\'.repeat(Math.floor(slashes / 2));
      if (slashes % 2) word += '"';
      else quoted = !quoted;
      has = true;
      i++;
    } else {
      word += '\\'.repeat(slashes);
      if (slashes) has = true;
      else if (line[i] === ' ' && !quoted) {
        if (has) words.push(word);
        [word, has] = ['', false];
        i++;
      } else if (i < line.length) {
        word += line[i++];
        has = true;
      }
    }
  }
  return has ? [...words, word] : words;
};

test('Windows task is well-formed, contains program and arguments unchanged, and has no time limit', () => {
  const data = 'D:\\Süß & "Söhne" 100%\\';
  const options = server({
    node: 'C:\\Program Files\\Vitrine & Co\\node.exe',
    script: 'C:\\Program Files\\Vitrine & Co\\service.js',
    data,
    note: 'C:\\ProgramData\\Vitrine\\public\\server.json',
  });
  const [unit] = task.serverUnits(options);
  assert.equal(unit!.path, 'C:\\ProgramData\\Vitrine\\task.xml');
  const read = xmlOf(unit!.text);
  assert.equal(read('Command'), '"C:\\Program Files\\Vitrine & Co\\node.exe"');
  assert.deepEqual(split(read('Arguments')!), [
    options.script,
    '--port',
    '8710',
    '--data',
    data,
    '--note',
    options.note,
  ]);
  assert.equal(read('ExecutionTimeLimit'), 'PT0S');
  assert.equal(read('MultipleInstancesPolicy'), 'IgnoreNew');
  assert.equal(read('StopIfGoingOnBatteries'), 'false');
  assert.equal(read('DisallowStartIfOnBatteries'), 'false');
  assert.equal(read('RestartOnFailure')?.trim().split(/\s+/)[0], 'PT1M');
  assert.equal(read('BootTrigger')?.trim(), 'true');
  assert.equal(read('Interval'), 'PT1M');
  assert.equal(read('UserId'), 'S-1-5-19');
  // With the default priority 7, Windows would run the task only after all other work on the machine.
  assert.ok(Number(read('Priority')) < 7);
  const bytes = task.taskBytes(unit!.text);
  assert.deepEqual([...bytes.subarray(0, 2)], [0xff, 0xfe]);
  assert.ok(bytes.toString('utf16le').includes('Süß'));
});

test('argument for a Windows program arrives unchanged, whatever characters it contains', () => {
  for (const text of ['a', 'a b', 'a"b', 'a\\', 'a b\\', 'a\\"b\\\\', '', 'C:\\x y\\', '"', '\\\\host\\share name\\'])
    assert.deepEqual(split(`x ${windowsArgument(text)} y`), ['x', text, 'y'], text);
});

test('Windows programs are called by full path, and only the service and administrators may read the data folder', () => {
  const programs = task.windowsPrograms({ SystemRoot: 'E:\\Win' });
  assert.equal(programs.schtasks, 'E:\\Win\\System32\\schtasks.exe');
  assert.equal(task.windowsPrograms({ SystemRoot: 'win' }).icacls, 'C:\\Windows\\System32\\icacls.exe');
  const options = server({
    data: 'C:\\ProgramData\\Vitrine\\server',
    note: 'C:\\ProgramData\\Vitrine\\public\\server.json',
  });
  const steps = task.allow(options, programs);
  const ofData = steps.filter(({ args }) => args[0] === options.data).flatMap(({ args }) => args);
  assert.ok(
    ofData.includes('/inheritance:r') &&
      ofData.includes('*S-1-5-19:(OI)(CI)M') &&
      !ofData.some((word) => word.includes('S-1-5-32-545')),
  );
  const started = task.startServer(options, programs, true).map(({ args }) => args.slice(0, 3).join(' '));
  assert.deepEqual(started, [
    '/create /tn Vitrine Server',
    '/change standby-timeout-ac 0',
    '/change hibernate-timeout-ac 0',
    '/run /tn Vitrine Server',
  ]);
});

test('the data of a service is in the machine’s folder, and a person’s data is outside of roaming profiles', () => {
  assert.equal(servicePlaces({ platform: 'linux', env: {} }).data, '/var/lib/vitrine');
  assert.equal(servicePlaces({ platform: 'darwin', env: {} }).data, '/Library/Application Support/Vitrine/server');
  assert.equal(servicePlaces({ platform: 'win32', env: { ProgramData: 'D:\\PD' } }).data, 'D:\\PD\\Vitrine\\server');
  const windows = {
    platform: 'win32',
    env: { APPDATA: 'C:\\U\\m\\AppData\\Roaming', LOCALAPPDATA: 'C:\\U\\m\\AppData\\Local' },
    home: 'C:\\U\\m',
  } as const;
  assert.equal(desktopData(windows), 'C:\\U\\m\\AppData\\Local\\Vitrine\\server');
  assert.deepEqual(olderData(windows), [
    'C:\\U\\m\\AppData\\Local\\Vitrine\\server',
    'C:\\U\\m\\AppData\\Roaming\\Vitrine\\server',
  ]);
  assert.deepEqual(olderData({ platform: 'linux', env: {}, home: '/h/m' }), ['/h/m/.config/Vitrine/server']);
  assert.deepEqual(olderData({ platform: 'darwin', env: {}, home: '/h/m' }), [
    '/h/m/Library/Application Support/Vitrine/server',
  ]);
});

test('data folder is searched in the home of the person who called sudo or pkexec', () => {
  const home = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
    homeOfPerson({ platform, env, home: '/own' }, (uid) => (uid === '1000' ? 'ada' : undefined));
  assert.equal(home({ SUDO_USER: 'ada' }), '/home/ada');
  assert.equal(home({ SUDO_USER: 'ada' }, 'darwin'), '/Users/ada');
  assert.equal(home({ PKEXEC_UID: '1000' }), '/home/ada');
  for (const env of [{}, { SUDO_USER: 'root' }, { SUDO_USER: '../etc' }, { PKEXEC_UID: '77' }, { SUDO_USER: '' }])
    assert.equal(home(env), '/own', JSON.stringify(env));
});

test('a path with line-breaking characters is refused for a service', () => {
  for (const text of ['/a\nExecStart=/bin/sh', '/a\0', '/a\u009b']) assert.ok(hasControlCharacters(text));
  assert.ok(!hasControlCharacters(ODD));
});

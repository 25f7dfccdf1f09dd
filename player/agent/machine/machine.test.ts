import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originOf, WrongAddress } from '../../../shared/desktop/server-address.ts';
import { NO_TELEMETRY } from '../../../shared/protocol/telemetry.ts';
import { FakeTime, settle } from '../../core/testing/fakes.ts';
import { LanAddressBook } from '../address-book.ts';
import { findBrowser } from '../browser/browser-find.ts';
import { browserFlags } from '../browser/browser-flags.ts';
import { readConfig, WrongUse } from '../config.ts';
import type { Hardware } from './hardware.worker.ts';
import { addressesTowards, multicastAddresses, wirelessIn } from './interfaces.ts';
import { firstThatWorks, machineSteps, panelSteps } from './power.ts';
import type { Run } from './run.ts';
import { type MachineInfo, MachineTelemetry } from './telemetry.ts';
import { requireFullPaths } from './windows-programs.ts';

const drivers: Hardware = {
  wifi: [{ iface: 'wlan0', ssid: 'Store', signalLevel: -61 }],
  wireless: ['wlan0'],
  battery: { hasBattery: true, percent: 80.4, isCharging: false, acConnected: true },
  temperature: 61.27,
  memory: null,
};
const info: MachineInfo = {
  hardware: async () => drivers,
  storage: async () => ({ free: 32e9, total: 64e9 }),
  memory: async () => ({ total: 4e9, available: 2e9 }),
  load: async () => 12.345,
  uptime: async () => 99.6,
  addresses: async () => ({ name: 'wlan0', ip4: '10.0.0.7', ip6: 'fd00::7' }),
};
const telemetry = (more: Partial<MachineInfo> = {}, time = new FakeTime()) =>
  new MachineTelemetry({ info: { ...info, ...more }, time });

test('telemetry reports values of the machine and its drivers in the right units', async () => {
  assert.partialDeepStrictEqual(await telemetry().read(), {
    local_ip: '10.0.0.7',
    local_ip6: 'fd00::7',
    wifi_ssid: 'Store',
    wifi_rssi: -61,
    battery_level: 80,
    battery_charging: 1,
    storage_free_mb: 32_000,
    storage_total_mb: 64_000,
    ram_free_mb: 2_000,
    ram_total_mb: 4_000,
    cpu_usage: 12.3,
    uptime_seconds: 100,
    temperature_c: 61.3,
  });
});

test('telemetry reports null for each value whose source failed, and still reports the other values', async () => {
  const fail = () => Promise.reject(new Error('no driver'));
  const read = await telemetry({
    hardware: fail,
    storage: fail,
    memory: fail,
    load: fail,
    uptime: fail,
    addresses: fail,
  }).read();
  assert.deepEqual(read, NO_TELEMETRY);
  const bare = {
    wifi: null,
    wireless: null,
    battery: { hasBattery: false, percent: 0, isCharging: false, acConnected: true },
    memory: null,
  };
  const { wifi_ssid, battery_level, battery_charging, ram_total_mb } = await telemetry({
    hardware: async () => bare,
  }).read();
  assert.deepEqual([wifi_ssid, battery_level, battery_charging, ram_total_mb], [null, null, null, 4_000]);
});

test('telemetry reports no temperature without a sensor', async () => {
  for (const temperature of [null, 0, -1, Number.NaN]) {
    const read = await telemetry({ hardware: async () => ({ ...drivers, temperature }) }).read();
    assert.equal(read.temperature_c, null);
  }
});

test('telemetry prefers the memory values of drivers', async () => {
  const { ram_free_mb } = await telemetry({
    hardware: async () => ({ ...drivers, memory: { total: 4e9, available: 3e9 } }),
  }).read();
  assert.equal(ram_free_mb, 3_000);
});

test('telemetry reports a hidden Wi-Fi name as "permission", and no Wi-Fi on a wired machine', async () => {
  const connected = async (wifi: Required<Hardware>['wifi']) =>
    (await telemetry({ hardware: async () => ({ ...drivers, wifi }) }).read()).wifi_ssid;
  assert.equal(await connected([]), 'permission');
  assert.equal(await connected([{ iface: 'wlan0', ssid: '<redacted>', signalLevel: -50 }]), 'permission');
  assert.equal(
    (await telemetry({ addresses: async () => ({ name: 'eth0', ip4: '10.0.0.8', ip6: null }) }).read()).wifi_ssid,
    null,
  );
});

test('hanging driver delays telemetry by 3 s once and is not called again while it hangs', async () => {
  const time = new FakeTime();
  let asked = 0;
  const hanging = telemetry({ hardware: () => new Promise(() => asked++) }, time);
  const reading = hanging.read();
  await time.advance(3_000);
  assert.equal((await reading).uptime_seconds, 100);
  const again = hanging.read();
  await time.advance(3_000);
  await again;
  assert.equal(asked, 1);
  await settle();
});

const face = (address: string, family: 'IPv4' | 'IPv6', internal = false) => ({
  address,
  family,
  internal,
  netmask: '',
  mac: '',
  cidr: null,
  scopeid: 0,
});
const INTERFACES = {
  lo: [face('127.0.0.1', 'IPv4', true), face('::1', 'IPv6', true)],
  docker0: [face('172.17.0.1', 'IPv4')],
  'br-5f2a': [face('172.18.0.1', 'IPv4')],
  eth0: [face('fe80::1', 'IPv6'), face('10.0.0.7', 'IPv4'), face('10.0.0.8', 'IPv4'), face('2001:db8::8', 'IPv6')],
  wlan0: [face('10.0.1.9', 'IPv4'), face('fe80::9', 'IPv6')],
};
/** Returns the addresses that a machine with these routes reports. `routes`: local address by destination. */
const reaching = (host: string | null, routes: Readonly<Record<string, string>>) =>
  addressesTowards(host, INTERFACES, async (there) => routes[there] ?? null);

test('reported address is on the interface to the server, with its other family, and never link-local IPv6', async () => {
  assert.deepEqual(await reaching('10.0.0.1', { '10.0.0.1': '10.0.0.8' }), {
    name: 'eth0',
    ip4: '10.0.0.8',
    ip6: '2001:db8::8',
  });
  assert.deepEqual(await reaching('store.local', { 'store.local': '2001:db8::8' }), {
    name: 'eth0',
    ip4: '10.0.0.7',
    ip6: '2001:db8::8',
  });
  assert.deepEqual(await reaching('10.0.1.1', { '10.0.1.1': '10.0.1.9' }), {
    name: 'wlan0',
    ip4: '10.0.1.9',
    ip6: null,
  });
  assert.deepEqual(multicastAddresses({ lo: INTERFACES.lo, wlan0: INTERFACES.wlan0 }), ['127.0.0.1', '10.0.1.9']);
});

test('without a server, or with a local server, the address of the default route is reported', async () => {
  const byDefault = { '192.0.2.1': '10.0.1.9' };
  for (const host of ['127.0.0.1', '172.17.0.1', '10.0.0.8', null]) {
    const own = host === null ? {} : { [host]: host };
    assert.equal((await reaching(host, { ...own, ...byDefault })).ip4, '10.0.1.9', `${host}`);
    assert.equal((await reaching(host, own)).ip4, '10.0.0.7', `${host}, no way out`);
  }
  assert.deepEqual(await addressesTowards(null, { docker0: INTERFACES.docker0 }, async () => null), {
    name: null,
    ip4: null,
    ip6: null,
  });
});

test('address towards the server is reported although the system does not list its interface yet', async () => {
  const reached = (address: string) => reaching('store.local', { 'store.local': address, '192.0.2.1': '10.0.1.9' });
  assert.deepEqual(await reached('10.9.9.9'), { name: null, ip4: '10.9.9.9', ip6: null });
  assert.deepEqual(await reached('2001:db8::99'), { name: null, ip4: null, ip6: '2001:db8::99' });
  assert.deepEqual(await reached('fe80::77'), { name: null, ip4: null, ip6: null });
});

test('wirelessIn returns the interfaces that Linux lists', () => {
  const heading =
    'Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE\n face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22\n';
  assert.deepEqual(
    wirelessIn(
      `${heading} wlan0: 0000   70.  -38.  -256        0      0      0      0      0        0\n wlp2s0: 0000   54.  -56.  -256   0 0 0 0 0 0\n`,
    ),
    ['wlan0', 'wlp2s0'],
  );
  assert.deepEqual([wirelessIn(heading), wirelessIn('')], [[], []]);
});

test('originOf adds a missing scheme and port', () => {
  assert.equal(originOf('192.168.1.5'), 'http://192.168.1.5:8710');
  assert.equal(originOf('store.local:9000'), 'http://store.local:9000');
  // An explicit port 80 disappears from the URL but counts as given.
  assert.equal(originOf('store.local:80'), 'http://store.local');
  assert.equal(originOf('store.local:80/'), 'http://store.local');
  assert.equal(originOf('[fd00::5]'), 'http://[fd00::5]:8710');
  assert.equal(originOf('http://store.local/'), 'http://store.local');
  for (const wrong of ['ftp://x', 'http://', 'http://u:p@x', 'a b']) assert.throws(() => originOf(wrong), WrongAddress);
});

test('code that claims the screen comes from the command line or the environment, and must be valid', () => {
  const codeOf = (args: string[], env = {}) => {
    const asked = readConfig(args, env, 'linux');
    return 'config' in asked ? asked.config.code : undefined;
  };
  assert.deepEqual(
    [codeOf([]), codeOf([], { VITRINE_CODE: 'acd-349' }), codeOf(['--code', 'ACD34A'], { VITRINE_CODE: '?' })],
    [undefined, 'ACD349', 'ACD34A'],
  );
  assert.throws(() => codeOf([], { VITRINE_CODE: '0O1I' }), { message: /^code in VITRINE_CODE must be 6 to 12/ });
});

test('paired player uses only addresses of the server with which it is paired', () => {
  const sighting = (id: string, origin: string, fingerprint = 'fp') => ({
    origin,
    name: id,
    setup: false,
    server: { id, fingerprint },
    seenAt: 0,
  });
  const discovery = {
    sightings: [
      sighting('other', 'http://10.0.0.1:8710'),
      sighting('ours', 'http://127.0.0.1:8710'),
      sighting('ours', 'http://10.0.0.2:8710'),
      sighting('ours', 'http://10.0.0.3:8710', 'forged'),
    ],
    onChange: () => () => {},
  };
  const paired = { server_id: 'ours', fingerprint: 'fp', origin: 'http://10.0.0.9:8710' };
  const book = new LanAddressBook({ discovery, typed: null });
  assert.deepEqual(
    [0, 1, 2, 3].map((attempt) => book.pick(paired, attempt)?.origin),
    ['http://127.0.0.1:8710', 'http://10.0.0.2:8710', 'http://10.0.0.9:8710', 'http://127.0.0.1:8710'],
  );
  assert.equal(book.pick(null, 0)?.origin, 'http://10.0.0.1:8710');
  assert.deepEqual(
    book.seen().map(({ origin }) => origin),
    ['http://10.0.0.1:8710', 'http://10.0.0.2:8710', 'http://10.0.0.3:8710'],
    'one that copies the id of another counts for itself',
  );
  assert.equal(new LanAddressBook({ discovery, typed: 'http://typed:1' }).pick(paired, 0)?.origin, 'http://typed:1');
  assert.equal(new LanAddressBook({ discovery: { ...discovery, sightings: [] }, typed: null }).pick(null, 0), null);
});

test('findBrowser uses VITRINE_BROWSER alone, otherwise the PATH, otherwise the usual folders', async () => {
  const only = (path: string) => async (asked: string) => asked === path;
  assert.equal(
    await findBrowser({
      platform: 'linux',
      env: { PATH: '/bin:/usr/bin' },
      executable: only('/usr/bin/google-chrome'),
    }),
    '/usr/bin/google-chrome',
  );
  assert.equal(
    await findBrowser({
      platform: 'linux',
      env: { PATH: '/usr/bin', VITRINE_BROWSER: '/opt/x' },
      executable: only('/usr/bin/chromium'),
    }),
    undefined,
  );
  const edge = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe';
  assert.equal(
    await findBrowser({
      platform: 'win32',
      env: { 'ProgramFiles(x86)': 'C:\\Program Files (x86)' },
      executable: only(edge),
    }),
    edge,
  );
  assert.equal(await findBrowser({ platform: 'linux', env: {}, executable: async () => false }), undefined);
});

test('browserFlags disable the sandbox for root only and never contain the page address', () => {
  const mode = { profile: '/p', headless: false, root: false, extra: ['--x'] };
  assert.ok(!browserFlags(mode).includes('--no-sandbox'));
  assert.ok(browserFlags({ ...mode, root: true }).includes('--no-sandbox'));
  assert.ok(browserFlags(mode).every((flag) => !flag.includes('http')));
});

test('firstThatWorks uses the first program that succeeds, and reports if none exists or all fail', async () => {
  const asked: string[] = [];
  const having =
    (programs: Record<string, boolean>): Run =>
    async (program) => {
      asked.push(program);
      return { ok: programs[program] ?? false, missing: !(program in programs), output: '' };
    };
  const x11 = { platform: 'linux' as const, env: { DISPLAY: ':0' } };
  assert.deepEqual(await firstThatWorks(panelSteps(false, x11), having({ xset: true })), { status: 'done' });
  assert.deepEqual(asked, ['cec-ctl', 'cec-client', 'xset']);
  assert.deepEqual(await firstThatWorks(panelSteps(false, x11), having({})), { status: 'unsupported' });
  assert.equal((await firstThatWorks(machineSteps('reboot', x11), having({ systemctl: false }))).status, 'failed');
});

test('programs of Windows are started by their full path', () => {
  const roots: [env: Record<string, string>, root: string][] = [
    [{ SystemRoot: 'D:\\WinNT' }, 'D:\\WinNT'],
    [{ SYSTEMROOT: 'c:\\windows\\' }, 'c:\\windows'],
    [{ windir: 'E:\\Windows' }, 'E:\\Windows'],
    [{}, 'C:\\Windows'],
    ...['', '.', 'Windows', '\\Windows', '\\\\server\\share', 'C:', 'C:Windows', '/mnt/c/Windows'].map(
      (SystemRoot): [Record<string, string>, string] => [{ SystemRoot }, 'C:\\Windows'],
    ),
  ];
  for (const [env, root] of roots) {
    const windows = { platform: 'win32' as const, env: { PATH: 'C:\\elsewhere', ...env } };
    const programs = [
      panelSteps(true, windows),
      panelSteps(false, windows),
      machineSteps('reboot', windows),
      machineSteps('shutdown', windows),
    ]
      .flat()
      .map(({ program }) => program);
    const powershell = `${root}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
    assert.deepEqual(
      programs,
      [powershell, powershell, `${root}\\System32\\shutdown.exe`, `${root}\\System32\\shutdown.exe`],
      JSON.stringify(env),
    );
  }
});

test('libraries on Windows do not start programs from the current folder', () => {
  const [windows, chosen, linux]: Record<string, string | undefined>[] = [
    {},
    { NoDefaultCurrentDirectoryInExePath: '0' },
    {},
  ];
  requireFullPaths('win32', windows!);
  requireFullPaths('win32', chosen!);
  requireFullPaths('linux', linux!);
  assert.deepEqual(
    [windows, chosen, linux],
    [{ NoDefaultCurrentDirectoryInExePath: '1' }, { NoDefaultCurrentDirectoryInExePath: '0' }, {}],
  );
});

test('flags override variables, variables override defaults, and each invalid setting gives one sentence', () => {
  const read = (args: string[], env: Record<string, string> = {}) => {
    const asked = readConfig(args, env, 'linux');
    assert.ok('config' in asked);
    return asked.config;
  };
  assert.equal(read(['--server', '10.0.0.1'], { VITRINE_SERVER: '10.0.0.2' }).server, 'http://10.0.0.1:8710');
  assert.equal(read([], { VITRINE_SERVER: '10.0.0.2' }).server, 'http://10.0.0.2:8710');
  assert.match(read([]).data, /Vitrine Player$/);
  assert.equal(read(['--no-window']).window, false);
  assert.deepEqual(read([], { VITRINE_BROWSER_FLAGS: ' --a  --b=1' }).browserFlags, ['--a', '--b=1']);
  assert.throws(() => read(['--wrong']), WrongUse);
  assert.throws(() => read(['more']), WrongUse);
  assert.throws(() => read(['--name', 'x'.repeat(201)]), WrongUse);
  assert.throws(() => read([], { VITRINE_PLAYER_QUOTA: 'much' }), WrongUse);
  assert.deepEqual(readConfig(['--help', '--server', 'x'], {}), { show: 'help' });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, configFrom, parseCommandLine } from './config.ts';

const httpsPort = (...args: string[]) => {
  const command = parseCommandLine(args, {});
  return command.kind === 'serve' ? command.config.https_port : undefined;
};

test('port of HTTPS is the HTTP port plus one, or a chosen port, or HTTPS is off', () => {
  assert.equal(httpsPort(), 8711);
  assert.equal(httpsPort('--port', '9000'), 9001);
  assert.equal(httpsPort('--port', '0'), null, 'where HTTP takes any free port nobody could guess another');
  assert.equal(httpsPort('--port', '65535'), null);
  assert.equal(httpsPort('--https-port', '443'), 443);
  assert.equal(httpsPort('--https-port', '0'), null);
  assert.equal(httpsPort('--no-https', '--https-port', '443'), null);
  assert.equal(configFrom({}, { VITRINE_HTTPS_PORT: '8443' }).https_port, 8443);
  assert.equal(configFrom({}, { VITRINE_HTTPS: '0' }).https_port, null);
});

test('configuration error names each invalid option of HTTPS', () => {
  assert.throws(() => httpsPort('--https-port', '8710'), /--https-port must be another than --port/);
  assert.throws(() => httpsPort('--https-port', 'x'), /--https-port must be a whole number from 0 to 65535/);
  assert.throws(() => httpsPort('--tls-cert', 'shop.crt'), ConfigError);
});

test('role of headquarters is set by an option, or by a variable other than the installers’ variable', () => {
  assert.equal(configFrom({}, {}).chain_role, 'store');
  assert.equal(configFrom({}, { VITRINE_CHAIN_ROLE: 'hq' }).chain_role, 'hq');
  // VITRINE_ROLE, the variable of the installers, says whether this machine is a server or a screen, and does not set
  // the role of headquarters.
  assert.equal(configFrom({}, { VITRINE_ROLE: 'server' }).chain_role, 'store');
  const command = parseCommandLine(['--role', 'hq'], {});
  assert.equal(command.kind === 'serve' && command.config.chain_role, 'hq');
  assert.throws(() => parseCommandLine(['--role', 'boss'], {}), /--role must be store or hq/);
  assert.throws(() => configFrom({}, { VITRINE_CHAIN_ROLE: 'boss' }), /VITRINE_CHAIN_ROLE must be store or hq/);
});

test('a hub requires the role hq, TLS and an address without a password', () => {
  const natsOf = (...args: string[]) => {
    const command = parseCommandLine(['--role', 'hq', ...args], {});
    return command.kind === 'serve' ? command.config.nats : undefined;
  };
  assert.equal(natsOf(), undefined);
  assert.equal(natsOf('--nats', 'tls://127.0.0.1:4222'), 'tls://127.0.0.1:4222');
  assert.equal(
    configFrom({}, { VITRINE_CHAIN_ROLE: 'hq', VITRINE_NATS: 'tls://[fd00::5]:4222' }).nats,
    'tls://[fd00::5]:4222',
  );
  for (const wrong of ['nats://hub:4222', 'hub:4222', 'tls://', 'tls://me:secret@hub', 'tls://hub/x'])
    assert.throws(() => natsOf('--nats', wrong), /--nats must be an address like tls:/, wrong);
  assert.throws(() => configFrom({}, { VITRINE_NATS: 'tls://hub:4222' }), /VITRINE_NATS belongs to --role hq/);
});

test('--postgres requires the role hq, and its password appears in no error message', () => {
  const postgresOf = (...args: string[]) => {
    const command = parseCommandLine(['--role', 'hq', ...args], {});
    return command.kind === 'serve' ? command.config.postgres : undefined;
  };
  assert.equal(postgresOf(), undefined);
  for (const right of [
    'postgres://db.example.com/vitrine',
    'postgresql://me:secret@db.example.com:5432/vitrine?sslmode=verify-full',
    'postgres:///vitrine?host=/run/postgresql',
    'postgres://me@/vitrine?host=/run/postgresql',
    'postgres://me:secret@[fd00::5]:5432/vitrine',
  ])
    assert.equal(postgresOf('--postgres', right), right);
  assert.equal(
    configFrom({}, { VITRINE_CHAIN_ROLE: 'hq', VITRINE_POSTGRES: 'postgres://db/v' }).postgres,
    'postgres://db/v',
  );
  for (const wrong of [
    'mysql://me:secret@db/vitrine',
    'postgres://me:secret@db',
    'postgres://me:secret@db:99999/vitrine',
    'postgres://me:secret@db/vitrine#x',
    'me:secret@db/vitrine',
  ])
    assert.match(
      saidOf(() => postgresOf('--postgres', wrong)),
      /^--postgres must be an address like postgres:\/\/vitrine:password@db\.example\.com:5432\/vitrine\.$/,
      wrong,
    );
  assert.match(
    saidOf(() => configFrom({}, { VITRINE_POSTGRES: 'postgres://me:secret@db/vitrine' })),
    /^VITRINE_POSTGRES belongs to --role hq: a store’s plays are in its data folder\.$/,
  );
});

const saidOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message;
  }
  return 'accepted';
};
const byOption = (...args: string[]) => saidOf(() => parseCommandLine(args, {}));
const byVariable = (name: string, value: string) => saidOf(() => configFrom({}, { [name]: value }));

test('an empty or blank port is refused, not read as port 0', () => {
  const port = 'must be a whole number from 0 to 65535.';
  for (const value of ['', ' ', 'http', '-1', '65536', '80.5']) {
    assert.equal(byOption(`--port=${value}`), `--port ${port}`);
    assert.equal(byOption(`--https-port=${value}`), `--https-port ${port}`);
  }
  assert.equal(byVariable('VITRINE_PORT', 'http'), `VITRINE_PORT ${port}`);
  assert.equal(configFrom({}, { VITRINE_PORT: ' 80 ' }).port, 80);
});

test('an empty variable counts as not set, and a variable that contains only spaces is refused', () => {
  assert.equal(
    configFrom({}, { VITRINE_PORT: '', VITRINE_SMTP_URL: '', VITRINE_PUBLIC_URL: '', VITRINE_MAX_UPLOAD_MB: '' }).port,
    8710,
  );
  for (const name of ['VITRINE_PORT', 'VITRINE_DATA', 'VITRINE_MAX_UPLOAD_MB', 'VITRINE_SMTP_URL', 'VITRINE_MAIL_FROM'])
    assert.equal(byVariable(name, ' \t'), `${name} is set to nothing but blanks: give it a value, or unset it.`);
  assert.equal(configFrom({ port: 80 }, { VITRINE_PORT: ' ' }).port, 80, 'what is given wins');
});

test('data folder without a name and an upload limit of 0 MB are refused, and the error says what is allowed', () => {
  for (const value of ['', ' '])
    assert.equal(byOption(`--data=${value}`), '--data must be the path of a folder, like /srv/vitrine.');
  for (const value of ['-1', '0', 'much', 'Infinity'])
    assert.equal(
      byVariable('VITRINE_MAX_UPLOAD_MB', value),
      'VITRINE_MAX_UPLOAD_MB must be a number of megabytes above 0, like 4096.',
    );
  assert.equal(configFrom({}, { VITRINE_MAX_UPLOAD_MB: '0.1' }).max_upload_mb, 0.1);
});

test('the address of a mail server must be an SMTP address', () => {
  const good = [
    'smtp://127.0.0.1:2525',
    'smtps://us%40er:p%20w@mail.store.test',
    'smtp://u:p:w@[fd00::5]:25',
    'SMTP://mail_host?pool=true',
    'smtp:mail.local',
    ' smtp://münchen.test\n',
  ];
  for (const url of good) assert.equal(byVariable('VITRINE_SMTP_URL', url), 'accepted', url);
  for (const url of [
    'mail.local',
    'mail.local:25',
    'http://mail.local',
    'smtp://',
    'smtp://mail.local:99999',
    'smtp://mail local',
  ])
    assert.equal(
      byVariable('VITRINE_SMTP_URL', url),
      'VITRINE_SMTP_URL must be an address like smtp://user:password@mail.example.com:587, or one that begins with smtps://.',
      url,
    );
});

test('web addresses are refused without a scheme or a host', () => {
  const likes = {
    VITRINE_PUBLIC_URL: 'https://signage.example.com',
    VITRINE_PROVIDER_A_ISSUER: 'https://login.example.com',
    VITRINE_PROVIDER_B_ISSUER: 'https://login.example.com/{tenant}/v2.0',
    VITRINE_PROVIDER_B_PROFILE_URL: 'https://login.example.com/me',
    VITRINE_WEATHER_URL: 'https://weather.example.com',
  };
  for (const [name, like] of Object.entries(likes)) {
    assert.equal(byVariable(name, like), 'accepted');
    for (const url of ['http://127.0.0.1:1', 'http://[fd00::5]:8710/', 'https://signs.store.test/under/x'])
      assert.equal(byVariable(name, url), 'accepted', url);
    for (const url of ['signs.store.test', 'signs.store.test:8710', 'ftp://store.test', 'https://', 'garbage'])
      assert.equal(byVariable(name, url), `${name} must be an address like ${like}.`, url);
  }
  assert.equal(
    configFrom({}, { VITRINE_PUBLIC_URL: ' https://signs.store.test\n' }).public_url,
    'https://signs.store.test',
  );
});

test('trusted proxies can be addresses and networks, and other values are refused', () => {
  const { trusted_proxies } = configFrom(
    {},
    { VITRINE_TRUSTED_PROXIES: ' 10.0.0.5 , fd00::5,, fe80::1%eth0, fd01::/16, 10.0.1.0/24' },
  );
  for (const address of ['10.0.0.5', '10.0.1.200']) assert.ok(trusted_proxies.check(address), address);
  for (const address of ['fd00::5', 'fe80::1', 'fd01::1:2:3'])
    assert.ok(trusted_proxies.check(address, 'ipv6'), address);
  for (const address of ['10.0.0.6', '10.0.2.1']) assert.ok(!trusted_proxies.check(address), address);
  for (const value of [
    'proxy.lan',
    '10.0.0.5 10.0.0.6',
    '10.0.0.5:80',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
  ])
    assert.equal(
      byVariable('VITRINE_TRUSTED_PROXIES', value),
      'VITRINE_TRUSTED_PROXIES must be IP addresses or networks like 10.0.0.5, fd00::5 or 10.0.0.0/24, separated by commas.',
      value,
    );
});

test('error names a setting in the form in which it was set, as variable or as option', () => {
  const together = 'belong together: give both, or none for a certificate of Vitrine’s own.';
  assert.equal(byVariable('VITRINE_TLS_CERT', 'shop.crt'), `VITRINE_TLS_CERT and VITRINE_TLS_KEY ${together}`);
  assert.equal(byVariable('VITRINE_TLS_KEY', 'shop.key'), `VITRINE_TLS_CERT and VITRINE_TLS_KEY ${together}`);
  assert.equal(byOption('--tls-key', 'shop.key'), `--tls-cert and --tls-key ${together}`);
  assert.equal(
    byVariable('VITRINE_HTTPS_PORT', '8710'),
    'VITRINE_HTTPS_PORT must be another than --port: one speaks HTTPS, the other HTTP.',
  );
  assert.equal(
    saidOf(() => parseCommandLine(['--https-port', '80'], { VITRINE_PORT: '80' })),
    '--https-port must be another than VITRINE_PORT: one speaks HTTPS, the other HTTP.',
  );
  assert.equal(
    byVariable('VITRINE_LOG_LEVEL', 'loud'),
    'VITRINE_LOG_LEVEL must be debug, info, warn, error or silent.',
  );
});

test('option to trust a provider’s e-mail addresses requires that the provider is configured', () => {
  const issuer = { VITRINE_PROVIDER_A_ISSUER: 'https://login.example.com' };
  assert.equal(configFrom({}, { ...issuer, VITRINE_PROVIDER_A_OWNS_ADDRESSES: '1' }).provider_a_owns_addresses, true);
  assert.equal(configFrom({}, issuer).provider_a_owns_addresses, undefined);
  assert.throws(
    () => configFrom({}, { ...issuer, VITRINE_PROVIDER_B_OWNS_ADDRESSES: '1' }),
    /VITRINE_PROVIDER_B_OWNS_ADDRESSES belongs to VITRINE_PROVIDER_B_ISSUER/,
  );
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ConnectionsChange } from '../../../../shared/contract/server/server.ts';
import { tempFolder } from '../../../../test/harness.ts';
import { openDatabase } from '../../../db/open.ts';
import { Bus } from '../../../kernel/bus.ts';
import type { Actor } from '../../../kernel/trust/actor.ts';
import { SecretBox } from '../secret-box.ts';
import { SettingsStore } from '../server-settings.store.ts';
import { ConnectionsService } from './connections.service.ts';

type Environment = ConstructorParameters<typeof ConnectionsService>[0]['environment'];

const ACTOR = { workspaceId: 'w', userId: 'u', userName: 'U', ip: '192.0.2.1' } as Actor;
const NOBODY = 'Vitrine <vitrine@localhost>';

const setUp = (t: TestContext, stored: ConnectionsChange = {}) => {
  const db = openDatabase(':memory:');
  t.after(() => db.close());
  const folder = tempFolder(t);
  const activity: string[] = [];
  const heard: string[] = [];
  const bus = new Bus((_event, error) => {
    throw error;
  });
  bus.on('changed', ({ topic }) => heard.push(topic));
  const store = new SettingsStore(db);
  const serviceIn = (environment: Partial<Environment>, keys = 'keys') =>
    new ConnectionsService({
      db,
      bus,
      store,
      box: new SecretBox(join(folder, keys)),
      activity: { add: ({ action, details }) => activity.push(`${action}: ${details}`) },
      environment: { allowed_hosts: [], ...environment },
    });
  const service = serviceIn({});
  service.update(ACTOR, stored);
  const change = (given: ConnectionsChange) => service.update(ACTOR, given);
  return { db, store, service, serviceIn, change, activity, heard };
};

const authOf = ({ mail }: ConnectionsService): unknown => (mail!.server as { auth?: unknown }).auth;

test('without settings there is no mail server, no sign-in provider and no allowed host', (t) => {
  const { service } = setUp(t);
  assert.deepEqual(
    [service.mail, service.provider('provider_a'), service.provider('provider_b'), service.allowedHosts],
    [undefined, undefined, undefined, []],
  );
});

test('addresses of a provider without trust setting are not trusted, also with settings of an older version', (t) => {
  const { db, store, serviceIn } = setUp(t);
  const { provider_a_owns_addresses: a, provider_b_owns_addresses: b } = serviceIn({}).view();
  assert.deepEqual([a, b], [0, 0]);
  const id = (which: string) => ({ [`${which}_issuer`]: 'https://id.test', [`${which}_client_id`]: 'us' });
  db.write(() => store.put('connections', { ...id('provider_a'), ...id('provider_b') }));
  const service = serviceIn({});
  assert.deepEqual(
    (['provider_a', 'provider_b'] as const).map((which) => service.provider(which)?.ownsAddresses),
    [false, false],
  );
});

test('the mail server is used as configured, with the configured sender', (t) => {
  const { service, change } = setUp(t, { mail_host: 'mail.test' });
  const starttls = { host: 'mail.test', port: 587, secure: false, requireTLS: true, ignoreTLS: false };
  assert.deepEqual(service.mail, { server: starttls, from: NOBODY });
  assert.equal(service.mail, service.mail, 'another object would be another mail server');
  change({ mail_security: 'tls', mail_port: 465 });
  assert.deepEqual(service.mail?.server, { ...starttls, port: 465, secure: true, requireTLS: false });
  change({ mail_security: 'none' });
  assert.deepEqual(service.mail?.server, { ...starttls, port: 465, requireTLS: false, ignoreTLS: true });
  const auth = () => authOf(service);
  change({ mail_user: 'shop', mail_password: 'secret' });
  assert.deepEqual([auth(), service.mail?.from], [{ user: 'shop', pass: 'secret' }, NOBODY]);
  change({ mail_user: 'shop@store.test' });
  assert.deepEqual([auth(), service.mail?.from], [{ user: 'shop@store.test', pass: 'secret' }, 'shop@store.test']);
  assert.equal(change({ mail_from: 'x@store.test' }).mail_password_set, 1);
  assert.equal(service.mail?.from, 'x@store.test');
  assert.equal(change({ mail_password: '' }).mail_password_set, 0);
  assert.deepEqual(auth(), { user: 'shop@store.test', pass: '' });
});

test('the mail password is sent only to its own mail server, and decrypts only with its key', (t) => {
  const { serviceIn, change } = setUp(t, { mail_host: 'mail.test', mail_user: 'shop', mail_password: 'secret' });
  const other = serviceIn({}, 'other');
  assert.deepEqual(authOf(other), { user: 'shop', pass: '' });
  assert.equal(other.view().mail_password_set, 0);
  assert.equal(change({ mail_host: 'mail.test' }).mail_password_set, 1);
  assert.equal(change({ mail_host: 'b.test', mail_password: 'new' }).mail_password_set, 1);
  assert.equal(change({ mail_host: 'c.test' }).mail_password_set, 0);
});

test('a mail server address from the environment is used unchanged, and shown as separate fields', (t) => {
  const { serviceIn } = setUp(t, { mail_host: 'stored.test', mail_user: 'stored', mail_password: 'secret' });
  for (const [smtp_url, host, port, security, user, isSecret] of [
    ['smtp://mail.test', 'mail.test', 587, 'starttls', '', 0],
    ['smtps://mail.test', 'mail.test', 465, 'tls', '', 0],
    ['SMTP:mail.test:2525', 'mail.test', 2525, 'starttls', '', 0],
    [' smtps://shop%40a.test:pw@mail.test:25 ', 'mail.test', 25, 'tls', 'shop@a.test', 1],
    ['nonsense', '', 587, 'starttls', '', 0],
  ] as const) {
    const service = serviceIn({ smtp_url });
    const { mail_host, mail_port, mail_security, mail_user, mail_password_set } = service.view();
    assert.deepEqual(
      [mail_host, mail_port, mail_security, mail_user, mail_password_set],
      [host, port, security, user, isSecret],
      smtp_url,
    );
    assert.deepEqual(service.mail, { server: smtp_url, from: user || NOBODY });
  }
});

const SAMPLES: Required<ConnectionsChange> = {
  mail_host: 'mail.test',
  mail_port: 25,
  mail_security: 'none',
  mail_user: 'u',
  mail_password: 'p',
  mail_from: 'x@store.test',
  provider_a_issuer: 'https://a.test',
  provider_a_client_id: 'a',
  provider_a_owns_addresses: 1,
  provider_b_issuer: 'https://b.test',
  provider_b_client_id: 'b',
  provider_b_tenant_id: 't',
  provider_b_profile_url: 'https://b.test/me',
  provider_b_owns_addresses: 1,
  allowed_hosts: ['nas.test'],
};

test('settings from the environment cannot be changed, and all other settings can', (t) => {
  const { serviceIn } = setUp(t);
  const mail = Object.keys(SAMPLES).slice(0, 5);
  for (const [environment, fixed, named, members] of [
    [{}, [], '', []],
    [{ smtp_url: 'smtp://mail.test' }, ['mail'], 'VITRINE_SMTP_URL', mail],
    [{ mail_from: 'y@store.test' }, ['mail_from'], 'VITRINE_MAIL_FROM', ['mail_from']],
    [{ provider_a_issuer: 'https://a.test' }, ['provider_a'], 'VITRINE_PROVIDER_A_…', 'provider_a_'],
    [{ provider_a_client_id: 'a' }, ['provider_a'], 'VITRINE_PROVIDER_A_…', 'provider_a_'],
    [{ provider_b_issuer: 'https://b.test' }, ['provider_b'], 'VITRINE_PROVIDER_B_…', 'provider_b_'],
    [{ provider_b_client_id: 'b' }, ['provider_b'], 'VITRINE_PROVIDER_B_…', 'provider_b_'],
    [{ provider_b_tenant_id: 't', allowed_hosts: ['a.test'] }, [], '', []],
  ] as const) {
    const service = serviceIn(environment as Partial<Environment>);
    assert.deepEqual(service.view().fixed, fixed);
    for (const [member, value] of Object.entries(SAMPLES)) {
      const isFixed = typeof members === 'string' ? member.startsWith(members) : members.some((one) => one === member);
      const update = () => service.update(ACTOR, { [member]: value });
      if (isFixed) assert.throws(update, { status: 409, message: new RegExp(`^${member} .*${named}`) });
      else assert.ok(update());
    }
  }
});

test('a provider in the environment replaces the stored one completely', (t) => {
  const { serviceIn, service } = setUp(t, SAMPLES);
  assert.deepEqual(service.provider('provider_a'), { issuer: 'https://a.test', clientId: 'a', ownsAddresses: true });
  assert.deepEqual(service.provider('provider_b'), {
    ...{ issuer: 'https://b.test', clientId: 'b', tenantId: 't' },
    ...{ profileUrl: 'https://b.test/me', ownsAddresses: true },
  });
  const half = serviceIn({ provider_a_client_id: 'e', provider_b_issuer: 'https://e.test' });
  assert.deepEqual([half.provider('provider_a'), half.provider('provider_b')], [undefined, undefined]);
  const { provider_b_tenant_id, provider_b_owns_addresses, provider_a_issuer, mail_from } = half.view();
  assert.deepEqual([provider_b_tenant_id, provider_b_owns_addresses, provider_a_issuer], ['', 0, '']);
  assert.equal(mail_from, 'x@store.test');
  const whole = serviceIn({
    ...{ provider_a_issuer: 'https://e.test', provider_a_client_id: 'e', provider_a_owns_addresses: true },
    ...{ provider_b_issuer: 'https://e.test', provider_b_client_id: 'e', provider_b_owns_addresses: false },
    mail_from: 'e@store.test',
  });
  assert.deepEqual(whole.provider('provider_a'), { issuer: 'https://e.test', clientId: 'e', ownsAddresses: true });
  assert.equal(whole.provider('provider_b')?.ownsAddresses, false);
  assert.deepEqual([whole.view().mail_from, whole.mail?.from], ['e@store.test', 'e@store.test']);
});

test('trust in a provider’s addresses ends when the provider changes, unless the change sets it again', (t) => {
  const { change } = setUp(t, SAMPLES);
  for (const [which, member] of [
    ['provider_a', 'provider_a_issuer'],
    ['provider_b', 'provider_b_issuer'],
    ['provider_b', 'provider_b_tenant_id'],
    ['provider_b', 'provider_b_profile_url'],
  ] as const) {
    const owns = `${which}_owns_addresses` as const;
    assert.equal(change({ [owns]: 1, [`${which}_client_id`]: 'n', [member]: SAMPLES[member] })[owns], 1);
    assert.equal(change({ [member]: 'https://n.test' })[owns], 0, member);
    assert.equal(change({ [member]: SAMPLES[member], [owns]: 1 })[owns], 1);
  }
});

test('allowed hosts are the hosts of the environment plus, without duplicates, the stored hosts', async (t) => {
  const { db, serviceIn, change, activity, heard } = setUp(t);
  assert.deepEqual(change({ allowed_hosts: ['b.test', 'a.test', 'b.test'] }).allowed_hosts, ['b.test', 'a.test']);
  const service = serviceIn({ allowed_hosts: ['e.test'] });
  assert.deepEqual(service.allowedHosts, ['e.test', 'b.test', 'a.test']);
  assert.deepEqual(service.view().fixed_hosts, ['e.test']);
  await db.durable();
  assert.deepEqual([activity.at(-1), heard.at(-1)], ['server.updated: allowed_hosts', 'settings']);
});

test('connection settings are cached until the cache is cleared, and malformed stored settings count as empty', (t) => {
  const { db, store, service } = setUp(t, { mail_host: 'mail.test' });
  assert.ok(service.mail);
  db.write(() => store.put('connections', { mail_host: '' }));
  assert.ok(service.mail);
  service.forget();
  assert.equal(service.mail, undefined);
  db.write(() => store.put('connections', { mail_host: 'mail.test', mail_port: 'none' }));
  service.forget();
  assert.equal(service.view().mail_host, '');
});

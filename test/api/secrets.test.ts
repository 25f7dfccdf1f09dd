/**
 * Secrets are never returned: a test secret is entered wherever an administrator can enter one, and searched in
 * everything that can be read.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isStream } from '../../shared/contract/endpoint.ts';
import { ownedSite, startSite, tempFolder } from '../harness.ts';
import { must, person } from '../people.ts';
import { rightful, send } from './examples.ts';
import { nameOf, openWalk } from './walk.ts';

const MARK = 'qJ7planted';
const marked = (what: string): string => `${MARK}-${what}`;
const walk = openWalk();

const PLANTED: Record<string, Record<string, unknown>> = {
  '/api/server/connections': { mail_host: 'mail.store.test', mail_user: 'shop', mail_password: marked('mail') },
  '/api/server/upkeep': {
    webhook_url: `http://${marked('user')}:${marked('password')}@127.0.0.1:9/${marked('path')}?key=${marked('query')}#${marked('hash')}`,
    webhook_secret: marked('signature'),
    mqtt_url: `ws://${marked('broker')}:${marked('pass')}@127.0.0.1:9/${marked('topic')}?token=${marked('token')}`,
    mqtt_username: 'shop',
    mqtt_password: marked('mqtt'),
  },
};

test('no GET of an administrator, no log and no file contains an entered secret', async () => {
  const { store } = walk;
  const { staff } = store.people;
  for (const [path, body] of Object.entries(PLANTED)) {
    const answer = await store.site.call('PUT', path, { token: staff.token, body });
    assert.equal(JSON.stringify(must(answer)).includes(MARK), false, path);
  }
  // The connections that use the secrets fail, and each failure is reported and logged.
  must(await store.site.call('POST', '/api/server/upkeep/test', { token: staff.token, body: {} }));
  must(await store.site.call('POST', '/api/server/connections/test-mail', { token: staff.token, body: {} }));
  must(await store.site.call('POST', '/api/server/backups', { token: staff.token, body: { complete: true } }), 201);
  await walk.each(
    (endpoint) => endpoint.method === 'GET',
    (endpoint) =>
      send(store, endpoint, { token: endpoint.access.kind === 'session' ? staff.token : rightful(store, endpoint) }),
    ({ body }, endpoint) =>
      (isStream(endpoint.response) ? String(body) : JSON.stringify(body)).includes(MARK) &&
      `${nameOf(endpoint)} names a secret`,
  );
  assert.equal((await (await fetch(`${store.site.origin}/metrics`)).text()).includes(MARK), false);
  const files = readdirSync(store.site.data, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const leaking = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(MARK));
  assert.deepEqual(
    leaking.map(({ name }) => name),
    [],
  );
});

test('secret address is shown only up to its host name, and the shown form is accepted as unchanged', async () => {
  const { store } = walk;
  const put = (body: Record<string, unknown>) =>
    store.site.call('PUT', '/api/server/upkeep', { token: store.people.staff.token, body });
  for (const [url, secret, scheme] of [
    ['webhook_url', 'webhook_secret', 'http:'],
    ['mqtt_url', 'mqtt_password', 'mqtt:'],
  ] as const) {
    const set = `${secret}_set`;
    const cases: [address: string, shown: string][] = [
      ['', ''],
      [`${scheme}//127.0.0.1:9`, `${scheme}//127.0.0.1:9`],
      [`${scheme}//127.0.0.1:9/`, `${scheme}//127.0.0.1:9/`],
      [`${scheme}//127.0.0.1:9/hook`, `${scheme}//127.0.0.1:9/…`],
      [`${scheme}//127.0.0.1:9?a`, `${scheme}//127.0.0.1:9/…`],
      [`${scheme}//name@127.0.0.1:9`, `${scheme}//127.0.0.1:9/…`],
      [`${scheme}//:word@127.0.0.1:9/`, `${scheme}//127.0.0.1:9/…`],
    ];
    for (const [address, shown] of cases) assert.equal(must(await put({ [url]: address }))[url], shown, address);
    must(await put({ [url]: `${scheme}//127.0.0.1:9/kept`, [secret]: 'between us' }));
    const back = must(await put({ [url]: `${scheme}//127.0.0.1:9/…`, backup_hour: 4 }));
    assert.deepEqual([back[url], back[set], back.backup_hour], [`${scheme}//127.0.0.1:9/…`, 1, 4]);
    for (const wrong of [`${scheme}//127.0.0.2:9/…`, `${scheme}//127.0.0.1:9/…/more`]) {
      const refused = await put({ [url]: wrong });
      assert.deepEqual([refused.status, refused.body.error.includes(url)], [400, true], wrong);
    }
    assert.equal(must(await put({ [url]: `${scheme}//127.0.0.1:9/other` }))[set], 1, 'the same host');
    assert.equal(must(await put({ [url]: `${scheme}//127.0.0.1:8/other` }))[set], 0, 'another port');
    assert.equal(must(await put({ [url]: `${scheme}//127.0.0.3:9`, [secret]: 'again' }))[set], 1, 'given with it');
    assert.equal(must(await put({ [url]: '' }))[set], 0, 'nowhere');
  }
});

test('secret that an older version stored in plain text still works, and is encrypted at the start', async (t) => {
  const data = tempFolder(t);
  const before = await startSite(t, { data });
  const owner = await person(before, 'owner@store.test');
  const plain = {
    webhook_url: `http://127.0.0.1:9/${marked('old')}`,
    webhook_secret: marked('old secret'),
    mqtt_url: '',
    mqtt_password: marked('p'),
    backup_hour: 5,
  };
  before.app.db.raw
    .prepare("INSERT OR REPLACE INTO settings (key, value) VALUES ('upkeep', ?)")
    .run(JSON.stringify(plain));
  await before.app.stop();
  const site = await startSite(t, { data });
  assert.equal(
    String(site.app.db.raw.prepare("SELECT value FROM settings WHERE key = 'upkeep'").pluck().get()).includes(MARK),
    false,
  );
  const view = must(await site.call('GET', '/api/server/upkeep', { token: owner.token }));
  assert.deepEqual(
    [view.webhook_url, view.webhook_secret_set, view.mqtt_password_set, view.backup_hour],
    ['http://127.0.0.1:9/…', 1, 1, 5],
  );
});

test('address of the mail server from the environment is shown without its password in any notation', async (t) => {
  for (const url of [
    `smtp://shop:${MARK}@mail.store.test:2525`,
    `smtp:shop:${MARK}@mail.store.test:2525`,
    ` smtps://shop:${MARK}@mail.store.test`,
  ]) {
    const { site, owner } = await ownedSite(t, { env: { VITRINE_SMTP_URL: url } });
    const view = must(await site.call('GET', '/api/server/connections', { token: owner.token }));
    assert.deepEqual(
      [view.mail_host, view.mail_user, view.mail_password_set, JSON.stringify(view).includes(MARK)],
      ['mail.store.test', 'shop', 1, false],
      url,
    );
    assert.equal(
      (
        await site.call('PUT', '/api/server/connections', {
          token: owner.token,
          body: { provider_a_issuer: `https://a:${MARK}@idp.test` },
        })
      ).status,
      400,
    );
    await site.app.stop();
  }
});

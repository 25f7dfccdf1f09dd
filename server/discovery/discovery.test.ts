import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceRecord } from 'bonjour-service/dist/lib/service.js';
import { Bus } from '../kernel/bus.ts';
import { Discovery } from './discovery.ts';
import type { LinkEvents } from './link.ts';

const SMALL = '11111111-1111-4111-8111-111111111111';
const LARGE = 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee';

/** A fake network that records what is sent. */
const setUp = (id = SMALL) => {
  const said: { address: string; what: 'announce' | 'say'; records: readonly ServiceRecord[] }[] = [];
  const links = new Map<string, LinkEvents>();
  const warnings: string[] = [];
  const state = {
    addresses: ['127.0.0.1', '192.168.1.5'],
    facts: { name: 'Bakery', isSetUp: false },
    broken: new Set<string>(),
  };
  const bus = new Bus((_event, error) => assert.fail(String(error)));
  const discovery = new Discovery({
    identity: { id, fingerprint: 'ab12' },
    version: '0.1.0',
    host: '0.0.0.0',
    port: () => 8710,
    facts: () => state.facts,
    bus,
    log: { info: () => {}, warn: (message) => warnings.push(message) },
    addresses: () => state.addresses,
    open: (address, events) => {
      if (state.broken.has(address)) throw new Error('no multicast');
      links.set(address, events);
      return {
        announce: (records) => said.push({ address, what: 'announce', records }),
        send: async (records) => void said.push({ address, what: 'say', records }),
        close: () => links.delete(address),
      };
    },
  });
  return { discovery, said, links, warnings, state, bus };
};

const names = (records: readonly ServiceRecord[]) =>
  records.filter((record) => record.name === '_vitrine._tcp.local').map((record) => `${record.data} ${record.ttl}`);
const txt = (records: readonly ServiceRecord[]) => records.find((record) => record.type === 'TXT')?.data as string[];

test('discovery announces on every interface at start and sends a goodbye on every interface at stop', async () => {
  const { discovery, said, links } = setUp();
  assert.equal(said.length, 0);
  discovery.start();
  assert.deepEqual(
    said.map(({ address, what }) => `${what} ${address}`),
    ['announce 127.0.0.1', 'announce 192.168.1.5'],
  );
  said.length = 0;
  await discovery.stop();
  assert.deepEqual(
    said.map(({ address, records }) => `${address} ${names(records)}`),
    ['127.0.0.1 Bakery._vitrine._tcp.local 0', '192.168.1.5 Bakery._vitrine._tcp.local 0'],
  );
  assert.equal(links.size, 0);
});

test('announced field `setup` becomes 0 when the first user exists, and discovery sends nothing without a change', async (t) => {
  const { discovery, said, state, bus } = setUp();
  discovery.start();
  t.after(() => discovery.stop());
  said.length = 0;
  bus.emit('accountsChanged');
  assert.equal(said.length, 0);
  state.facts = { name: 'Bakery', isSetUp: true };
  bus.emit('accountsChanged');
  assert.equal(said.length, 2);
  assert.ok(txt(said[0]!.records).includes('setup=0'));
});

test('new name of the store withdraws the old name from the network', async (t) => {
  const { discovery, said, state, bus } = setUp();
  discovery.start();
  t.after(() => discovery.stop());
  said.length = 0;
  state.facts = { name: 'Café', isSetUp: false };
  bus.emit('changed', { workspaceId: 'w', topic: 'settings' });
  assert.deepEqual(
    said.filter(({ address }) => address === '127.0.0.1').map(({ records }) => names(records)[0]),
    ['Bakery._vitrine._tcp.local 0', 'Café._vitrine._tcp.local 4500'],
  );
});

test('server is announced on a new network interface, and the link of a removed interface is closed', async (t) => {
  const { discovery, said, links, state } = setUp();
  discovery.start();
  t.after(() => discovery.stop());
  said.length = 0;
  state.addresses = ['127.0.0.1', '10.0.0.7'];
  discovery.update();
  assert.deepEqual(
    said.map(({ address }) => address),
    ['10.0.0.7'],
  );
  assert.deepEqual([...links.keys()], ['127.0.0.1', '10.0.0.7']);
});

test('network interface without multicast is reported once and retried, without an exception', async (t) => {
  const { discovery, said, warnings, state, links } = setUp();
  state.broken.add('192.168.1.5');
  discovery.start();
  t.after(() => discovery.stop());
  discovery.update();
  assert.equal(warnings.length, 1);
  state.broken.clear();
  discovery.update();
  assert.equal(said.at(-1)?.address, '192.168.1.5');
  links.get('192.168.1.5')?.onFailure(new Error('gone'));
  assert.deepEqual([...links.keys()], ['127.0.0.1']);
});

test('of two servers with the same name, the server with the smaller id keeps the name and announces it', async (t) => {
  const { discovery, said, links } = setUp(SMALL);
  discovery.start();
  t.after(() => discovery.stop());
  said.length = 0;
  links.get('127.0.0.1')?.onClaim({ service: 'bakery._vitrine._tcp.local', host: 'vitrine-eeeeeeeeeeee.local' });
  assert.deepEqual(names(said[0]!.records), ['Bakery._vitrine._tcp.local 4500']);
  const before = said.length;
  links.get('127.0.0.1')?.onClaim({ service: 'bakery._vitrine._tcp.local', host: 'vitrine-eeeeeeeeeeee.local' });
  assert.equal(said.length, before, 'it answers once a second at most');
});

test('of two servers with the same name, the server with the larger id adds a suffix, without a goodbye', async (t) => {
  const { discovery, said, links } = setUp(LARGE);
  discovery.start();
  t.after(() => discovery.stop());
  said.length = 0;
  links.get('127.0.0.1')?.onClaim({ service: 'Bakery._vitrine._tcp.local', host: 'vitrine-111111111111.local' });
  assert.deepEqual(
    said.map(({ what, records }) => `${what} ${names(records)}`),
    ['announce Bakery (eeee)._vitrine._tcp.local 4500', 'announce Bakery (eeee)._vitrine._tcp.local 4500'],
  );
});

test('discovery ignores its own announcement that arrives on another network interface', async (t) => {
  const { discovery, said, links } = setUp();
  discovery.start();
  t.after(() => discovery.stop());
  said.length = 0;
  links.get('127.0.0.1')?.onClaim({ service: 'Bakery._vitrine._tcp.local', host: 'vitrine-111111111111.local' });
  assert.equal(said.length, 0);
});

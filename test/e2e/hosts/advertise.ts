/**
 * A process that only announces a server. Call: `advertise.ts ID NAME`. Lines on stdin change the announcement:
 * `set-up`, `name …`, `stop`.
 */
import { createInterface } from 'node:readline';
import { Discovery } from '../../../server/discovery/discovery.ts';
import { Bus } from '../../../server/kernel/bus.ts';

const [id = '', name = ''] = process.argv.slice(2);
const facts = { name, isSetUp: false };
const bus = new Bus((_event, error) => console.error(error));
const log = { info: () => {}, warn: (message: string, detail?: unknown) => console.error(message, detail) };
const discovery = new Discovery({
  identity: { id, fingerprint: 'ab12' },
  version: '0.1.0',
  host: '0.0.0.0',
  port: () => 8710,
  facts: () => facts,
  bus,
  log,
});
discovery.start();
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'set-up') facts.isSetUp = true;
  if (line.startsWith('name ')) facts.name = line.slice(5);
  bus.emit('accountsChanged');
  if (line === 'stop') break;
}
await discovery.stop();
process.exit(0);

/**
 * `node site-elsewhere.ts ADDRESS`: runs the fake server as a program of its own, as on another host. Prints the
 * server's address, then the address that a player reports.
 */
import { FakeSite } from './fake-server.ts';

const site = new FakeSite();
process.stdout.write(`${await site.start(0, process.argv[2])}\n`);
const heard = await site.heard(
  'an address',
  (message) => message.type === 'heartbeat' && message.telemetry?.local_ip !== undefined,
);
process.stdout.write(`${heard.type === 'heartbeat' ? heard.telemetry?.local_ip : ''}\n`);

/**
 * A host that looks for servers: each time what it sees changes, one line of JSON. `player`: as the player sees it;
 * `services`: as DNS-SD has it.
 */
import { Bonjour } from 'bonjour-service';
import { Discovery } from '../../../player/agent/discovery.ts';
import { multicastAddresses } from '../../../player/agent/interfaces.ts';
import { nodeTime, stderrLog } from '../../../player/agent/node-ports.ts';

export interface Seen {
  readonly player: readonly { origin: string; name: string; setup: boolean; id: string; fingerprint: string }[];
  readonly services: readonly {
    name: string;
    port: number;
    host: string;
    addresses: readonly string[];
    txt: Record<string, string>;
  }[];
}

const discovery = new Discovery({ time: nodeTime, log: stderrLog });
discovery.start();
const browsers = multicastAddresses().map((address) =>
  new Bonjour({ interface: address, bind: '0.0.0.0' } as object).find({ type: 'vitrine' }),
);

let told = '';
setInterval(() => {
  const seen: Seen = {
    player: discovery.sightings.map(({ origin, name, setup, server }) => ({
      origin,
      name,
      setup,
      id: server.id,
      fingerprint: server.fingerprint,
    })),
    services: browsers.flatMap((browser) =>
      browser.services.map(({ name, port, host, addresses, txt }) => ({
        name,
        port,
        host,
        addresses: addresses ?? [],
        txt,
      })),
    ),
  };
  const line = JSON.stringify(seen);
  if (line !== told) console.log(line);
  told = line;
}, 50);
// The player asks again by itself; the plain browsers must see changes without being asked to look.

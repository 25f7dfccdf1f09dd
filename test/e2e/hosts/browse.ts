/**
 * A process that searches for servers and prints one line of JSON at each change. `player`: the list as the player sees
 * it; `services`: the DNS-SD records.
 */
import { Bonjour } from 'bonjour-service';
import { Discovery } from '../../../player/agent/discovery.ts';
import { multicastAddresses } from '../../../player/agent/machine/interfaces.ts';
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
// Nothing starts a new query here: the player repeats its query itself, and the plain DNS-SD browsers must see changes
// without one.

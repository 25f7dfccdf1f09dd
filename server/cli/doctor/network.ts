/** Checks that screens can find and reach this machine. */
import { createSocket } from 'node:dgram';
import { get } from 'node:http';
import { workingVersion } from '../../../shared/contract/server/health.ts';
import { lanAddresses, multicastAddresses } from '../../discovery/addresses.ts';
import { type At, type Check, checkOf, type Look, portTrouble } from './check.ts';

const check = checkOf('network');
const MDNS = { address: '224.0.0.251', port: 5353 } as const;
const LISTEN_MS = 1500;

export const network: Look = async (at) => [
  addresses(),
  await serverOn(at),
  ...(await Promise.all(multicastAddresses('0.0.0.0').map(multicast))),
];

const addresses = (): Check => {
  const found = lanAddresses();
  if (found.length === 0)
    return check('bad', 'This computer has no address on a network. Is the cable in, or the Wi-Fi on?');
  const makeshift = found.every((address) => address.startsWith('169.254.'));
  if (makeshift)
    return check(
      'warn',
      `The network gave this computer no address; it made up ${found.join(', ')}. Screens with such addresses find it, others do not. Is there a router?`,
    );
  return check('ok', `Addresses: ${found.join(', ')}`);
};

/** Checks which server answers on the HTTP port, or whether the port is free. */
export const serverOn = async ({ data, port, inUse }: At): Promise<Check> => {
  const error = await portTrouble(port);
  if (!error) {
    if (!inUse) return check('ok', `Port ${port} is free; no server is running on it`);
    return check(
      'warn',
      `A server uses ${data}, but nothing listens on port ${port}. Is it starting, or was another port meant (--port)?`,
    );
  }
  if (error.code === 'EACCES')
    return check('bad', `This user may not listen on port ${port}. Choose one above 1023 (--port).`);
  const version = workingVersion(await ask(`http://127.0.0.1:${port}/api/health`));
  if (version !== undefined && inUse) return check('ok', `A Vitrine server (${version}) is running on port ${port}`);
  if (version !== undefined)
    return check(
      'bad',
      `A Vitrine server (${version}) is running on port ${port}, but not with ${data}. Name its folder with --data; or give this one another port (--port, VITRINE_PORT).`,
    );
  return check(
    'bad',
    `Port ${port} is taken by another program. Stop it, or choose another port (--port, VITRINE_PORT).`,
  );
};

const ask = (url: string): Promise<unknown> =>
  new Promise((done) => {
    const req = get(url, { timeout: 2000 }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => {
        if (text.length < 10_000) text += part;
      });
      res.on('end', () => {
        try {
          done(JSON.parse(text));
        } catch {
          done(undefined);
        }
      });
    });
    req.on('timeout', () => req.destroy());
    req.on('error', () => done(undefined));
  });

/**
 * Sends a query for servers on one interface. If this computer receives its own query, multicast works in both
 * directions.
 */
const multicast = (address: string): Promise<Check> =>
  new Promise((done) => {
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    const servers = new Set<string>();
    let heard = false;
    const query = question('_vitrine._tcp.local');
    const finish = (failure?: Error) => {
      clearTimeout(timer);
      socket.close();
      if (failure)
        done(
          check(
            'warn',
            `mDNS cannot be used on ${address} (${failure.message}). Screens there must be given the server's address (--server).`,
          ),
        );
      else if (!heard)
        done(
          check(
            'bad',
            `mDNS is blocked on ${address}: what is sent to ${MDNS.address}:${MDNS.port} does not come back. Allow it in the firewall, or give screens the server's address (--server).`,
          ),
        );
      else
        done(
          check(
            'ok',
            `mDNS works on ${address}${servers.size > 0 ? `; servers heard: ${[...servers].join(', ')}` : ''}`,
          ),
        );
    };
    const timer = setTimeout(() => finish(), LISTEN_MS);
    socket.once('error', finish);
    socket.on('message', (message, from) => {
      if (message.equals(query)) heard = true;
      // Matches an answer that contains the name of the service.
      else if (message.length > 3 && (message[2]! & 0x80) !== 0 && message.includes('\x08_vitrine'))
        servers.add(from.address);
    });
    socket.bind(MDNS.port, () => {
      try {
        socket.addMembership(MDNS.address, address);
        socket.setMulticastInterface(address);
        socket.setMulticastLoopback(true);
        socket.send(query, MDNS.port, MDNS.address);
      } catch (error) {
        finish(error as Error);
      }
    });
  });

const question = (name: string): Buffer => {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]), ...labels, Buffer.from([0, 0, 12, 0, 1])]);
};

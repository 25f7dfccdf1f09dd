/**
 * Speaks mDNS on one network interface, by a multicast socket that names it: in a network without a default route a
 * socket that names none sends nothing.
 */
import { Server } from 'bonjour-service/dist/lib/mdns-server.js';
import type { ServiceRecord } from 'bonjour-service/dist/lib/service.js';

/** A goodbye that the network does not take in this time is not waited for. */
const SEND_LIMIT_MS = 500;

export interface LinkEvents {
  /** Hears that a server at `host` (a name in lower case) answers to this service name. */
  onClaim(claim: { service: string; host: string }): void;
  /** Hears that the link is of no use (any more). */
  onFailure(error: Error): void;
}

export interface Link {
  /** Says these records now and answers questions with them; what was said before is no longer answered. */
  announce(records: readonly ServiceRecord[]): void;
  /** Says these records once. Resolves when they are on the wire, or cannot be. */
  say(records: readonly ServiceRecord[]): Promise<void>;
  close(): void;
}

export type OpenLink = (address: string, events: LinkEvents) => Link;

interface Packet {
  readonly answers: readonly ServiceRecord[];
  readonly additionals: readonly ServiceRecord[];
}

/** @param address is the interface's own IPv4 address */
export const openLink: OpenLink = (address, { onClaim, onFailure }) => {
  // The socket is bound to every address: on Linux one bound to a unicast address hears no multicast. What it sends
  // leaves by `interface`.
  const options = { interface: address, bind: '0.0.0.0', reuseAddr: true };
  // This is the class behind `Bonjour`, which itself offers neither per-interface addresses, nor a change of TXT, nor
  // its socket's errors.
  const server = new Server(options as object, onFailure);
  server.mdns.on('error', onFailure);
  server.mdns.on('warning', (error: NodeJS.ErrnoException) => {
    // Somebody's malformed packet is a warning too, but not one of the system, and no failure of ours.
    if (error.syscall) onFailure(error);
  });
  server.mdns.on('response', ({ answers, additionals }: Packet) => {
    for (const record of [...answers, ...additionals]) {
      if (record.type === 'SRV' && record.ttl > 0)
        onClaim({ service: record.name, host: String(record.data.target).toLowerCase() });
    }
  });
  let said: readonly ServiceRecord[] = [];
  const say = (records: readonly ServiceRecord[]): Promise<void> =>
    new Promise((done) => {
      const timer = setTimeout(done, SEND_LIMIT_MS);
      // The records are copied, because the library writes into what it sends.
      server.mdns.respond([...records], () => {
        clearTimeout(timer);
        done();
      });
    });
  return {
    announce(records) {
      server.unregister([...said]);
      server.register([...records]);
      said = records;
      void say(records);
    },
    say,
    close: () => server.mdns.destroy(),
  };
};

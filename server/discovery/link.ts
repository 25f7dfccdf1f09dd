/**
 * mDNS on one network interface. The multicast socket names its interface, because without a default route a socket
 * without an interface sends nothing.
 */
import { Server } from 'bonjour-service/dist/lib/mdns-server.js';
import type { ServiceRecord } from 'bonjour-service/dist/lib/service.js';

/** Maximum time in milliseconds to wait until a goodbye is sent. */
const SEND_LIMIT_MS = 500;

export interface LinkEvents {
  /** Called when a server at `host` (lower case) answers for this service name. */
  onClaim(claim: { service: string; host: string }): void;
  /** Called when the link does not work or no longer works. */
  onFailure(error: Error): void;
}

export interface Link {
  /** Announces these records and answers queries with them, replacing earlier records. */
  announce(records: readonly ServiceRecord[]): void;
  /** Sends these records once. Resolves when they are sent, or cannot be sent. */
  send(records: readonly ServiceRecord[]): Promise<void>;
  close(): void;
}

export type OpenLink = (address: string, events: LinkEvents) => Link;

interface Packet {
  readonly answers: readonly ServiceRecord[];
  readonly additionals: readonly ServiceRecord[];
}

/** @param address IPv4 address of the interface */
export const openLink: OpenLink = (address, { onClaim, onFailure }) => {
  // The socket is bound to all addresses, because on Linux a socket bound to a unicast address receives no multicast.
  // The socket sends on `interface`.
  const options = { interface: address, bind: '0.0.0.0', reuseAddr: true };
  // Uses the class behind `Bonjour`, because `Bonjour` itself supports neither addresses per interface, nor TXT
  // changes, nor socket errors.
  const server = new Server(options as object, onFailure);
  server.mdns.on('error', onFailure);
  server.mdns.on('warning', (error: NodeJS.ErrnoException) => {
    // Ignores warnings that are not errors of the system: the library also warns about malformed packets of other
    // devices.
    if (error.syscall) onFailure(error);
  });
  server.mdns.on('response', ({ answers, additionals }: Packet) => {
    for (const record of [...answers, ...additionals]) {
      if (record.type === 'SRV' && record.ttl > 0)
        onClaim({ service: record.name, host: String(record.data.target).toLowerCase() });
    }
  });
  let said: readonly ServiceRecord[] = [];
  const send = (records: readonly ServiceRecord[]): Promise<void> =>
    new Promise((done) => {
      const timer = setTimeout(done, SEND_LIMIT_MS);
      // The records are copied, because the library modifies the records that it sends.
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
      void send(records);
    },
    send,
    close: () => server.mdns.destroy(),
  };
};

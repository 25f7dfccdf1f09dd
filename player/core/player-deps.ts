/** Dependencies of the player that its host provides. */
import type { OwnCode, OwnCodeDeps } from './connection/own-code.ts';
import type { AssetStore } from './files/asset-store.ts';
import type { JournalStore } from './journal/journal.ts';
import type { AddressBook, ConnectSocket, Get, Host } from './ports.ts';

export interface PlayerDeps extends Host {
  readonly assetStore: AssetStore;
  readonly journalStore: JournalStore;
  readonly connect: ConnectSocket;
  readonly get: Get;
  /** `connect` and `get` can pin an https or wss connection to a certificate. @default false, as in a browser */
  readonly pins?: boolean;
  /**
   * Creates the own code for networks with more than one server. Absent if only one server is possible, as in a
   * browser.
   */
  readonly ownCode?: (deps: OwnCodeDeps) => OwnCode;
  readonly addresses: AddressBook;
  /** The player must be claimed with a code that was set beforehand; needs `ownCode`. */
  readonly hasCode?: boolean;
  readonly device: { readonly name: string; readonly platform: string; readonly version: string };
  readonly quotaBytes: number;
  /** Time in ms that the first hello waits for the size of the screen; 0 if no screen will come. */
  readonly awaitScreenMs: number;
  /** True if a page is expected to connect although no page is connected now. @default never */
  readonly screenDue?: () => boolean;
  /**
   * Called when this player's estimate of the server's clock has jumped. Parts that depend on the clock should check it
   * again.
   */
  readonly clockStepped: () => void;
}

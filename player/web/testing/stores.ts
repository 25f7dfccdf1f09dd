/** Makes the stores of the web player available in the page of a test. */
import { sha256 } from '@noble/hashes/sha2.js';
import { browserCrypto } from '../browser-ports.ts';
import { Database } from '../storage/database.ts';
import { IdbAssets } from '../storage/idb-assets.ts';
import { IdbDocuments } from '../storage/idb-documents.ts';
import { IdbJournal } from '../storage/idb-journal.ts';

async function stores() {
  const lost: string[] = [];
  const db = await Database.open({ lost: () => lost.push('lost') });
  const removed: string[] = [];
  const assets = new IdbAssets({
    db,
    wall: () => Date.now(),
    estimate: undefined,
    removed: (name) => removed.push(name),
  });
  return { db, lost, removed, assets, documents: new IdbDocuments(db, 'documents'), journal: new IdbJournal(db) };
}

Object.assign(globalThis, { stores, crypto1: browserCrypto, sha256 });

export type Stores = Awaited<ReturnType<typeof stores>>;

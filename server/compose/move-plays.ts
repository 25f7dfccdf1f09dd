/** Moves the plays of a stopped headquarters to PostgreSQL (`vitrine hq move`). */
import { join } from 'node:path';
import { CommandFailed } from '../cli/command.ts';
import { openDatabase, requireStore } from '../db/open.ts';
import { connectTo, placeOf, wordsOf } from '../headquarters/plays/pg-connection.ts';
import { copyInto } from '../headquarters/plays/pg-copy.ts';
import { type About, acquireWriterLock, examine, migrate, Unfit } from '../headquarters/plays/pg-schema.ts';
import { WarehouseCopyStore } from '../headquarters/plays/warehouse-copy.store.ts';
import { WarehouseHomeStore } from '../headquarters/plays/warehouse-home.store.ts';
import { loadIdentity } from '../identity.ts';
import { lockFolder } from '../upkeep/disk/folder-lock.store.ts';

interface Move {
  /** The data folder. */
  readonly data: string;
  readonly url: string;
  readonly say: Parameters<typeof copyInto>[2];
}

/** @throws CommandFailed; FolderInUse while headquarters is running */
export const movePlays = async ({ data, url, say }: Move): ReturnType<typeof copyInto> => {
  const file = join(data, 'vitrine.db');
  requireStore(file);
  const release = lockFolder(data);
  try {
    const { fingerprint } = loadIdentity(data, { mayCreate: false });
    const db = openDatabase(file);
    try {
      return await movingTo(url, fingerprint, async (client, about) => {
        const home = new WarehouseHomeStore(db);
        if (about.hasPlays)
          throw new CommandFailed(
            home.database === about.database
              ? 'The plays of this headquarters are in that database already. Start it with --postgres.'
              : `The database at ${placeOf(url)} has plays already. Nothing was copied; give an empty one.`,
          );
        const copied = await copyInto(client, new WarehouseCopyStore(db), say);
        await home.moveTo(about.database);
        return copied;
      });
    } finally {
      db.close();
    }
  } finally {
    release();
  }
};

const movingTo = async <T>(
  url: string,
  fingerprint: string,
  work: (client: Awaited<ReturnType<typeof connectTo>>, about: About) => Promise<T>,
): Promise<T> => {
  const failed = (error: unknown): Error =>
    error instanceof CommandFailed
      ? error
      : new CommandFailed(
          `Nothing was moved. The database at ${placeOf(url)}: ${error instanceof Unfit ? error.message : wordsOf(error)}`,
        );
  const client = await connectTo(url, 'vitrine: move').catch((error: unknown) => {
    throw failed(error);
  });
  try {
    await examine(client, fingerprint);
    if (!(await acquireWriterLock(client))) throw new Unfit('Another headquarters uses it. Stop that one first.');
    return await work(client, await migrate(client, fingerprint));
  } catch (error) {
    throw failed(error);
  } finally {
    await client.end().catch(() => {});
  }
};

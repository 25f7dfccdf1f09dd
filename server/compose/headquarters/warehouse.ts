/** Opens the database of the plays of a headquarters: PostgreSQL or the data folder. */
import { ConfigError } from '../../config.ts';
import { PgConnection } from '../../headquarters/plays/pg-connection.ts';
import { type About, Unfit } from '../../headquarters/plays/pg-schema.ts';
import { PgWarehouse } from '../../headquarters/plays/pg-warehouse.ts';
import { SqliteWarehouse } from '../../headquarters/plays/sqlite-warehouse.ts';
import { WarehouseStore } from '../../headquarters/plays/warehouse.store.ts';
import type { Warehouse } from '../../headquarters/plays/warehouse.ts';
import { WarehouseHomeStore } from '../../headquarters/plays/warehouse-home.store.ts';
import type { Kernel } from '../kernel.ts';
import type { ReportingParts } from '../reporting.ts';

/** @throws ConfigError when the plays are in PostgreSQL but its address is not configured */
export const openWarehouse = (
  { db, config, identity, log }: Kernel,
  { threads }: Pick<ReportingParts, 'threads'>,
): { readonly warehouse: Warehouse; readonly postgres?: PgConnection } => {
  const home = new WarehouseHomeStore(db);
  if (config.postgres !== undefined) {
    const { fingerprint } = identity;
    const postgres = new PgConnection({ log, url: config.postgres, fingerprint, admit: (about) => admit(home, about) });
    return { warehouse: new PgWarehouse(postgres), postgres };
  }
  if (home.database !== undefined)
    throw new ConfigError(
      'The plays of this headquarters are in PostgreSQL: start it with --postgres and the address of that database.',
    );
  return { warehouse: new SqliteWarehouse({ db, store: new WarehouseStore(db), threads }) };
};

/**
 * Refuses a PostgreSQL database other than the one with the plays of this headquarters, and a database without plays
 * while the plays are still in the data folder.
 * @throws Unfit
 */
const admit = async (home: WarehouseHomeStore, { database, hasPlays }: About): Promise<void> => {
  if (home.database !== undefined && home.database !== database)
    throw new Unfit(
      'The database is not the one that contains the plays of this headquarters. Enter the address of that database. If that database is lost, run vitrine hq move; stores then send the plays again that they still have.',
    );
  if (home.database === undefined && home.hasPlays && !hasPlays)
    throw new Unfit(
      'The plays of this headquarters are still in its data folder. Stop headquarters, then move the plays: vitrine hq move',
    );
  await home.moveTo(database);
};

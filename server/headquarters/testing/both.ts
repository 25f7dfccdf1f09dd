/** For tests of rules that hold for both warehouses: headquarters’ own database, and a real PostgreSQL. */
import { after, before, type TestContext } from 'node:test';
import { noPostgres, Postgres } from '../../../test/chain/postgres.ts';
import { openPg } from './pg.ts';
import { openHq } from './rig.ts';

export interface Place {
  readonly where: string;
  /** Opens headquarters that stores its plays in this warehouse. */
  readonly openHq: (t: TestContext) => Promise<ReturnType<typeof openHq>>;
}

/** Returns both warehouses. Starts one PostgreSQL for the whole test file. */
export const bothPlaces = (): Place[] => {
  const endings: (() => unknown)[] = [];
  let postgres: Postgres | undefined;
  before(async () => {
    if (!noPostgres) postgres = await Postgres.open({ after: (work) => endings.push(work) });
  });
  after(async () => {
    for (const end of endings) await end();
  });
  const inPostgres: Place = {
    where: 'in PostgreSQL',
    openHq: async (t) => {
      const { warehouse } = openPg(t, await postgres!.database());
      return openHq(t, () => warehouse);
    },
  };
  return [{ where: 'in its own database', openHq: async (t) => openHq(t) }, ...(noPostgres ? [] : [inPostgres])];
};

/** For tests: the warehouse in a database of a running PostgreSQL. */
import type { Ending } from '../../../test/harness.ts';
import { PgConnection } from '../plays/pg-connection.ts';
import type { About } from '../plays/pg-schema.ts';
import { PgWarehouse } from '../plays/pg-warehouse.ts';

/** Returns the warehouse, its connection, and the log messages, the oldest first. */
export const openPg = (
  t: Ending,
  url: string,
  { fingerprint = 'AB:CD', admit = () => {} }: { fingerprint?: string; admit?: (about: About) => void } = {},
) => {
  const said: string[] = [];
  const say = (message: string, facts: Record<string, unknown> = {}) => {
    const why = facts['error'] instanceof Error ? facts['error'].message : facts['risk'];
    said.push([message, why].filter(Boolean).join(': '));
  };
  const line = new PgConnection({ url, fingerprint, admit, log: { debug: say, info: say, warn: say, error: say } });
  line.start();
  t.after(() => line.stop());
  return { line, said, warehouse: new PgWarehouse(line) };
};

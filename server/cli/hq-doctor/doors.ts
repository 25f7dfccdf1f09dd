/** Checks the addresses of headquarters that stores receive, by connecting to headquarters like a store. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lanAddresses } from '../../discovery/addresses.ts';
import { loadIdentity } from '../../identity.ts';
import { meet } from '../../store-link/connection/https-connection.ts';
import { type At, type Check, checkOf } from '../doctor/check.ts';

const check = checkOf('https');

export const doors = async ({
  data,
  inUse,
  httpsPort,
  host,
  names,
  given,
}: Pick<At, 'data' | 'inUse' | 'httpsPort'> & {
  readonly host: string;
  readonly names: readonly string[];
  /**
   * Addresses that the running headquarters has recorded. They may differ from the addresses in this command's
   * environment.
   */
  readonly given: readonly string[];
}): Promise<Check[]> => {
  if (given.length === 0 && httpsPort === null)
    return [check('bad', 'Stores come by HTTPS, and it is turned off. Start headquarters with it (VITRINE_HTTPS).')];
  if (!inUse || !existsSync(join(data, 'keys', 'server.json')))
    return [check('ok', 'Headquarters is stopped: the addresses that stores are given are not tried')];
  const { fingerprint } = loadIdentity(data, { mayCreate: false });
  const own = [...names, ...lanAddresses(host)];
  const addresses = (own.length > 0 ? own : ['127.0.0.1']).map((address) => `https://${address}:${httpsPort}`);
  return Promise.all(
    (given.length > 0 ? given : addresses).map(async (where): Promise<Check> => {
      try {
        await meet(where, (shown) => shown === fingerprint);
        return check('ok', `Headquarters proves its key at ${where}, which stores are given`);
      } catch (error) {
        return check(
          'bad',
          `Stores are given ${where}, and there: ${(error as Error).message} Is the port open, and does nobody else listen there?`,
        );
      }
    }),
  );
};

/** Checks the addresses that stores are given, by connecting to headquarters like a store. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lanAddresses } from '../../discovery/addresses.ts';
import { meet } from '../../features/chain/https-line.ts';
import { loadIdentity } from '../../identity.ts';
import { type At, type Check, checkOf } from '../doctor/check.ts';

const check = checkOf('https');

export const doors = async ({
  data,
  inUse,
  httpsPort,
  host,
  names,
}: Pick<At, 'data' | 'inUse' | 'httpsPort'> & { readonly host: string; readonly names: readonly string[] }): Promise<
  Check[]
> => {
  if (httpsPort === null)
    return [check('bad', 'Stores come by HTTPS, and it is turned off. Start headquarters with it (VITRINE_HTTPS).')];
  if (!inUse || !existsSync(join(data, 'keys', 'server.json')))
    return [check('ok', 'Headquarters is stopped: the addresses that stores are given are not tried')];
  const { fingerprint } = loadIdentity(data, { mayCreate: false });
  const hosts = [...names, ...lanAddresses(host)];
  return Promise.all(
    (hosts.length > 0 ? hosts : ['127.0.0.1']).map(async (address): Promise<Check> => {
      const where = `https://${address}:${httpsPort}`;
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

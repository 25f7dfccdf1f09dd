/** Controls a fleet of players from the bench. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FleetOrder, FleetReport } from './fleet.ts';

export interface Fleet {
  order(order: FleetOrder): Promise<FleetReport>;
  end(): void;
}

/**
 * Time limit in milliseconds for an order to the players. No measurement takes this long, but a lost message would
 * otherwise hang the bench.
 */
const LIMIT_MS = 180_000;

export const startFleet = (): Fleet => {
  const child = fork(join(import.meta.dirname, 'fleet.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    order: async (order) => {
      const answer = once(child, 'message', { signal: AbortSignal.timeout(LIMIT_MS) }).catch(() => {
        throw new Error(`The players did not end what they were to do: ${order.do}`);
      });
      child.send(order);
      const [{ report, error }] = (await answer) as [{ report?: FleetReport; error?: string }];
      if (!report) throw new Error(`The players: ${error}`);
      return report;
    },
    end: () => {
      process.off('exit', kill);
      kill();
    },
  };
};

/** The bench's end of a fleet of players. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FleetOrder, FleetReport } from './fleet.ts';

export interface Fleet {
  order(order: FleetOrder): Promise<FleetReport>;
  end(): void;
}

/** Nothing that a row asks of players takes as long; what is lost on the way would else be waited for for ever. */
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

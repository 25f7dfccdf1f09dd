/**
 * Puts an ordered backup in place in a process of its own, before the server opens anything, and says meanwhile at the
 * server's port how far that is.
 */
import { type BackupWork, type RestoreProgress, watchRestore } from '../../shared/contract/upkeep.ts';
import { sentences } from '../../shared/sentences/de.ts';
import { wordsBy } from '../../shared/sentences/words.ts';
import { openWaitingRoom } from '../http/waiting-room.ts';
import { UpkeepProcess } from './process.ts';
import { orderedRestore } from './restore-order.ts';

const SENTENCE = 'A backup is being restored. The server answers again in a moment. Screens keep playing.';

/**
 * Resolves when it is done, at once when none was ordered. What could not be done here the start does by itself, or
 * says why it cannot.
 * @param port is 0 where nobody knows it yet
 */
export const restoreInSight = async ({
  data,
  host,
  port,
}: {
  data: string;
  host: string;
  port: number;
}): Promise<void> => {
  const order = orderedRestore(data);
  if (!order) return;
  let work: BackupWork = { what: 'restore', step: 'reading', done_bytes: 0, total_bytes: 0 };
  const path = watchRestore.path.replace('{watch}', order.watch);
  const room =
    port === 0 || order.watch === ''
      ? undefined
      : await openWaitingRoom({
          host,
          port,
          sentence: SENTENCE,
          inGerman: wordsBy(sentences)(SENTENCE),
          answer: (asked) => (asked === path ? ({ work, outcome: null } satisfies RestoreProgress) : undefined),
        }).catch(() => undefined);
  await new UpkeepProcess()
    .run({ do: 'restore', data }, ({ step, done, total }) => {
      work = { what: 'restore', step, done_bytes: done, total_bytes: total };
    })
    .catch(() => undefined);
  await room?.close();
};

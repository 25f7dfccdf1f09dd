/**
 * Performs a requested restore in a child process before the server opens anything. Meanwhile, reports the progress at
 * the server's port.
 */
import { type BackupWork, type RestoreProgress, watchRestore } from '../../../shared/contract/server/upkeep.ts';
import { sentences } from '../../../shared/sentences/de.ts';
import { wordsBy } from '../../../shared/sentences/words.ts';
import { openWaitingRoom } from '../../http/waiting-room.ts';
import { UpkeepProcess } from '../tasks/process.ts';
import { orderedRestore } from './restore-order.ts';

const SENTENCE = 'A backup is being restored. The server answers again in a moment. Screens keep playing.';

/**
 * Resolves when the restore is done; at once when no restore was requested. If the restore was not possible in the
 * child process, the start itself restores, or reports why it cannot.
 * @param port port of the server; 0 when not known
 * yet
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

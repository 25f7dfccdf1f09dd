import { join } from 'node:path';
import { agentOf } from '../../../player/agent/testing/agents.ts';
import { type Ending, tempFolder } from '../../harness.ts';

/** Creates the parts of a player's agent in the process of the test. Problems appear in the test's output. */
export const screenAgent = (t: Ending, server: string, name: string) =>
  agentOf(
    { server, name, data: join(tempFolder(t), 'player') },
    {
      log: {
        info: () => {},
        warn: () => {},
        error: (message: string, detail?: unknown) => console.error(`# ${message}`, detail ?? ''),
      },
    },
  );

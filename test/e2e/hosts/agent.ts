import { join } from 'node:path';
import { agentOf } from '../../../player/agent/testing/agents.ts';
import { type Ending, tempFolder } from '../../harness.ts';

/** What the agent of a screen is made of, in the test's own process; it tells what is wrong. */
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

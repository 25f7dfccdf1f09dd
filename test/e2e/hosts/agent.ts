import { join } from 'node:path';
import type { Agent } from '../../../player/agent/agent.ts';
import { type Ending, tempFolder } from '../../harness.ts';

/** What an agent within the test's own process is made of: without a window, and quiet unless something is wrong. */
export const agentOf = (t: Ending, server: string, name: string): ConstructorParameters<typeof Agent>[0] => ({
  config: {
    server,
    data: join(tempFolder(t), 'player'),
    window: false,
    headless: true,
    name,
    browserFlags: [],
    quotaBytes: 1e9,
  },
  version: '0',
  pages: join(import.meta.dirname, '../../../dist/screen'),
  log: {
    info: () => {},
    warn: () => {},
    error: (message: string, detail?: unknown) => console.error(`# ${message}`, detail ?? ''),
  },
});

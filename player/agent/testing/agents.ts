/** Starts agents inside the process of the test, without a window. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { MemoryLog, programOf } from '../../core/testing/fakes.ts';
import { Agent } from '../agent.ts';
import { FakeSite } from './fake-server.ts';
import { folderFor } from './folder.ts';

type Deps = ConstructorParameters<typeof Agent>[0];

/** Dependencies of an agent, with the built page. */
export const agentOf = (
  config: Partial<Deps['config']> & Pick<Deps['config'], 'data' | 'server'>,
  more: Partial<Deps> = {},
): Deps => ({
  config: { window: false, headless: true, name: 'kiosk', browserFlags: [], quotaBytes: 1e9, ...config },
  version: '0.1.0',
  pages: join(import.meta.dirname, '../../../dist/screen'),
  log: new MemoryLog(),
  ...more,
});

/** A fake server, and a function that starts agents on the same folder repeatedly. */
export async function agentRig(t: TestContext) {
  const site = await FakeSite.open(t);
  const folder = folderFor(t);
  const [data, pages] = [join(folder, 'data'), join(folder, 'pages')];
  mkdirSync(join(pages, 'assets'), { recursive: true });
  writeFileSync(join(pages, 'index.html'), '<!doctype html><title>screen</title>');
  writeFileSync(join(pages, 'assets', 'index-abc.js'), '1');
  const log = new MemoryLog();
  const deps = agentOf({ server: site.origin, data }, { pages, log });
  const boot = async () => {
    const agent = new Agent(deps);
    t.after(() => agent.stop());
    return { agent, url: await agent.start() };
  };
  /** Publishes a program of pictures (text files). Returns its id and the program. */
  const publish = (...contents: readonly string[]) => {
    const { program } = programOf(contents.map((text) => site.addAsset(Buffer.from(text), 'image/png')));
    return { id: site.publish(program), program };
  };
  return { site, data, folder, log, boot, publish };
}

/**
 * Keeps what V8 compiled at the last start in the store's own folder. In the one for all (Node's default is the
 * system's for temporary files) another user of the machine could lay code ready that this program runs.
 */
import { existsSync, mkdirSync, readdirSync, rm } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { VERSION } from './version.ts';

const FOLDER = 'compiled';
/**
 * In every data folder that is one. At a first start nothing is there yet, and nothing is to be before it was looked
 * at whether it may.
 */
const DATABASE = 'vitrine.db';

/**
 * Keeps what is compiled, of this version alone, because what another had compiled is of no use. Without it the start
 * is slower, and that is all.
 * @param env is that of this process, from which threads and processes of it take the place
 */
export const keepCompiled = (data: string, env: NodeJS.ProcessEnv): void => {
  if (env['NODE_COMPILE_CACHE']) return;
  try {
    if (!existsSync(join(data, DATABASE))) return;
    const [all, ours] = [join(data, FOLDER), VERSION];
    mkdirSync(join(all, ours), { recursive: true, mode: 0o700 });
    env['NODE_COMPILE_CACHE'] = join(all, ours);
    enableCompileCache(join(all, ours));
    for (const other of readdirSync(all))
      if (other !== ours) rm(join(all, other), { recursive: true, force: true }, () => {});
  } catch {
    // The disk may be full, fail, or not be writable. The server says so, in its own words.
  }
};

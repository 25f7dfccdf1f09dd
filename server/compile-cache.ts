/**
 * Caches V8's compiled code in the store's data folder. Node would use the shared temporary folder by default, where
 * another user of the machine could plant code that this program would run.
 */
import { existsSync, mkdirSync, readdirSync, rm } from 'node:fs';
import { enableCompileCache as enableNodeCache } from 'node:module';
import { join } from 'node:path';
import { VERSION } from './version.ts';

const FOLDER = 'compiled';
/**
 * File that exists in every data folder that is in use. At the first start nothing may be written before the folder was
 * checked.
 */
const DATABASE = 'vitrine.db';

/**
 * Enables the compile cache, separate for each version. Without the cache, only the start is slower.
 * @param env
 * environment of this process, from which its threads and child processes read the folder
 */
export const enableCompileCache = (data: string, env: NodeJS.ProcessEnv): void => {
  if (env['NODE_COMPILE_CACHE']) return;
  try {
    if (!existsSync(join(data, DATABASE))) return;
    const [all, ours] = [join(data, FOLDER), VERSION];
    mkdirSync(join(all, ours), { recursive: true, mode: 0o700 });
    env['NODE_COMPILE_CACHE'] = join(all, ours);
    enableNodeCache(join(all, ours));
    for (const other of readdirSync(all))
      if (other !== ours) rm(join(all, other), { recursive: true, force: true }, () => {});
  } catch {
    // Node may fail to write the cache when the disk is full, failing or read-only. The server reports these disks
    // elsewhere, so the error is ignored here.
  }
};

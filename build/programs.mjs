/**
 * Which file `npm start` runs: the bundle of server and player in dist/programs where it was made of these very sources, else the
 * sources as they are. A third of the start and 30 MB are saved; an edit needs no build, it only starts a little slower.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, withLock } from './install.mjs';

const SOURCES = ['server', 'player', 'shared'];
const target = join(root, 'dist', 'programs');
const stamp = join(target, 'stamp');
const BUNDLED = { server: 'server-main.js', player: 'player-main.js' };
const AS_IT_IS = { server: 'server/main.ts', player: 'player/main.ts' };

const sourceHash = () => {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(file));
  // A bundler of another version or with other settings is another bundle.
  return hash.update(readFileSync(join(root, 'build', 'bundle.mjs'))).digest('hex');
};

const isFresh = (hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

/** Makes the bundle. What goes wrong only costs its advantage. @returns it is there */
const make = async (node, hash) =>
  withLock('programs', async () => {
    if (isFresh(hash)) return true;
    const fresh = join(root, 'dist', '.programs-new');
    const { code } = await run(node, [join(root, 'build', 'bundle.mjs'), fresh]);
    // Edited meanwhile: it is nobody knows what.
    if (code !== 0 || sourceHash() !== hash) return false;
    writeFileSync(join(fresh, 'stamp'), hash);
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
    return true;
  });

/**
 * @param name server or player
 * @param force make the bundle when it is stale, too; otherwise only where there is none yet
 * @returns path of the file to run
 */
export const programFor = async (node, name, { force = false } = {}) => {
  const source = join(root, AS_IT_IS[name]);
  try {
    const hash = sourceHash();
    if (isFresh(hash) || ((force || !existsSync(target)) && (await make(node, hash)))) return join(target, BUNDLED[name]);
  } catch {
    // A folder that cannot be written, a copy without a lock file: the sources run everywhere.
  }
  return source;
};

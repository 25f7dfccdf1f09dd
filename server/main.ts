/**
 * Program file of the server. Turns on the compile cache, which halves the time to the first answer, and then loads and
 * starts the server.
 */
import { setFlagsFromString } from 'node:v8';
import { enableCompileCache } from './compile-cache.ts';
import { dataFolderIn } from './data-place.ts';
import { mayLaunch } from './versions/programs-folder.ts';

// Keeps V8's memory for new objects from growing. Loading the program creates much garbage, after which V8 would
// permanently reserve 32 MB.
setFlagsFromString('--semi-space-growth-factor=1');
const args = process.argv.slice(2);
const data = dataFolderIn(args, process.env);
enableCompileCache(data, process.env);
// Starts another version if necessary, and then ends this process. Returns if the installed version is to run.
if (mayLaunch(data, process.env)) await (await import('./launch.ts')).launch(data, args);
await import('./serve.ts');

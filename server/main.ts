/**
 * Starts the server. What was compiled at the last start is not compiled again: that halves the time to the first
 * answer.
 */
import { setFlagsFromString } from 'node:v8';
import { keepCompiled } from './compile-cache.ts';
import { dataFolderIn } from './data-place.ts';
import { mayLaunch } from './versions/programs-folder.ts';

// Loading the program makes much garbage, after which V8 would keep 32 MB for new objects for good.
setFlagsFromString('--semi-space-growth-factor=1');
const args = process.argv.slice(2);
const data = dataFolderIn(args, process.env);
keepCompiled(data, process.env);
// Ends this process where another version is started: this one serves where it is its turn.
if (mayLaunch(data, process.env)) await (await import('./versions/launch.ts')).launch(data, args);
await import('./serve.ts');

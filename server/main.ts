/**
 * Starts the server. What was compiled at the last start is not compiled again: that halves the time to the first
 * answer.
 */
import { setFlagsFromString } from 'node:v8';
import { keepCompiled } from './compile-cache.ts';
import { dataFolderIn } from './data-place.ts';

// Loading the program makes much garbage, after which V8 would keep 32 MB for new objects for good.
setFlagsFromString('--semi-space-growth-factor=1');
keepCompiled(dataFolderIn(process.argv.slice(2), process.env), process.env);
await import('./serve.ts');

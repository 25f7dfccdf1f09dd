/**
 * Entry of the reports' thread. JavaScript, so that this thread need not load what strips types (22 MB and 70 ms for each
 * thread) when what it runs was compiled at an earlier start.
 */
import { enableCompileCache } from 'node:module';

enableCompileCache();
await import('./reports-worker.ts');

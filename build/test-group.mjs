/**
 * Runs several test files one after another in one process, because each process loads the server (0.7 s of processor
 * time) and, in tests of pages, starts a browser (2 s). Hooks of a file apply to the tests of this file only.
 */
import { suite } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * @param files absolute paths
 * @param options.limit time limit per file in milliseconds
 * @param options.shared modules that are loaded first: their hooks run when all files have ended
 */
export const runTogether = async (files, { limit, shared, relativeTo }) => {
  for (const path of shared) await import(pathToFileURL(path).href);
  for (const file of files)
    suite(file.slice(relativeTo.length + 1), { timeout: limit }, async () => {
      await import(pathToFileURL(file).href);
    });
};

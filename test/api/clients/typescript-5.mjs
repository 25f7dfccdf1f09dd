/**
 * Gives openapi-typescript the TypeScript that it is written with: 5, which oazapfts brings along. The project's own is
 * 7, which has no interface for programs yet. (Two versions of one peer cannot be installed side by side at the root.)
 */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const ofOazapfts = createRequire(createRequire(import.meta.url).resolve('oazapfts'));
const url = pathToFileURL(ofOazapfts.resolve('typescript')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url, format: 'commonjs', shortCircuit: true } : next(specifier, context),
});

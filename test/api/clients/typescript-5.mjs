/**
 * Gives openapi-typescript the TypeScript version that it needs: version 5, which oazapfts depends on. The project's
 * own version is 7, which has no programming interface yet. npm cannot install two versions of the same peer dependency
 * side by side at the root.
 */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const ofOazapfts = createRequire(createRequire(import.meta.url).resolve('oazapfts'));
const url = pathToFileURL(ofOazapfts.resolve('typescript')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url, format: 'commonjs', shortCircuit: true } : next(specifier, context),
});

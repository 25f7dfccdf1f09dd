/**
 * Plants a fault into one module as Node loads it, in this process and in the threads and processes that it starts; the file stays as it is.
 * VITRINE_MUTANT names it: { url, start, end, text }. Read by `--import`, for mutants.ts.
 */
import { registerHooks } from 'node:module';

const mutant = JSON.parse(process.env.VITRINE_MUTANT ?? 'null');

if (mutant)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== mutant.url) return loaded;
      const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      return { ...loaded, source: source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end) };
    },
  });

/**
 * Preloaded into the server (`NODE_OPTIONS=--import`): on SIGUSR2, throws the error named in the file VITRINE_THROWS
 * outside of any awaited code.
 */
import { readFileSync } from 'node:fs';

const file = process.env['VITRINE_THROWS'];

const thrown = (what: string): unknown => {
  if (what === 'nothing') return undefined;
  return Object.assign(new Error(`a fault of the tests: ${what}`), what === 'bug' ? {} : { code: what });
};

if (file !== undefined) {
  process.on('SIGUSR2', () => {
    const [how, what = ''] = readFileSync(file, 'utf8').split(' ');
    setImmediate(() => {
      if (how === 'rejects') void Promise.reject(thrown(what));
      else throw thrown(what);
    });
  });
}

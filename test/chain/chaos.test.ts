/** Random faults while plays are sent to a headquarters with its own database. */
import { test } from 'node:test';
import { chaosOfPlays } from './chaos.ts';
import { lastsMs } from './turmoil.ts';

const SECONDS = 25;

test(
  'every play reaches headquarters exactly once in spite of kills, lost connections and restores',
  {
    timeout: lastsMs(SECONDS) + 120_000,
  },
  (t) => chaosOfPlays(t, { seconds: SECONDS }),
);

/** Chance against plays, of a headquarters that has all in its own database. */
import { test } from 'node:test';
import { chaosOfPlays } from './chaos.ts';
import { lastsMs } from './turmoil.ts';

const SECONDS = 25;

test(
  'whatever is killed, cut, frozen and put back, every play is at headquarters exactly once, by whichever line it came',
  {
    timeout: lastsMs(SECONDS) + 120_000,
  },
  (t) => chaosOfPlays(t, { seconds: SECONDS }),
);

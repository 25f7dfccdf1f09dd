/** Random faults while plays are sent to a headquarters that stores them in PostgreSQL. */
import { test } from 'node:test';
import { chaosOfPlays } from './chaos.ts';
import { noPostgres, Postgres } from './postgres.ts';
import { lastsMs } from './turmoil.ts';

const SECONDS = 20;

test('every play arrives exactly once in spite of kills, lost connections and restores, also of PostgreSQL', {
  timeout: lastsMs(SECONDS) + 120_000,
  skip: noPostgres,
}, async (t) => {
  const server = await Postgres.open(t);
  await chaosOfPlays(t, { seconds: SECONDS, postgres: { server, url: await server.database() } });
});

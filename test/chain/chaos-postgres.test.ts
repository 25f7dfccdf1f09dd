/** Chance against plays, of a headquarters that has them in PostgreSQL. */
import { test } from 'node:test';
import { chaosOfPlays } from './chaos.ts';
import { noPostgres, Postgres } from './postgres.ts';
import { lastsMs } from './turmoil.ts';

const SECONDS = 20;

test('whatever is killed, cut, frozen and put back, PostgreSQL too, every play is there exactly once', {
  timeout: lastsMs(SECONDS) + 120_000,
  skip: noPostgres,
}, async (t) => {
  const server = await Postgres.open(t);
  await chaosOfPlays(t, { seconds: SECONDS, postgres: { server, url: await server.database() } });
});

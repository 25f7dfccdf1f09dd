import { resolve } from 'node:path';
import { movePlays } from '../../compose/move-plays.ts';
import { configFrom } from '../../config.ts';
import { type Command, WrongUse } from '../command.ts';

const STEP = 250_000;

export const hqMove: Command = {
  name: 'move',
  usage: 'hq move --postgres URL [--data DIR] [--json]',
  summary: 'move the plays of a stopped headquarters into PostgreSQL',
  help: `Copies the plays of all stores from the data folder into PostgreSQL (15 or newer), all of them or none, and compares them.
Nothing is removed from the data folder; single plays stay in its folder "chain". Afterwards start headquarters with --postgres;
it refuses to start without it.

  --postgres URL  the database, like postgres://vitrine@db.example.com/vitrine (VITRINE_POSTGRES); a password also by
                  PGPASSWORD or ~/.pgpass
`,
  options: { postgres: 'text' },
  takes: [1, 1],
  run: (args, speech) => move(args, speech),
};

const move: Command['run'] = async (args, { print }) => {
  const data = resolve(args.data);
  const { postgres } = configFrom({ postgres: args.text('postgres'), chain_role: 'hq', data });
  if (postgres === undefined) throw new WrongUse('Say where PostgreSQL is: vitrine hq move --postgres URL');
  let told = 0;
  const moved = await movePlays({
    data,
    url: postgres,
    say: (table, done, all) => {
      if (done < all && done - told < STEP) return;
      told = done < all ? done : 0;
      print(`  ${table.replace('_', ' ')}: ${done.toLocaleString('en')} of ${all.toLocaleString('en')}`);
    },
  });
  const { stores, plays, segments } = moved;
  print(
    stores === 0
      ? 'There were no plays to move.'
      : `Moved ${plays.toLocaleString('en')} plays of ${stores} ${stores === 1 ? 'store' : 'stores'}, and compared them.`,
  );
  print('Start headquarters with --postgres from now on (or VITRINE_POSTGRES).');
  return { result: { stores, plays, segments } };
};

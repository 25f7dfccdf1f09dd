import { resolve } from 'node:path';
import { moveStore } from '../upkeep/disk/move-store.ts';
import { type Command, DATA_HELP, WrongUse } from './command.ts';

export const moveData: Command = {
  name: 'move-data',
  usage: 'move-data --from DIR [--data DIR] [--json]',
  summary: 'move the data of a stopped server to another folder, completely or not at all',
  help: `The copy is compared with the original before it replaces it. A note in the old folder names the new folder.
If there is nothing to move, nothing is done.

  --from DIR   the current data folder
${DATA_HELP}`,
  options: { from: 'text' },
  takes: [0, 0],
  async run(args, { print }) {
    const given = args.text('from');
    if (given === undefined) throw new WrongUse('Say where the store is: vitrine move-data --from DIR');
    const from = resolve(given);
    const to = resolve(args.data);
    const moved = moveStore({ from, to });
    print(moved ? `Moved the store from ${from} to ${to}.` : `There is nothing to move in ${from}.`);
    return { result: { from, to, moved } };
  },
};

/** `vitrine hq <command>`: commands for headquarters of a chain. */
import { type Arguments, type Command, DATA_HELP, WrongUse } from '../command.ts';
import { hqDoctor } from './hq-doctor.ts';
import { hqMove } from './hq-move.ts';

const COMMANDS: readonly Command[] = [hqDoctor, hqMove];

export const hq: Command = {
  name: 'hq',
  usage: COMMANDS.map(({ usage }) => usage).join('\n  '),
  summary: 'headquarters of a chain: check it, or move its plays into PostgreSQL',
  help: `${COMMANDS.map(({ usage, summary, help }) => `${usage}: ${summary}.\n${help}`).join('\n')}\n${DATA_HELP}`,
  options: Object.assign({}, ...COMMANDS.map(({ options }) => options)),
  takes: [1, 1],
  async run(args, speech) {
    const command = COMMANDS.find(({ name }) => name === args.names[0]);
    if (!command) throw new WrongUse(`Say which: ${COMMANDS.map(({ name }) => `vitrine hq ${name}`).join(', ')}`);
    requireOwn(command, args);
    return command.run(args, speech);
  },
};

/** Options are parsed before the subcommand is known, so options of other subcommands are refused here. */
const requireOwn = ({ name, options }: Command, { text, isSet }: Arguments): void => {
  const strange = Object.keys(hq.options).find(
    (option) => !(option in options) && (text(option) !== undefined || isSet(option)),
  );
  if (strange !== undefined) throw new WrongUse(`vitrine hq ${name} has no option --${strange}.`);
};

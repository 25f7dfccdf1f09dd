import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resetPasswordOf } from '../compose/cli.ts';
import { type Command, CommandFailed, DATA_HELP } from './command.ts';

export const resetPassword: Command = {
  name: 'reset-password',
  usage: 'reset-password EMAIL [--remove-two-factor] [--data DIR] [--json]',
  summary: 'set a new password for an account, also while the server runs',
  help: `Prints a new password, which must be changed at the next sign-in. All sessions of the account end.

  --remove-two-factor  turn off two-step sign-in, for a lost phone without recovery codes
${DATA_HELP}`,
  options: { 'remove-two-factor': 'flag' },
  takes: [1, 1],
  async run({ names, isSet, data: folder }, { print }) {
    const file = join(resolve(folder), 'vitrine.db');
    if (!existsSync(file))
      throw new CommandFailed(`${resolve(folder)} holds no database of Vitrine. Name the data folder with --data.`);
    const reset = await resetPasswordOf({ file, email: names[0]!, removeTwoFactor: isSet('remove-two-factor') });
    if ('unknown' in reset)
      throw new CommandFailed(
        `Nobody signs in as ${names[0]}. Accounts of this server: ${reset.unknown.join(', ') || 'none'}.`,
      );
    if ('provider' in reset)
      throw new CommandFailed(`${names[0]} signs in with a sign-in provider. Change the password there.`);
    print(`New password of ${reset.email}: ${reset.password}`);
    print('It must be changed at the next sign-in.');
    return { result: reset };
  },
};

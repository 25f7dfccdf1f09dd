import { resolve } from 'node:path';
import { checkArchive, SUFFIX } from '../upkeep/backup/archive.ts';
import { type Command, CommandFailed, Exit } from './command.ts';

export const verify: Command = {
  name: 'verify',
  usage: 'verify FILE [--json]',
  summary: 'check a backup, or the play journal that a player exported',
  help: `A backup (${SUFFIX}) is read through and compared with its manifest. In a journal, rows that were removed, changed, repeated or
moved are named. Exit code 3 when something is wrong.

  --json       one JSON value on stdout instead of sentences
`,
  options: {},
  takes: [1, 1],
  async run({ names }, { say }) {
    const file = resolve(names[0]!);
    if (!file.endsWith(SUFFIX)) throw new CommandFailed('Only backups can be checked yet.');
    try {
      const { made_at, version, media, database } = checkArchive(file);
      say(`${file} is whole: made ${new Date(made_at).toLocaleString()} by Vitrine ${version}, ${media.length} media files.`);
      return { result: { ok: true, made_at, version, database, media_files: media.length } };
    } catch (error) {
      say((error as Error).message);
      return { result: { ok: false, problems: [(error as Error).message] }, exit: Exit.found };
    }
  },
};

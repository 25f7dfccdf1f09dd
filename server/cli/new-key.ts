import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { requireStore } from '../db/open.ts';
import { loadIdentity } from '../identity.ts';
import { lockFolder } from '../upkeep/disk/folder-lock.store.ts';
import { type Command, CommandFailed, DATA_HELP } from './command.ts';

export const newKey: Command = {
  name: 'new-key',
  usage: 'new-key [--data DIR] [--json]',
  summary: 'create a new key for a server whose key is lost; every screen must be connected again',
  help: `Use this only if no backup contains the key ("vitrine restore FILE --keys-only"). An existing key is never replaced.

${DATA_HELP}`,
  options: {},
  takes: [0, 0],
  async run({ data: folder }, { print }) {
    const data = resolve(folder);
    if (!existsSync(join(data, 'vitrine.db')))
      throw new CommandFailed(`${data} holds no database of Vitrine. Name the data folder with --data.`);
    const file = join(data, 'keys', 'server.json');
    if (existsSync(file))
      throw new CommandFailed(
        `${file} is there. A key is never replaced; move the file away first if it is of no use any more.`,
      );
    const release = lockFolder(data);
    try {
      requireStore(join(data, 'vitrine.db'));
      const { id, fingerprint } = loadIdentity(data);
      print(
        `A new key was made (${fingerprint}). Screens no longer trust this server: un-pair each at the screen itself, then connect it anew.`,
      );
      return { result: { id, fingerprint } };
    } finally {
      release();
    }
  },
};

import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, CommandFailed } from './command.ts';

export const releaseKey: Command = {
  name: 'release-key',
  usage: 'release-key FILE [--json]',
  summary: 'make the key with which a publisher signs releases, once',
  help: `For whoever builds Vitrine, not for a store. The file (PEM, for its owner only) signs every release:

  npm run package -- --release-key FILE      or VITRINE_RELEASE_KEY, the file or what is in it

A package holds the public half, and a screen takes in only what is signed with the key that its own package was. So whoever has
the file can put a program on every screen, and without it no screen can ever be updated again: keep it away from servers, and a
copy in a safe place. For another key, package one release with the old key and "--also-trust" the new one's public half; what
comes after it can be signed with the new one. A file that is there is never replaced.

  --json       one JSON value on stdout instead of sentences
`,
  options: {},
  takes: [1, 1],
  async run({ names }, { say }) {
    const file = resolve(names[0]!);
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    try {
      writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
        mode: 0o600,
        flag: 'wx',
        flush: true,
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST')
        throw new CommandFailed(
          `${file} is there. A key is never replaced: screens believe the one that their package was signed with.`,
        );
      if (code === 'ENOENT') throw new CommandFailed(`The folder of ${file} is not there.`);
      throw error;
    }
    const public_key = publicKey.export({ type: 'spki', format: 'der' }).toString('hex');
    say(
      `Made ${file}. Keep a copy in a safe place, and the file away from servers: whoever has it can put a program on every screen.`,
    );
    say(`Its public half: ${public_key}`);
    say(`To sign what you package: npm run package -- --release-key ${JSON.stringify(file)}`);
    return { result: { file, public_key } };
  },
};

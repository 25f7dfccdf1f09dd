import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, CommandFailed } from './command.ts';

export const releaseKey: Command = {
  name: 'release-key',
  usage: 'release-key FILE [--json]',
  summary: 'create the key that signs the releases of a publisher',
  help: `For publishers of Vitrine, not for stores. The file (PEM, readable only by its owner) signs every release:

  npm run package -- --release-key FILE      or VITRINE_RELEASE_KEY, the file or what is in it

A package contains the public key, and a screen accepts only updates signed with the key of its own package. Anyone with the file
can install programs on every screen, and without it no screen can be updated again. Keep the file away from servers, and keep a
copy in a safe place. To change the key, package one release with the old key and "--also-trust" with the new public key. Later
releases can be signed with the new key. An existing file is never replaced.

  --json       print one JSON value instead of sentences
`,
  options: {},
  takes: [1, 1],
  async run({ names }, { print }) {
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
    print(
      `Made ${file}. Keep a copy in a safe place, and the file away from servers: whoever has it can put a program on every screen.`,
    );
    print(`Its public half: ${public_key}`);
    print(`To sign what you package: npm run package -- --release-key ${JSON.stringify(file)}`);
    return { result: { file, public_key } };
  },
};

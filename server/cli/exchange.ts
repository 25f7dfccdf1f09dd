import { createWriteStream, existsSync, openAsBlob, renameSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withServer } from '../compose/cli.ts';
import { type Arguments, type Command, CommandFailed, DATA_HELP } from './command.ts';

const WHERE = `  --workspace NAME  whose work; needed where there are several
  --server URL      another server, with --token
  --token TOKEN     a personal access token of that server (VITRINE_TOKEN)
${DATA_HELP}`;

/** Calls `use` with a running server: the server of this data folder, or the server given by `--server`. */
const atServer = <T>(args: Arguments, use: (origin: string, token: string) => Promise<T>): Promise<T> => {
  const server = args.text('server');
  if (server === undefined) return withServer({ data: resolve(args.data), workspace: args.text('workspace') }, use);
  const token = args.text('token') ?? process.env['VITRINE_TOKEN'];
  if (!token) throw new CommandFailed('With --server a token of that server is needed: --token, or VITRINE_TOKEN.');
  return use(server.replace(/\/+$/, ''), token);
};

const failed = async (response: Response): Promise<CommandFailed> => {
  const text = await response.text();
  try {
    return new CommandFailed((JSON.parse(text) as { error: string }).error);
  } catch {
    return new CommandFailed(`The server answered with the status ${response.status}.`);
  }
};

export const exportCommand: Command = {
  name: 'export',
  usage: 'export FILE.zip [--workspace NAME] [--data DIR] [--json]',
  summary: 'export playlists, layouts, schedules, widgets and media as a ZIP for another server',
  help: `Not a backup: screens, people and reports are not included. Works whether the server runs or not.

${WHERE}`,
  options: { workspace: 'text', server: 'text', token: 'text' },
  takes: [1, 1],
  async run(args, { print }) {
    const file = resolve(args.names[0]!);
    if (existsSync(file))
      throw new CommandFailed(`${file} already exists and is not overwritten. Choose another name.`);
    const part = `${file}.part`;
    const bytes = await atServer(args, async (origin, token) => {
      const response = await fetch(`${origin}/api/export`, { headers: { Authorization: `Bearer ${token}` } });
      if (!response.ok || !response.body) throw await failed(response);
      const to = createWriteStream(part, { mode: 0o600, flush: true });
      await pipeline(Readable.fromWeb(response.body as import('node:stream/web').ReadableStream), to).catch(
        (error: Error) => {
          rmSync(part, { force: true });
          throw new CommandFailed(`The export broke off: ${error.message}`);
        },
      );
      return to.bytesWritten;
    });
    renameSync(part, file);
    print(`Wrote ${file}.`);
    return { result: { file, bytes } };
  },
};

export const importCommand: Command = {
  name: 'import',
  usage: 'import FILE [--workspace NAME] [--data DIR] [--json]',
  summary: 'import an export of Vitrine or screentinker (its ZIP, or its JSON without media)',
  help: `Everything is added as new; existing entries do not change. Schedules go to screens and groups of the same name.

${WHERE}`,
  options: { workspace: 'text', server: 'text', token: 'text' },
  takes: [1, 1],
  async run(args, { print }) {
    const file = resolve(args.names[0]!);
    if (!existsSync(file)) throw new CommandFailed(`${file} does not exist.`);
    const result = await atServer(args, async (origin, token) => {
      const form = new FormData();
      // The file is streamed from the disk during the upload, so its size does not matter.
      form.set('file', await openAsBlob(file), basename(file));
      const response = await fetch(`${origin}/api/import`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: form,
      });
      if (!response.ok) throw await failed(response);
      return (await response.json()) as { warnings: string[] } & Record<string, number | string[]>;
    });
    const { warnings, ...made } = result;
    const words = Object.entries(made).filter(([, count]) => Number(count) > 0);
    print(
      words.length > 0
        ? `Taken over: ${words.map(([what, count]) => `${count} ${what.replace('_', ' ')}`).join(', ')}.`
        : 'There was nothing in it.',
    );
    for (const warning of warnings) print(`  ${warning}`);
    return { result };
  },
};

import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { type Command, CommandFailed, WrongUse } from './command.ts';
import { type ServiceOptions, unitOf } from './units.ts';

const FOLDER = '/etc/systemd/system';

export const installService: Command = {
  name: 'install-service',
  usage: 'install-service server|player [--display cage|x11] [--print] [options]',
  summary: 'have systemd start the server, or the player of a screen, with the computer',
  help: `Writes a unit for systemd (Linux), makes its user, and starts it. On Windows and macOS the desktop app starts with the computer
by itself. A player needs a compositor for its one window: "cage" (Wayland, for bare signage sticks) or an X server ("x11").

  --print           only print the unit; nothing is changed
  --user NAME       the user to run as (vitrine; for a player vitrine-player)
  --data DIR        the data folder (/var/lib/vitrine; /var/lib/vitrine-player)
  --port N          the server's port (8710)
  --display KIND    of a player: cage (default) or x11
  --server URL      of a player: the server's address, where mDNS does not reach
  --no-start        enabled, but not started now
  --json            one JSON value on stdout instead of sentences
`,
  options: { print: 'flag', user: 'text', port: 'text', display: 'text', server: 'text', 'no-start': 'flag' },
  takes: [1, 1],
  async run(args, { say }) {
    const role = args.names[0];
    if (role !== 'server' && role !== 'player') throw new WrongUse('Say which: vitrine install-service server, or vitrine install-service player');
    const display = args.text('display') ?? 'cage';
    if (display !== 'cage' && display !== 'x11') throw new WrongUse('--display must be cage or x11');
    const port = Number(args.text('port') ?? 8710);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new WrongUse('--port must be 1 to 65535');
    const name = role === 'server' ? 'vitrine' : 'vitrine-player';
    const given = process.argv.some((argument) => argument === '--data' || argument.startsWith('--data='));
    const options: ServiceOptions = {
      role,
      user: nameOr(args.text('user'), name),
      data: given ? resolve(args.data) : `/var/lib/${name}`,
      node: process.env['APPIMAGE'] ?? process.execPath,
      // The packaged program is no Node: it takes the command's word instead of a file.
      script: process.versions['electron']
        ? role === 'server'
          ? 'serve'
          : 'player'
        : resolve(import.meta.dirname, '..', '..', role === 'server' ? 'server/main.ts' : 'player/main.ts'),
      port,
      display,
      server: args.text('server'),
    };
    const unit = unitOf(options);
    const file = join(FOLDER, `${name}.service`);
    if (args.isSet('print')) {
      say(unit);
      return { result: { file, unit } };
    }
    install(options, file, unit, !args.isSet('no-start'), say);
    return { result: { file, unit, started: !args.isSet('no-start') } };
  },
};

const nameOr = (given: string | undefined, otherwise: string): string => {
  if (given !== undefined && !/^[a-z_][a-z0-9_-]{0,31}$/.test(given)) throw new WrongUse('--user must be a name of a user of this computer');
  return given ?? otherwise;
};

const install = (options: ServiceOptions, file: string, unit: string, start: boolean, say: (line: string) => void): void => {
  if (process.platform !== 'linux' || !existsSync('/run/systemd/system')) {
    throw new CommandFailed(
      'This computer has no systemd running. On Windows and macOS the desktop app starts with the computer; elsewhere take the unit from --print as a model.',
    );
  }
  if (process.getuid?.() !== 0) throw new CommandFailed('Installing a service needs the rights of an administrator: run it with sudo, or use --print.');
  if (!isAbsolute(options.data)) throw new WrongUse('--data must be a whole path');
  if (!hasUser(options.user)) {
    run('useradd', '--system', '--user-group', '--home-dir', options.data, '--shell', '/usr/sbin/nologin', options.user);
    say(`Made the user ${options.user}.`);
  }
  run('install', '-d', '-o', options.user, '-g', options.user, '-m', '0750', options.data);
  writeFileSync(file, unit, { mode: 0o644 });
  run('systemctl', 'daemon-reload');
  const service = file.split('/').at(-1)!;
  run('systemctl', 'enable', ...(start ? ['--now'] : []), service);
  say(`Wrote ${file}; ${service} starts with the computer${start ? ' and was started now' : ''}.`);
  say(`Its log: journalctl -u ${service}`);
};

const hasUser = (name: string): boolean => {
  try {
    execFileSync('id', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const run = (file: string, ...args: string[]): void => {
  try {
    execFileSync(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    throw new CommandFailed(`${file} ${args.join(' ')} failed: ${String((error as { stderr?: Buffer }).stderr ?? (error as Error).message).trim()}`);
  }
};

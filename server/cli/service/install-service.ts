import { existsSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { pathOf, ROOT } from '../../kernel/place.ts';
import { homeOfPerson, olderData, servicePlaces } from '../../service/places.ts';
import { hasControlCharacters, type ServerOptions } from '../../service/service-options.ts';
import { installedService, type ServiceRecord } from '../../service/service-record.ts';
import * as systemd from '../../service/systemd.ts';
import { moveStore } from '../../upkeep/disk/move-store.ts';
import { isStore, movedTo } from '../../upkeep/disk/moved-mark.ts';
import { type Arguments, type Command, CommandFailed, type Speech, WrongUse } from '../command.ts';
import { makeLinuxUser, nameOfUser, ownFolder, run, serviceSystem, unitContent, writeFor } from './service-steps.ts';

/** Path of the program with windows. It exists only in packages. */
const LAUNCHER = join(ROOT, 'player/launcher.js');
const HOME_OF_PLAYER = '/var/lib/vitrine-player';

const SYSTEMS: readonly NodeJS.Platform[] = ['linux', 'darwin', 'win32'];

export const installService: Command = {
  name: 'install-service',
  usage: 'install-service server|player [--display cage|x11] [--print] [options]',
  summary: 'start the server, or the player of a screen, whenever the computer starts',
  help: `The server: a unit for systemd (Linux), a daemon for launchd (macOS) or a task at startup (Windows). It runs under its own user
without other rights, before anybody signs in. Its data is in the system's folder for such data. Existing data of the desktop
program is moved there, completely or not at all. Run this as administrator, and again after an update.
The player (only Linux; on other systems the desktop program starts a screen at login) needs a compositor: "cage" (Wayland, for
signage sticks) or an X server ("x11").

  --print           only print the installation; nothing is changed
  --user NAME       the user to run as (vitrine, on macOS _vitrine; for a player vitrine-player)
  --data DIR        the data folder (/var/lib/vitrine, /Library/Application Support/Vitrine/server, ProgramData\\Vitrine\\server)
  --move-from DIR   the current data folder (default: the folder of the desktop program)
  --port N          the server's port (8710)
  --may-sleep       allow the computer to sleep while the server runs
  --display KIND    for a player: cage (default) or x11
  --server URL      for a player: the server's address, if mDNS does not reach it
  --no-start        install without starting
  --json            print one JSON value instead of sentences
`,
  options: {
    print: 'flag',
    user: 'text',
    port: 'text',
    display: 'text',
    server: 'text',
    'move-from': 'text',
    'may-sleep': 'flag',
    'no-start': 'flag',
    for: 'text',
  },
  takes: [1, 1],
  async run(args, speech) {
    const role = args.names[0];
    if (role === 'server') return installServer(args, speech);
    if (role === 'player') return installPlayer(args, speech);
    throw new WrongUse('Say which: vitrine install-service server, or vitrine install-service player');
  },
};

const installServer = async (args: Arguments, { print }: Speech) => {
  const platform = systemOf(args);
  const places = servicePlaces({ platform, env: process.env });
  const before = installedService(places.record);
  const system = serviceSystem(platform, places.note);
  const options: ServerOptions = {
    user: nameOr(args.text('user'), system.user),
    data: folderIn(args, before?.data ?? places.data),
    node: process.execPath,
    script: pathOf(platform === 'win32' ? 'build/windows-service' : 'server/main'),
    port: portIn(args, before?.port),
    note: places.note,
    maySleep: args.isSet('may-sleep'),
  };
  requirePlain(options.data, options.node, options.script);
  const units = system.units(options);
  if (args.isSet('print')) {
    for (const { path, text } of units) print(`${units.length > 1 ? `# ${path}\n` : ''}${text}`);
    return { result: { files: units } };
  }
  requirePossible(system.obstacle);
  const { data, user } = options;
  if (system.makeUser(user, data)) print(`Made the user ${user}.`);
  const moved = moveOlder(args.text('move-from'), data, (folder) => system.own(folder, user));
  if (moved) print(`Moved the store from ${moved} to ${data}.`);
  system.own(data, user);
  for (const { path, text } of units) writeFor(path, unitContent(text, platform));
  const start = !args.isSet('no-start');
  await system.start(options, start);
  writeFor(places.record, JSON.stringify({ data, port: options.port, note: options.note } satisfies ServiceRecord));
  print(
    `The server is a service of this computer: it starts with it${start ? ', and was started now' : ''}. Its store: ${data}`,
  );
  print(`Its log: ${system.log}`);
  return { result: { files: units, data, movedFrom: moved ?? null, started: start } };
};

/**
 * Moves the data of a desktop program to the service's folder, unless this folder already has data. Returns the old
 * folder.
 */
const moveOlder = (given: string | undefined, data: string, own: (folder: string) => void): string | undefined => {
  const machine = { platform: process.platform, env: process.env, home: homedir() };
  const older =
    given !== undefined ? [resolve(given)] : olderData({ ...machine, home: homeOfPerson(machine, nameOfUser) });
  const from = older.find((folder) => folder !== data && (movedTo(folder) === data || isStore(folder)));
  if (from === undefined) return undefined;
  // Two folders with data are an error only if the command line names the folder to move. Otherwise the service's
  // folder is used, and the other folder stays as it is.
  if (given === undefined && isStore(data)) return undefined;
  return moveStore({ from, to: data, own }) ? from : undefined;
};

const installPlayer = async (args: Arguments, { print }: Speech) => {
  const display = args.text('display') ?? 'cage';
  if (display !== 'cage' && display !== 'x11') throw new WrongUse('--display must be cage or x11');
  const isPacked = existsSync(LAUNCHER);
  const options: systemd.PlayerOptions = {
    user: nameOr(args.text('user'), 'vitrine-player'),
    data: folderIn(args, HOME_OF_PLAYER),
    node: process.execPath,
    script: isPacked ? LAUNCHER : pathOf('player/main'),
    runs: isPacked ? 'launcher' : 'agent',
    display,
    server: args.text('server'),
  };
  requirePlain(options.data, options.node, options.script, options.server ?? '');
  const files = systemd.playerUnits(options);
  if (args.isSet('print')) {
    for (const { text } of files) print(text);
    return { result: { files } };
  }
  if (process.platform !== 'linux')
    throw new CommandFailed(
      'On Windows and macOS the desktop program starts the screen at login; a service has no display there.',
    );
  requirePossible(serviceSystem('linux', '').obstacle);
  if (makeLinuxUser(options.user, options.data)) print(`Made the user ${options.user}.`);
  ownFolder(options.data, options.user);
  for (const { path, text } of files) writeFor(path, text);
  const start = !args.isSet('no-start');
  for (const step of systemd.startPlayer(start)) run(step);
  print(
    `Wrote ${files[0]!.path}; ${systemd.PLAYER_UNIT} starts with the computer${start ? ' and was started now' : ''}.`,
  );
  print(`Its log: journalctl -u ${systemd.PLAYER_UNIT}`);
  return { result: { files, started: start } };
};

export const removeService: Command = {
  name: 'remove-service',
  usage: 'remove-service server|player [--delete-data] [--json]',
  summary: 'stop the server or the player, and no longer start it with the computer',
  help: `The data is kept unless you delete it with --delete-data. Deleted data can only be restored from a backup.

  --delete-data   delete the data folder with everything in it, including backups
  --json          print one JSON value instead of sentences
`,
  options: { 'delete-data': 'flag' },
  takes: [1, 1],
  async run(args, { print }) {
    const role = args.names[0];
    if (role !== 'server' && role !== 'player')
      throw new WrongUse('Say which: vitrine remove-service server, or vitrine remove-service player');
    const places = servicePlaces(process);
    const data = role === 'server' ? (installedService(places.record)?.data ?? places.data) : HOME_OF_PLAYER;
    const system = serviceSystem(process.platform, places.note);
    requirePossible(system.obstacle);
    if (role === 'server') await system.remove();
    else {
      for (const step of systemd.removePlayer) run(step);
      for (const file of systemd.PLAYER_FILES) rmSync(file, { force: true });
    }
    if (role === 'server') for (const file of [places.record, places.note]) rmSync(file, { force: true });
    const deleted = args.isSet('delete-data') && existsSync(data);
    if (deleted) rmSync(data, { recursive: true });
    print(
      deleted
        ? `It is no longer a service of this computer, and ${data} was deleted.`
        : `It is no longer a service of this computer. Its data stay in ${data}.`,
    );
    return { result: { data, deleted } };
  },
};

export const service: Command = {
  name: 'service',
  usage: 'service start|stop [--json]',
  summary: 'start or stop the server that runs as a service of this computer',
  help: `A stopped server starts again with the computer; on Windows only with this command. Run as administrator.

  --json   print one JSON value instead of sentences
`,
  options: {},
  takes: [1, 1],
  async run(args, { print }) {
    const what = args.names[0];
    if (what !== 'start' && what !== 'stop')
      throw new WrongUse('Say which: vitrine service start, or vitrine service stop');
    const places = servicePlaces(process);
    if (!installedService(places.record))
      throw new CommandFailed('No service is installed on this computer: vitrine install-service server');
    const system = serviceSystem(process.platform, places.note);
    requirePossible(system.obstacle);
    await system.control(what);
    print(what === 'start' ? 'The server was started.' : 'The server was stopped. Screens go on with what they have.');
    return { result: { [what]: true } };
  },
};

/**
 * Returns the target system. With `--for` the command only prints what the installation would write on another system.
 */
const systemOf = (args: Arguments): NodeJS.Platform => {
  const wanted = args.text('for') ?? process.platform;
  const platform = SYSTEMS.find((each) => each === wanted);
  if (platform === undefined) throw new WrongUse('--for must be linux, darwin or win32');
  if (platform !== process.platform && !args.isSet('print')) throw new WrongUse('--for goes with --print');
  return platform;
};

const portIn = (args: Arguments, before = 8710): number => {
  const port = Number(args.text('port') ?? before);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new WrongUse('--port must be 1 to 65535');
  return port;
};

const nameOr = (given: string | undefined, otherwise: string): string => {
  if (given !== undefined && !/^[a-z_][a-z0-9_-]{0,31}$/.test(given))
    throw new WrongUse('--user must be a name of a user of this computer');
  return given ?? otherwise;
};

/** Returns the data folder: `--data`, or the given default. The default of other commands does not apply here. */
const folderIn = (args: Arguments, otherwise: string): string => {
  const given = args.text('data');
  return given === undefined ? otherwise : resolve(given);
};

const requirePlain = (...paths: readonly string[]): void => {
  const wrong = paths.find(hasControlCharacters);
  if (wrong !== undefined)
    throw new WrongUse(`${JSON.stringify(wrong)} has characters that no service can have in a path`);
  if (!isAbsolute(process.execPath)) throw new CommandFailed('The program does not know where it lies.');
};

const requirePossible = (obstacle: string | undefined): void => {
  // An AppImage is mounted at a different path with each start, so a service cannot start it.
  if (process.env['APPIMAGE'])
    throw new CommandFailed(
      'A service cannot be started from an AppImage: install the deb, or unpack the tar.gz where it is to stay.',
    );
  if (obstacle) throw new CommandFailed(obstacle);
};

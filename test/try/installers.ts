/**
 * Commands that install and remove a package without questions, as the README describes for mass installation. Runs
 * nothing itself.
 */
import { posix, win32 } from 'node:path';

interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Installer {
  /** Package format, as in `npm run package -- --target`. */
  readonly form: 'deb' | 'nsis' | 'dmg';
  /** Folder of the program after the installation, and the folder of its resources. */
  readonly folder: string;
  readonly resources: string;
  /** Installs the package as a screen of this server. */
  readonly install: (file: string, server: string) => readonly Run[];
  /** Turns the same computer into the server of the store. */
  readonly becomeServer: Run;
  readonly remove: readonly Run[];
  /** Data folder of the server's service, which survives uninstalling. */
  readonly data: string;
}

export const installerOf = (platform: NodeJS.Platform): Installer | undefined => {
  if (platform === 'linux') {
    const folder = '/opt/Vitrine';
    const vitrine = `${folder}/resources/vitrine/vitrine`;
    return {
      form: 'deb',
      folder,
      resources: `${folder}/resources`,
      // The command starts with "env", because sudo drops all other variables.
      install: (file, server) => [
        {
          program: 'sudo',
          args: [
            'env',
            'DEBIAN_FRONTEND=noninteractive',
            'VITRINE_ROLE=player',
            `VITRINE_SERVER=${server}`,
            'apt-get',
            'install',
            '-y',
            file,
          ],
        },
      ],
      becomeServer: { program: 'sudo', args: [vitrine, 'set-up', '--role=server'] },
      remove: [{ program: 'sudo', args: ['apt-get', 'remove', '-y', 'vitrine'] }],
      data: '/var/lib/vitrine',
    };
  }
  if (platform === 'darwin') {
    const folder = '/Applications/Vitrine.app';
    const vitrine = posix.join(folder, 'Contents/Resources/vitrine/vitrine');
    const mounted = '/Volumes/vitrine-try';
    return {
      form: 'dmg',
      folder,
      resources: posix.join(folder, 'Contents/Resources'),
      install: (file, server) => [
        { program: 'hdiutil', args: ['attach', '-nobrowse', '-mountpoint', mounted, file] },
        { program: 'sudo', args: ['ditto', `${mounted}/Vitrine.app`, folder] },
        { program: 'hdiutil', args: ['detach', mounted] },
        { program: 'sudo', args: [vitrine, 'set-up', '--role=player', `--server=${server}`] },
      ],
      becomeServer: { program: 'sudo', args: [vitrine, 'set-up', '--role=server'] },
      remove: [
        { program: 'sudo', args: [vitrine, 'set-up', '--remove'] },
        { program: 'sudo', args: ['rm', '-rf', folder] },
      ],
      data: '/Library/Application Support/Vitrine/server',
    };
  }
  if (platform !== 'win32') return undefined;
  const folder = 'C:\\Program Files\\Vitrine';
  return {
    form: 'nsis',
    folder,
    resources: win32.join(folder, 'resources'),
    install: (file, server) => [{ program: file, args: ['/S', '--role=player', `--server=${server}`] }],
    becomeServer: {
      program: win32.join(folder, 'resources', 'node', 'node.exe'),
      args: [win32.join(folder, 'resources', 'vitrine', 'server', 'cli', 'main.js'), 'set-up', '--role=server'],
    },
    remove: [{ program: win32.join(folder, 'Uninstall Vitrine.exe'), args: ['/allusers', '/S'] }],
    data: 'C:\\ProgramData\\Vitrine\\server',
  };
};

/** Pure functions that decide how a new version of the server is installed on this computer. */
import { artefactOf } from '../../shared/protocol/releases/release-format.ts';
import type { ReleaseArch, ReleaseKind, ReleasePlatform } from '../../shared/protocol/releases/release-signature.ts';
import { unpackedKind } from './unpack.ts';

/** Facts about how this server was installed. */
export interface Installed {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Folder of the installed program. */
  readonly root: string;
  /** Public keys of the publisher; empty: the package is not signed. */
  readonly keys: readonly string[];
  /** Whether the server runs as a service, which the system restarts when it exits. */
  readonly isService: boolean;
  /** Whether the server was installed by the system's package manager, which must also install other versions. */
  readonly isPackage: boolean;
  readonly isCheckout: boolean;
}

/**
 * Way to install a release. `trial`: installed from the admin window, beside the old version. `command`: typed by a
 * person. `none`: releases are not accepted.
 */
export type Way =
  | { readonly how: 'trial'; readonly kind: ReleaseKind }
  | { readonly how: 'command'; readonly kind: ReleaseKind; readonly why: string }
  | { readonly how: 'none'; readonly command: string | null; readonly why: string };

const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, ReleasePlatform>>> = {
  linux: 'linux',
  win32: 'win',
  darwin: 'mac',
};

export const wayOf = ({ platform, root, keys, isService, isPackage, isCheckout }: Installed): Way => {
  if (keys.length === 0)
    return {
      how: 'none',
      command: isCheckout ? `git -C ${quoted(root)} pull` : null,
      why: isCheckout
        ? 'This server runs from unsigned source code, so it cannot install releases. Fetch the new source code, then restart the server.'
        : 'This server is an unsigned development build, so it cannot install releases. Install a release over this server.',
    };
  if (isPackage)
    return {
      how: 'command',
      kind: 'deb',
      why: 'This server was installed as a system package. Update the server with the package manager of the system.',
    };
  if (isService) return { how: 'trial', kind: unpackedKind(platform) };
  const why = 'This server is not a service of the computer, so nothing would restart it.';
  if (platform === 'win32') return { how: 'command', kind: 'exe', why };
  return { how: 'command', kind: platform === 'darwin' ? 'dmg' : 'tar.gz', why };
};

/** Returns the command that installs a file of this kind. */
export const commandFor = (kind: ReleaseKind, file: string, { root }: Pick<Installed, 'root'>): string => {
  if (kind === 'deb') return `sudo apt-get install ${quoted(file)}`;
  if (kind === 'exe') return `"${file}"`;
  if (kind === 'dmg') return `open ${quoted(file)}`;
  // Unpacks over the program's folder, which contains the programs in `resources/vitrine`.
  return `tar -xzf ${quoted(file)} --strip-components=1 -C ${quoted(root.replace(/[\\/]resources[\\/]vitrine$/, ''))}`;
};

const quoted = (path: string): string => (/^[\w./:@+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** Returns the file of a release for this server; undefined when there is none. */
export const fileFor = <F extends { readonly name: string; readonly signature: string | null }>(
  files: readonly F[],
  kind: ReleaseKind,
  { platform, arch }: Pick<Installed, 'platform' | 'arch'>,
): F | undefined =>
  files.find(({ name, signature }) => {
    const is = artefactOf(name);
    return (
      signature !== null &&
      is !== undefined &&
      is.kind === kind &&
      is.platform === PLATFORMS[platform] &&
      is.arch === (arch as ReleaseArch) &&
      is.part !== 'player'
    );
  });

/**
 * Returns the Node that runs another version. Firewalls of Windows and macOS allow the installed Node by its path and
 * would block any other Node. On these systems the installed Node is used if the version was made for it.
 * @returns
 * undefined when that is impossible
 */
export const nodeFor = (
  platform: NodeJS.Platform,
  installed: { readonly path: string; readonly version: string },
  its: { readonly path: string; readonly version: string },
): string | undefined => {
  if (platform === 'linux') return its.path;
  const major = (version: string) => version.replace(/^v/, '').split('.')[0];
  return major(installed.version) === major(its.version) ? installed.path : undefined;
};

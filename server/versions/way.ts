/** Decides how a new version of the server comes onto this computer. Pure. */
import { artefactOf } from '../../shared/protocol/release-format.ts';
import type { ReleaseArch, ReleaseKind, ReleasePlatform } from '../../shared/protocol/release-signature.ts';
import { unpackedKind } from './unpack.ts';

/** How this server was installed. */
export interface Installed {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** The folder of its program. */
  readonly root: string;
  /** Its publisher's keys; none: nobody has signed it. */
  readonly keys: readonly string[];
  /** It is a service of this computer, which the system starts again when it ends. */
  readonly isService: boolean;
  /** The system's package manager knows it, and would not know of another version. */
  readonly isPackage: boolean;
  readonly isCheckout: boolean;
}

/** `trial`: in the window, beside the old one. `command`: somebody types it. `none`: it takes no releases. */
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
        ? 'This server runs from its sources, which nobody has signed. It takes no releases: fetch the new sources, and start it again.'
        : 'This server is a development build, which nobody has signed. It takes no releases: install a release over it.',
    };
  if (isPackage)
    return {
      how: 'command',
      kind: 'deb',
      why: 'This server was installed as a package of the system, which looks after its versions.',
    };
  if (isService) return { how: 'trial', kind: unpackedKind(platform) };
  const why = 'This server is not a service of the computer, so nothing would restart it.';
  if (platform === 'win32') return { how: 'command', kind: 'exe', why };
  return { how: 'command', kind: platform === 'darwin' ? 'dmg' : 'tar.gz', why };
};

/** Returns what somebody types to install a file of this kind. */
export const commandFor = (kind: ReleaseKind, file: string, { root }: Pick<Installed, 'root'>): string => {
  if (kind === 'deb') return `sudo apt-get install ${quoted(file)}`;
  if (kind === 'exe') return `"${file}"`;
  if (kind === 'dmg') return `open ${quoted(file)}`;
  // The programs lie in resources/vitrine of what is to be replaced.
  return `tar -xzf ${quoted(file)} --strip-components=1 -C ${quoted(root.replace(/[\\/]resources[\\/]vitrine$/, ''))}`;
};

const quoted = (path: string): string => (/^[\w./:@+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** Returns the file of a release that this server is installed from; undefined: it has none. */
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
 * Returns the Node that runs another version. Firewalls of Windows and macOS know the installed one by its place, and
 * would keep every screen out of another: there a version is run by that, where it was made for the same Node.
 * @returns undefined where that cannot be
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

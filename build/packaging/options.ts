/** Options of `npm run package`. */
import { parseArgs } from 'node:util';
import { ReleaseVersion } from '../../shared/protocol/releases/release-signature.ts';
import type { Target } from './binaries.ts';

/** Error: nothing was packaged, or the result must not be used. The message says why and what to do. */
export class CannotPackage extends Error {}

const ROLES = ['server', 'player', 'both'] as const;
type Role = (typeof ROLES)[number];

interface PackageOptions {
  /** Package form to build, if only one: `dir`, `deb`, `zip` … */
  readonly form: string | undefined;
  readonly role: Role | undefined;
  readonly releaseKey: string | undefined;
  readonly alsoTrust: string;
  /** Version that replaces the version of package.json. */
  readonly version: string | undefined;
  /** ffmpeg for the package: `file` is its path; `none`: the package contains no ffmpeg. */
  readonly ffmpeg: { readonly file: string } | 'none' | undefined;
}

export const USAGE = `npm run package -- [options]   the desktop app for this system and processor, in dist/package

  --dir                    the program's folder only
  --target NAME            one form: AppImage, deb, tar.gz, nsis, dmg, zip
  --role ROLE              server, player or both: an installer that does not ask
  --release-key FILE       sign with this key (or VITRINE_RELEASE_KEY); "vitrine release-key" makes one
  --also-trust KEY,KEY     public keys that sign what comes after it
  --as-version VERSION     another version than that of package.json
  --ffmpeg FILE            the ffmpeg to pack; otherwise the one that npm has fetched
  --without-ffmpeg         pack none: thumbnails of videos then need one on the machine
  --arch ARCH              refused where it is not this machine's: its parts are built on a machine of its own
`;

/** @throws CannotPackage */
export const optionsIn = (args: readonly string[], { platform, arch }: Target): PackageOptions => {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const values = orSay(
    () =>
      parseArgs({
        args: [...args],
        options: {
          ...{
            dir: flag,
            target: text,
            role: text,
            'release-key': text,
            'also-trust': text,
            'as-version': text,
            ffmpeg: text,
            'without-ffmpeg': flag,
            arch: text,
          },
          ...{ x64: flag, arm64: flag, universal: flag },
        },
      }).values,
  );
  const asked = values.arch ?? (['x64', 'arm64', 'universal'] as const).find((name) => values[name]) ?? arch;
  if (asked !== arch)
    throw new CannotPackage(
      `This machine is ${platform}-${arch}, and the parts of one architecture are built on a machine of that architecture: package ${asked} on one that is ${asked}.`,
    );
  const role = ROLES.find((name) => name === values.role);
  if (values.role !== undefined && role === undefined) throw new CannotPackage('--role is server, player or both.');
  const version = values['as-version'];
  if (version !== undefined && !ReleaseVersion.safeParse(version).success)
    throw new CannotPackage(`--as-version is a version like 1.2.0 or 1.2.0-beta.1, not ${version}.`);
  if (values.ffmpeg !== undefined && values['without-ffmpeg'])
    throw new CannotPackage('Say either --ffmpeg FILE or --without-ffmpeg.');
  return {
    form: values.dir ? 'dir' : values.target,
    role,
    releaseKey: values['release-key'],
    alsoTrust: values['also-trust'] ?? '',
    version,
    ffmpeg: values['without-ffmpeg'] ? 'none' : values.ffmpeg === undefined ? undefined : { file: values.ffmpeg },
  };
};

const orSay = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new CannotPackage(
      `${(error as Error).message.split('\n')[0]} npm run package -- --help lists what there is.`,
    );
  }
};

/** Matches network errors that electron-builder passes on, by their names in Node and in its download library. */
const NO_WAY_OUT =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|EPROTO|CERT_|SELF_SIGNED|RequestError|HTTPError|TimeoutError|fetch failed|status code \d+|Response code \d+/;

/** A download that electron-builder needs, and how to package without this download. */
export interface Download {
  readonly what: string;
  readonly instead: string;
}

export const electronOf = (version: string, { platform, arch }: Target): Download => ({
  what: `Electron ${version} for ${platform}-${arch}`,
  instead:
    'a mirror of it (ELECTRON_MIRROR), or VITRINE_ELECTRON_DIST, the folder of an Electron that is there already',
});

/** @param form undefined: all forms */
export const toolsFor = (form: string | undefined): Download => ({
  what: `What electron-builder makes ${form === undefined ? 'its files' : `a ${form}`} with`,
  instead: 'a mirror of its programs (ELECTRON_BUILDER_BINARIES_MIRROR); --dir needs none of them',
});

/** Returns a sentence about a failed download; undefined for any other error, whose stack trace is needed. */
export const sentenceOfDownload = (error: unknown, { what, instead }: Download): string | undefined => {
  const facts: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    facts.push([cause.name, 'code' in cause ? cause.code : '', cause.message].join(' '));
  if (!NO_WAY_OUT.test(facts.join(' '))) return undefined;
  const why = (error as Error).message.split('\n')[0]!.slice(0, 300);
  return `${what} could not be fetched (${why}). This computer needs a way to it, ${instead}.`;
};

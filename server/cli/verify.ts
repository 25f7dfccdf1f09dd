import { createHash } from 'node:crypto';
import { closeSync, createReadStream, existsSync, openSync, readSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ReportVerifier, type VerifyCrypto } from '../../shared/protocol/verify.ts';
import { isSignedBy } from '../kernel/trust/signed-by.ts';
import { checkArchive, SUFFIX } from '../upkeep/backup/archive.ts';
import { notWhole } from '../upkeep/backup/pool.ts';
import { type Command, CommandFailed, Exit, type ExitCode, type Speech, WrongUse } from './command.ts';
import { verifyChainFile } from './hq/verify-chain.ts';
import { waitingFor } from './waiting.ts';

const SHOWN = 50;

export const verify: Command = {
  name: 'verify',
  usage: 'verify FILE [--server FINGERPRINT] [--json]',
  summary: 'check a backup, or an exported report of plays, of a store or of a chain',
  help: `A backup (${SUFFIX}) is read and compared with its manifest, including its media. For a report of plays (JSON lines), the command lists plays that were
removed, changed, repeated or moved, the plays that the players' signatures cover, and the signer of the file. For a report of a
chain it does this for each store, with the fingerprint of its key: compare it with Settings, Headquarters in the store.
Exit code 3 when there is a problem.

  --server F   the report must be signed by the server with this fingerprint (settings, Server)
  --json       print one JSON value instead of sentences
`,
  options: { server: 'text' },
  takes: [1, 1],
  async run({ names, text }, speech) {
    const file = resolve(names[0]!);
    if (!existsSync(file)) throw new CommandFailed(`${file} does not exist.`);
    switch (kindOf(file)) {
      case 'chain':
        return waitingFor(file, () => chain(file, wantedServer(text('server')), speech));
      case 'report':
        return report(file, wantedServer(text('server')), speech);
      case 'backup':
        return waitingFor(file, () => backup(file, speech));
    }
  },
};

type Result = { readonly result: unknown; readonly exit?: ExitCode };

const startOf = (file: string, length: number): string => {
  const handle = openSync(file, 'r');
  const start = Buffer.alloc(length);
  const read = readSync(handle, start, 0, length, 0);
  closeSync(handle);
  return start.subarray(0, read).toString();
};
/** Detects the kind of a file by its first line, because file names change in e-mails and downloads. */
const kindOf = (file: string): 'chain' | 'report' | 'backup' => {
  const start = startOf(file, 200).trimStart();
  if (/^\{\s*"vitrine"\s*:\s*"(chain|segment)"/.test(start)) return 'chain';
  return start.startsWith('{') ? 'report' : 'backup';
};

/**
 * Returns the final sentence of the verification, which says whether the report is unchanged.
 * @param what description of what was counted
 */
const conclusion = (problems: readonly { readonly kind: string }[], what: string): string => {
  if (problems.length === 0) return `Nothing was removed, changed, repeated or moved (${what}).`;
  if (problems.some(({ kind }) => kind !== 'missing')) return 'This report is not as it was written.';
  return `Plays are missing (see above); the others were not changed, repeated or moved (${what}). Either the screens gave plays up because their journals were full, or somebody removed plays: compare with the activity log of the store.`;
};

const backup = (file: string, { print }: Speech): Result => {
  try {
    const { made_at, version, media, media_kept, database, media_missing, media_damaged } = checkArchive(file);
    const beside = media_kept === 'beside' ? notWhole(dirname(file), media) : { missing: [], damaged: [] };
    const gone = beside.missing.length + beside.damaged.length;
    const problems = [
      ...(beside.missing.length > 0 ? [`${beside.missing.length} media files that it needs are not beside it.`] : []),
      ...(beside.damaged.length > 0 ? [`${beside.damaged.length} media files beside it are damaged.`] : []),
    ];
    print(
      `${file} is ${gone === 0 ? 'whole' : 'whole by itself'}: made ${new Date(made_at).toLocaleString()} by Vitrine ${version}, ${media.length} media files.`,
    );
    for (const problem of problems) print(problem);
    const lost = media_missing.length + media_damaged.length;
    if (lost > 0) print(`${lost} media files were missing or damaged when it was made, and are not in it.`);
    return {
      result: {
        ok: gone === 0,
        kind: 'backup',
        made_at,
        version,
        database,
        media_files: media.length - gone,
        media_missing: lost + gone,
        ...(gone > 0 && { problems }),
      },
      exit: gone === 0 ? Exit.done : Exit.found,
    };
  } catch (error) {
    print((error as Error).message);
    return { result: { ok: false, kind: 'backup', problems: [(error as Error).message] }, exit: Exit.found };
  }
};

const chain = (file: string, server: string | undefined, { print }: Speech): Result => {
  const verdict = verifyChainFile(file, server);
  for (const { name, fingerprints, screens } of verdict.stores) {
    print(`${name}, signed by the server ${fingerprints.join(' and ')}:`);
    for (const screen of screens) print(`  ${screen.name}: ${screen.plays} plays, ${screen.signed} of them signed`);
  }
  for (const { message } of verdict.problems.slice(0, SHOWN)) print(message);
  if (verdict.problems.length > SHOWN) print(`… and ${verdict.problems.length - SHOWN} more`);
  print(
    verdict.server
      ? `The whole file is signed by headquarters, the server ${verdict.server}.`
      : 'No headquarters has signed the whole file: stores or segments at its end may be missing.',
  );
  print(
    conclusion(
      verdict.problems,
      `${verdict.plays} plays in ${verdict.segments} segments of ${verdict.stores.length} stores`,
    ),
  );
  return { result: { kind: 'chain', ...verdict }, exit: verdict.ok ? Exit.done : Exit.found };
};

const wantedServer = (given: string | undefined): string | undefined => {
  const fingerprint = given?.replaceAll(/[:\s]/g, '').toLowerCase();
  if (fingerprint !== undefined && !/^[0-9a-f]{64}$/.test(fingerprint))
    throw new WrongUse('--server must be a fingerprint of 64 hexadecimal digits.');
  return fingerprint;
};

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

const report = async (file: string, server: string | undefined, { print }: Speech): Promise<Result> => {
  const crypto: VerifyCrypto = {
    sha256,
    sha256OfHex: (hex) => sha256(Buffer.from(hex, 'hex')),
    hasher: () => {
      const hash = createHash('sha256');
      return { update: (text) => void hash.update(text), digest: () => hash.digest('hex') };
    },
    verify: isSignedBy,
  };
  const verifier = new ReportVerifier(crypto, server);
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
    verifier.read(line);
  const verdict = verifier.finish();
  for (const { device_name, plays, signed } of verdict.devices)
    print(`${device_name}: ${plays} plays, ${signed} of them signed`);
  for (const { line, message } of verdict.problems.slice(0, SHOWN)) print(`line ${line}: ${message}`);
  if (verdict.problems.length > SHOWN) print(`… and ${verdict.problems.length - SHOWN} more`);
  print(
    verdict.server
      ? `The whole file is signed by the server ${verdict.server}.`
      : 'No server has signed the whole file: plays at the end of a screen’s journal may be missing.',
  );
  for (const { device_name, from, to, skipped_by_player } of verdict.gaps)
    if (skipped_by_player) print(`${device_name} itself skipped the numbers ${from} to ${to}: no play has them.`);
  print(conclusion(verdict.problems, `${verdict.plays} plays`));
  return { result: { kind: 'report', ...verdict }, exit: verdict.ok ? Exit.done : Exit.found };
};

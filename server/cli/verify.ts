import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto';
import { closeSync, createReadStream, existsSync, openSync, readSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { ReportVerifier, type VerifyCrypto } from '../../shared/protocol/verify.ts';
import { checkArchive, SUFFIX } from '../upkeep/backup/archive.ts';
import { notWhole } from '../upkeep/backup/pool.ts';
import { type Command, CommandFailed, Exit, type ExitCode, type Speech, WrongUse } from './command.ts';
import { waitingFor } from './waiting.ts';

const SHOWN = 50;
/** Stands in front of an Ed25519 key in DER. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export const verify: Command = {
  name: 'verify',
  usage: 'verify FILE [--server FINGERPRINT] [--json]',
  summary: 'check a backup, or an exported report of plays',
  help: `A backup (${SUFFIX}) is read through and compared with its manifest, and so are the media beside it. In a report of plays (JSON lines), plays that were removed,
changed, repeated or moved are named, and which of them the players' signatures vouch for; and whose signature the whole file has.
Exit code 3 when something is wrong.

  --server F   the report must be signed by the server with this fingerprint (settings, Server)
  --json       one JSON value on stdout instead of sentences
`,
  options: { server: 'text' },
  takes: [1, 1],
  async run({ names, text }, speech) {
    const file = resolve(names[0]!);
    if (!existsSync(file)) throw new CommandFailed(`${file} is not there.`);
    return file.endsWith(SUFFIX) || !looksLikeJson(file)
      ? waitingFor(file, () => backup(file, speech))
      : report(file, wantedServer(text('server')), speech);
  },
};

type Result = { readonly result: unknown; readonly exit?: ExitCode };

const looksLikeJson = (file: string): boolean => {
  const handle = openSync(file, 'r');
  const start = Buffer.alloc(1);
  readSync(handle, start, 0, 1, 0);
  closeSync(handle);
  return start.toString() === '{';
};

const backup = (file: string, { say }: Speech): Result => {
  try {
    const { made_at, version, media, media_kept, database, media_missing, media_damaged } = checkArchive(file);
    const beside = media_kept === 'beside' ? notWhole(dirname(file), media) : { missing: [], damaged: [] };
    const gone = beside.missing.length + beside.damaged.length;
    const problems = [
      ...(beside.missing.length > 0 ? [`${beside.missing.length} media files that it needs are not beside it.`] : []),
      ...(beside.damaged.length > 0 ? [`${beside.damaged.length} media files beside it are damaged.`] : []),
    ];
    say(
      `${file} is ${gone === 0 ? 'whole' : 'whole by itself'}: made ${new Date(made_at).toLocaleString()} by Vitrine ${version}, ${media.length} media files.`,
    );
    for (const problem of problems) say(problem);
    const lost = media_missing.length + media_damaged.length;
    if (lost > 0) say(`${lost} media files were missing or damaged when it was made, and are not in it.`);
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
    say((error as Error).message);
    return { result: { ok: false, kind: 'backup', problems: [(error as Error).message] }, exit: Exit.found };
  }
};

const wantedServer = (given: string | undefined): string | undefined => {
  const fingerprint = given?.replaceAll(/[:\s]/g, '').toLowerCase();
  if (fingerprint !== undefined && !/^[0-9a-f]{64}$/.test(fingerprint))
    throw new WrongUse('--server must be a fingerprint of 64 hexadecimal digits.');
  return fingerprint;
};

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

const report = async (file: string, server: string | undefined, { say }: Speech): Promise<Result> => {
  const crypto: VerifyCrypto = {
    sha256,
    sha256OfHex: (hex) => sha256(Buffer.from(hex, 'hex')),
    hasher: () => {
      const hash = createHash('sha256');
      return { update: (text) => void hash.update(text), digest: () => hash.digest('hex') };
    },
    verify: (key, text, signature) => {
      try {
        const publicKey = createPublicKey({
          key: Buffer.concat([SPKI, Buffer.from(key, 'hex')]),
          format: 'der',
          type: 'spki',
        });
        return verifySignature(null, Buffer.from(text), publicKey, Buffer.from(signature, 'hex'));
      } catch {
        // It was no key at all.
        return false;
      }
    },
  };
  const verifier = new ReportVerifier(crypto, server);
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
    verifier.read(line);
  const verdict = verifier.finish();
  for (const { device_name, plays, signed } of verdict.devices)
    say(`${device_name}: ${plays} plays, ${signed} of them signed`);
  for (const { line, message } of verdict.problems.slice(0, SHOWN)) say(`line ${line}: ${message}`);
  if (verdict.problems.length > SHOWN) say(`… and ${verdict.problems.length - SHOWN} more`);
  say(
    verdict.server
      ? `The whole file is signed by the server ${verdict.server}.`
      : 'No server has signed the whole file: plays at the end of a screen’s journal may be missing.',
  );
  say(
    verdict.ok
      ? `Nothing was removed, changed, repeated or moved (${verdict.plays} plays).`
      : 'This report is not as it was written.',
  );
  return { result: { kind: 'report', ...verdict }, exit: verdict.ok ? Exit.done : Exit.found };
};

/**
 * Writes a report that can be verified: device by device, one signed group of plays at a time, and the server's
 * signature at the end.
 */
import { createHash } from 'node:crypto';
import { endText, type FileLine } from '../../../../shared/protocol/plays-file.ts';
import type { Cursor, PlaysFilter } from '../plays.store.ts';
import { type Answer, bytesOf } from '../report-tasks.ts';
import type { ReportThreads } from '../report-threads.ts';
import type { ProofScope } from './proof.store.ts';
import type { ProofDevice, ProofPlan } from './proof-reader.ts';

/** The server and its key (server/identity.ts). */
export interface Signer {
  /** Public key of the server (SubjectPublicKeyInfo, hex). */
  readonly publicKey: string;
  /** Returns an Ed25519 signature, hex. */
  sign(text: string): string;
}

const line = (value: FileLine): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
const parse = <T>(answer: Answer): T => JSON.parse(bytesOf(answer).toString()) as T;

export async function* proofChunks({
  threads,
  signer,
  filter,
}: {
  threads: Pick<ReportThreads, 'runTask'>;
  signer: Signer;
  filter: PlaysFilter;
}): AsyncGenerator<Buffer> {
  const { deviceId: only, ...narrowed } = filter;
  const { workspaceId, start, end, ...which } = narrowed;
  const isFiltered = Object.values(which).some((value) => value !== undefined);
  const whole = createHash('sha256');
  let plays = 0;
  const counted = (bytes: Buffer, more = 0): Buffer => {
    whole.update(bytes);
    plays += more;
    return bytes;
  };
  const devices = parse<ProofDevice[]>(
    await threads.runTask({ do: 'proof', question: { ask: 'devices', workspaceId } }),
  );
  for (const device of devices.filter(({ device_id }) => only === undefined || device_id === only)) {
    const scope = { ...narrowed, deviceId: device.device_id };
    const { seals, hasLoose } = await planOf(threads, scope);
    if (!seals && !hasLoose) continue;
    yield counted(line({ type: 'device', ...device, ...(!isFiltered && { complete: true as const }) }));
    for (let from = seals?.from; from !== undefined && seals; ) {
      const answer: Answer = await threads.runTask({
        do: 'proof',
        question: { ask: 'stretch', scope, from, to: seals.to },
      });
      yield counted(bytesOf(answer), answer.plays);
      from = answer.nextSeal ?? undefined;
    }
    for (let cursor: Cursor | undefined | null = hasLoose ? undefined : null; cursor !== null; ) {
      const answer: Answer = await threads.runTask({ do: 'proof', question: { ask: 'loose', scope, cursor } });
      yield counted(bytesOf(answer), answer.plays);
      cursor = answer.next ?? null;
    }
  }
  const sha256 = whole.digest('hex');
  yield line({
    type: 'end',
    plays,
    server: { public_key: signer.publicKey, sha256, signature: signer.sign(endText(plays, sha256)) },
  });
}

const planOf = async (threads: Pick<ReportThreads, 'runTask'>, scope: ProofScope): Promise<Omit<ProofPlan, 'next'>> => {
  const found: number[] = [];
  let hasLoose = false;
  for (let cursor: Cursor | undefined | null; cursor !== null; ) {
    const page: ProofPlan = parse(await threads.runTask({ do: 'proof', question: { ask: 'plan', scope, cursor } }));
    if (page.seals) found.push(page.seals.from, page.seals.to);
    hasLoose ||= page.hasLoose;
    cursor = page.next;
  }
  return { seals: found.length > 0 ? { from: Math.min(...found), to: Math.max(...found) } : null, hasLoose };
};

/** Serves paired players their program and its files, and nothing else. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { notFound } from '../../../shared/contract/errors.ts';
import { getAsset, getProgram, proveIdentity } from '../../../shared/contract/screens/player.ts';
import { proofText, type TlsOffer } from '../../../shared/protocol/server-proof.ts';
import { type Bound, bind } from '../../http/api.ts';
import { sendBlob } from '../../http/send-file.ts';
import type { Identity } from '../../identity.ts';
import type { DeviceActor } from '../../kernel/trust/actor.ts';

/** Programs by device (server/programs). */
interface ProgramBytes {
  /** Returns the bytes of a program that the device has now or had shortly before; undefined for any other program. */
  bytes(deviceId: string, programId: string): Buffer | undefined;
}

/** Files that a player may download. */
export interface PlayerAssets {
  /** Returns undefined when neither the program nor any content of the workspace uses this file. */
  find(
    actor: DeviceActor,
    sha256: string,
  ): { readonly path: string; readonly size: number; readonly mime: string } | undefined;
}

const SHA256 = /^[0-9a-f]{64}$/;

export const playerRoutes = (deps: {
  programs: ProgramBytes;
  assets: PlayerAssets;
  server: Omit<Identity, 'privateKey'>;
  name: () => string;
  tls: (nonce: string) => TlsOffer;
}): Bound[] => [
  bind(proveIdentity, ({ query }) => {
    const { id, fingerprint, publicKey } = deps.server;
    return {
      id,
      name: deps.name(),
      public_key: publicKey,
      fingerprint,
      signature: deps.server.sign(proofText(query.nonce)),
      tls: deps.tls(query.nonce),
    };
  }),
  bind(getProgram, ({ actor, params, req, res }) => {
    const bytes = deps.programs.bytes(actor.deviceId, params.id);
    if (!bytes) throw notFound('Program');
    sendProgram(req, res, params.id, bytes);
    return undefined;
  }),
  bind(getAsset, async ({ actor, params, req, res }) => {
    const found = SHA256.test(params.sha256) ? deps.assets.find(actor, params.sha256) : undefined;
    if (!found) throw notFound('Asset');
    await sendBlob(req, res, { ...found, sha256: params.sha256, immutable: true });
    return undefined;
  }),
];

const sendProgram = (req: IncomingMessage, res: ServerResponse, id: string, bytes: Buffer): void => {
  const headers = { ETag: `"${id}"`, 'Cache-Control': 'private, max-age=31536000, immutable' };
  if (req.headers['if-none-match'] === `"${id}"`) res.writeHead(304, headers).end();
  else
    res
      .writeHead(200, { ...headers, 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length })
      .end(req.method === 'HEAD' ? undefined : bytes);
};

/**
 * Transfer files ("sticks" in this code): data of a store and headquarters for each other, carried by people if there
 * is no connection (shared/chain/transfer-file.ts).
 */
import { z } from 'zod';
import { hex } from '../../protocol/hex.ts';
import { administers, everything, nothing } from '../acts.ts';
import { endpointsOf, multipart, session, sessionOrTicket, stream } from '../endpoint.ts';
import { Epoch, filled, Id, Int } from '../fields.ts';
import { WorkspaceRole } from '../people/users.ts';
import { ChainState } from './chain.ts';

const inStore = endpointsOf('Chain');
const atHeadquarters = endpointsOf('Stores');

const TransferNumber = z.string().regex(/^[1-9]\d{0,14}$/);
const TYPE = 'application/vnd.vitrine.stick';

export const WrittenTransferFile = z.object({
  number: Int,
  filename: z.string(),
  /** Size of the file in bytes; null: unknown until the file is written. */
  bytes: Int.nullable(),
  /** Time until which the file can be downloaded, once. */
  expires_at: Epoch,
});
export type WrittenTransferFile = z.infer<typeof WrittenTransferFile>;

export const TransferState = z.object({
  /** Numbers of the last transfer file written here and of the last transfer file read here; 0: none. */
  written: Int,
  taken: Int,
  /** Whether a transfer file can be written: the other side has sent its key for these files. */
  can: z.boolean(),
  /** Transfer file that is being written or read. */
  under_way: z
    .object({
      what: z.enum(['out', 'in']),
      bytes: Int,
      /** Total number of bytes; null: unknown. */
      total: Int.nullable(),
    })
    .nullable(),
});
export type TransferState = z.infer<typeof TransferState>;

export const TakenIn = z.object({
  number: Int,
  /** Part of the transfer file that was not accepted, in a sentence; null: everything was accepted. */
  trouble: z.string().nullable(),
});
export type TakenIn = z.infer<typeof TakenIn>;

const WRITE =
  'It has the next number, which is on the disk before this answers. The file itself is fetched with its number, once and within ten minutes; the answer sets a cookie that opens that address to a browser.';
const TAKE =
  'The file as it was written, in the field `file`. It is taken in when all of it is right, or not at all: 400 says what is wrong with it (another’s, taken before, changed, cut off), which is an incident, too. 409: another one is coming in.';

export const enrolByFile = inStore('POST /api/chain/offline', {
  name: 'enrolByFile',
  summary: 'Enrol the current workspace by the file of a headquarters that it does not reach',
  description:
    'Headquarters learns of it by the first stick that goes back. The server goes on trying the line. 400: the file is none, or of another headquarters than its code. 409: the workspace belongs to a headquarters already.',
  access: session('manager'),
  acts: administers('chain'),
  shows: nothing,
  body: z.object({
    address: filled(300),
    code: filled(60),
    store: filled(64),
    name: filled(500),
    headquarters: filled(500),
    /** Raw public keys, hex: Ed25519 and X25519. */
    key: hex(64),
    seal_key: hex(64),
    /** Numbers of the last transfer files that headquarters has read from this store and written for it. */
    sticks: z.object({ taken: z.number().int().min(0), written: z.number().int().min(0) }),
    /** Access of headquarters, as in `letHeadquarters`. */
    may: WorkspaceRole.nullable().default('workspace_admin'),
    /** Permission for updates, as in `letHeadquartersUpdate`. @default whether the person may set it */
    lets_update: z.boolean().optional(),
  }),
  status: 201,
  response: ChainState,
  errors: [409],
  perMinute: 10,
});
export const getChainTransfer = inStore('GET /api/chain/stick', {
  name: 'getChainStick',
  summary: 'How far sticks between the current workspace and headquarters are',
  access: session('manager'),
  acts: administers('chain'),
  response: TransferState,
});
export const writeChainTransferFile = inStore('POST /api/chain/sticks', {
  name: 'writeChainStick',
  summary: 'Write a stick that goes back to headquarters',
  description: `${WRITE} 404: the workspace belongs to none. 409: headquarters has not told its key for sticks yet.`,
  access: session('manager'),
  acts: administers('chain'),
  shows: nothing,
  status: 201,
  response: WrittenTransferFile,
  errors: [404, 409],
});
export const downloadChainTransferFile = inStore('GET /api/chain/sticks/{number}', {
  name: 'fetchChainStick',
  summary: 'A stick that goes back to headquarters, as a file',
  access: sessionOrTicket('manager'),
  acts: administers('chain'),
  params: z.object({ number: TransferNumber }),
  response: stream(TYPE, 'named'),
});
export const importChainTransferFile = inStore('POST /api/chain/stick', {
  name: 'takeChainStick',
  summary: 'Take in a stick of headquarters',
  description: `${TAKE} 404: the workspace belongs to none.`,
  access: session('manager'),
  acts: administers('chain'),
  shows: nothing,
  body: multipart('file'),
  response: TakenIn,
  errors: [404, 409],
});

export const getStoreTransfer = atHeadquarters('GET /api/stores/{id}/stick', {
  name: 'getStoreStick',
  summary: 'How far sticks between headquarters and a store are',
  access: session('viewer'),
  response: TransferState,
});
export const writeStoreTransferFile = atHeadquarters('POST /api/stores/{id}/sticks', {
  name: 'writeStoreStick',
  summary: 'Write a stick for a store: what it is to show, and the files that it has not',
  description: `${WRITE} 409: the store is not enrolled, or has not told its key for sticks yet.`,
  access: session('editor'),
  acts: () => [everything],
  shows: nothing,
  status: 201,
  response: WrittenTransferFile,
  errors: [409],
});
export const downloadStoreTransferFile = atHeadquarters('GET /api/stores/{id}/sticks/{number}', {
  name: 'fetchStoreStick',
  summary: 'A stick for a store, as a file',
  access: sessionOrTicket('editor'),
  params: z.object({ id: Id, number: TransferNumber }),
  response: stream(TYPE, 'named'),
});
export const importStoreTransferFile = atHeadquarters('POST /api/stores/{id}/stick', {
  name: 'takeStoreStick',
  summary: 'Take in what came back from a store on a stick',
  description: TAKE,
  access: session('editor'),
  acts: () => [everything],
  shows: nothing,
  body: multipart('file'),
  response: TakenIn,
  errors: [409],
});
